import { t } from '@lingui/core/macro'
import { describe, expect, it } from 'vitest'

import { PAGES } from '../pages.ts'
import { firstHref, hrefOf, isActive, NAVIGATION } from './menu.ts'

/** Paths of the shell with a value for their parameters, and the one leaf that is lit there. */
const LIT: Readonly<Record<string, string | undefined>> = {
  '/project/7/dashboard': 'dashboard',
  '/project/7/payments/allPayments': 'allpayments',
  '/project/7/payments/allPayments/0192a7de': 'allpayments',
  '/project/7/payments/createPaymentLink': 'createpaymentlink',
  '/project/7/growth/analytics': 'growth/analytics',
  '/project/7/growth/analytics/promoter/3': 'growth/analytics',
  '/project/7/growth/campaigns': 'growth/campaigns',
  '/project/7/growth/campaigns/new': 'growth/campaigns',
  '/project/7/growth/campaigns/3': 'growth/campaigns',
  '/project/7/growth/campaigns/3/edit': 'growth/campaigns',
  '/manageWallet/deposit-wallet': 'managewallet/deposit-wallet',
  '/manageWallet/hot-wallet': 'managewallet/hot-wallet',
  '/manageWallet/hot-wallet/7': 'managewallet/hot-wallet',
  '/manageWallet/sweepContract/deploy': undefined,
  '/sweepIn': 'sweepin',
  '/withdraw/referral-payouts': 'withdraw/referral-payouts',
  '/withdraw/payouts': 'withdraw/payouts',
  '/withdraw/payouts/new': 'withdraw/payouts',
  '/withdraw/approvals': 'withdraw/approvals',
  '/withdraw/recipients': 'withdraw/recipients',
  '/developers': 'developers',
  '/settings': 'settings',
  '/settings/account/7': 'settings',
  '/settings/security': 'settings',
  '/settings/policies': 'settings',
  '/settings/members': 'settings',
  '/settings/roles': 'settings',
  '/settings/vault': 'settings',
  '/settings/audit-log': 'settings',
  '/settings/profile': 'settings',
  '/settings/email': 'settings',
  '/settings/wallet-connect': 'settings',
  '/settings/payment-methods': 'settings',
  '/settings/system': 'settings',
  '/settings/blockchains': 'settings',
  '/settings/blockchains/BASE': 'settings',
  '/sandbox/mail': undefined,
}

describe('firstHref', () => {
  it.each([
    ['/project/7/dashboard', ['analytics:read', 'payment:read']],
    ['/project/7/payments/allPayments', ['payment:read', 'referral:read']],
    ['/project/7/growth/analytics', ['referral:read']],
    ['/settings', []],
  ])('is %s for who holds %j', (href, held) => {
    expect(firstHref((permission) => held.includes(permission), '7')).toBe(href)
  })
})

/** The ids of every link of the menu, in order. */
const leafIds = NAVIGATION.flatMap(({ entries }) => entries).flatMap(({ id, page, leaves }) =>
  page === undefined ? leaves.map((leaf) => leaf.id) : [id],
)

describe('menu', () => {
  it.each(Object.entries(LIT))('lights exactly one leaf on %s: %s', (pathname, id) => {
    expect(leafIds.filter((leaf) => isActive(leaf, pathname))).toEqual(id === undefined ? [] : [id])
  })

  it('knows every page of the frame', () => {
    const shell = PAGES.filter(({ layout }) => layout === 'shell')
    const lit = Object.keys(LIT).map((pathname) => shell.find(({ path }) => path.matches(pathname)))
    expect(new Set(lit)).toEqual(new Set(shell))
    expect(lit).toHaveLength(shell.length)
  })

  it('lights the parent of a page that has no leaf', () => {
    const entries = NAVIGATION.flatMap(({ entries: all }) => all)
    const lit = entries.filter(({ id }) => isActive(id, '/manageWallet/sweepContract/deploy'))
    expect(lit.map(({ label }) => t(label))).toEqual(['Wallet management'])
  })

  it('is written in the order of the specification, each link below its entry', () => {
    const text = NAVIGATION.map(({ entries }) =>
      entries.map(({ label, leaves }) => [t(label), ...leaves.map((leaf) => t(leaf.label))]),
    )
    expect(text).toEqual([
      [['Dashboard'], ['Payments', 'All payments', 'Create payment link'], ['Growth', 'Dashboard', 'Campaigns']],
      [
        ['Wallet management', 'Deposit wallets', 'Hot wallets'],
        ['Funds Consolidation'],
        ['Withdraw', 'Referral payouts', 'Payouts', 'Approvals', 'Recipients'],
      ],
      [['Developers'], ['Settings']],
    ])
  })

  it('fills the current project into a link', () => {
    const links = NAVIGATION.flatMap(({ entries }) => entries).flatMap(({ page }) =>
      page === undefined ? [] : [hrefOf(page, 'all')],
    )
    expect(links).toEqual(['/project/all/dashboard', '/sweepIn?tabId=Funds', '/developers', '/settings'])
  })
})
