import { t } from '@lingui/core/macro'
import { describe, expect, it } from 'vitest'

import { allLeaves, fillHref, isActive, NAVIGATION } from './navigation.ts'
import { routeTree } from '../router.tsx'

/** Paths of the shell with a value for their parameters, and the one leaf that is lit there. */
const LIT: Readonly<Record<string, string | undefined>> = {
  '/project/7/dashboard': 'dashboard',
  '/project/7/payments/allPayments': 'allpayments',
  '/project/7/payments/allPayments/0192a7de': 'allpayments',
  '/project/7/payments/createPaymentLink': 'createpaymentlink',
  '/project/7/growth/analytics': 'growth/analytics',
  '/project/7/growth/campaigns': 'growth/campaigns',
  '/manageWallet/deposit-wallet': 'managewallet/deposit-wallet',
  '/manageWallet/hot-wallet': 'managewallet/hot-wallet',
  '/manageWallet/sweepContract/deploy': undefined,
  '/sweepIn': 'sweepin',
  '/withdraw/referral-payouts': 'withdraw/referral-payouts',
  '/withdraw/payouts': 'withdraw/payouts',
  '/withdraw/approvals': 'withdraw/approvals',
  '/withdraw/recipients': 'withdraw/recipients',
  '/developers': 'developers',
  '/settings': 'settings',
  '/settings/account/7': 'settings',
  '/settings/security': 'settings',
  '/settings/profile': 'settings',
  '/settings/email': 'settings',
  '/settings/wallet-connect': 'settings',
  '/settings/payment-methods': 'settings',
  '/settings/system': 'settings',
  '/settings/blockchains': 'settings',
  '/settings/blockchains/BASE': 'settings',
}

const PUBLIC = ['/', '/login', '/signup', '/logout', '/forgotPassword', '/createPassword', '/setPassword']
const READ_BY_ANYONE = ['/privacy-policy', '/cookie-policy', '/referral/$token']

function litLeaves(pathname: string): string[] {
  return allLeaves().flatMap(({ id }) => (isActive(id, pathname) ? [id] : []))
}

type Node = { readonly options: unknown; readonly children?: unknown }

function pathsOf(node: Node): string[] {
  const path = (node.options as { path?: string }).path
  const children = Object.values(node.children ?? {}) as Node[]
  return [...(path === undefined ? [] : [path]), ...children.flatMap(pathsOf)]
}

describe('navigation', () => {
  it.each(Object.entries(LIT))('lights exactly one leaf on %s: %s', (pathname, id) => {
    expect(litLeaves(pathname)).toEqual(id === undefined ? [] : [id])
  })

  it('knows every route of the dashboard', () => {
    const paths = pathsOf(routeTree).map((path) =>
      path.replace('$projectId', '7').replace('$code', 'BASE').replace('$reference', '0192a7de'),
    )
    expect(new Set(paths)).toEqual(new Set([...Object.keys(LIT), ...PUBLIC, ...READ_BY_ANYONE]))
  })

  it('lights the parent of a page that has no leaf', () => {
    const entries = NAVIGATION.flatMap(({ entries: all }) => all)
    const lit = entries.filter(({ id }) => isActive(id, '/manageWallet/sweepContract/deploy'))
    expect(lit.map(({ label }) => t(label))).toEqual(['Wallet management'])
  })

  it('has a route behind every link', () => {
    const paths = new Set(pathsOf(routeTree))
    for (const { href } of allLeaves()) {
      const path = href.replace('{projectId}', '$projectId').split('?')[0] ?? ''
      expect(paths).toContain(path)
    }
  })

  it('fills the current project into a link', () => {
    expect(fillHref('/project/{projectId}/dashboard', 'all')).toBe('/project/all/dashboard')
    expect(fillHref('/settings', '7')).toBe('/settings')
  })
})
