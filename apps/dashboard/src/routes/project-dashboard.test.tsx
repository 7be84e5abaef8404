import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { analyticsAnswers } from '../testing/analytics-answers.ts'
import { AT, me, project, sandboxConfiguration } from '../testing/answers.ts'
import { attentionAnswer } from '../testing/attention-answers.ts'
import { paymentRow, wirePage } from '../testing/payment-answers.ts'
import { renderScreen } from '../testing/render-screen.tsx'
import { type Answers, stubServer } from '../testing/stub-server.ts'
import { ProjectDashboardRoute } from './project-dashboard.tsx'

// What is loaded when it is first asked for is there at once.
beforeAll(() =>
  Promise.all([import('../features/setup-guide/SetupGuide.tsx'), import('../features/analytics/cards/GraphCard.tsx')]),
)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const SEARCH = 'POST /external-platform/7/payment/search'
const SUMMARY = 'GET /external-platform/7/payment/summary'
const NONE = { totalCount: 0, closedCount: 0, openCount: 0, cancelledCount: 0 }
const SOME = { totalCount: 46, closedCount: 20, openCount: 7, cancelledCount: 19 }
const DONE = {
  'GET /wallets': () => [{ name: 'Main', externalPlatformWallets: [{ externalPlatformID: 7 }], walletxpubs: [] }],
  'GET /external-platform/7/api-key': () => [],
  'GET /external-platform/7/webhook': () => [],
} satisfies Answers
const alarm = {
  id: 1,
  kind: 'chain_behind',
  subject: 'BASE',
  params: null,
  text: 'BASE is 40 blocks behind.',
  since: AT,
}
const ATTENTION = 'GET /project/7/attention'

function open(answers: Answers = {}) {
  stubServer({
    'GET /member/me': () => me(),
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /external-platform/all': () => [project(7, 'Acme')],
    'GET /external-platform/details': () => [],
    'GET /external-platform/7/readiness': () => ({ ready: true, missing: [], chains: [], leastAmountInUSD: '0.10' }),
    [ATTENTION]: () => attentionAnswer(),
    [SUMMARY]: () => SOME,
    [SEARCH]: () => wirePage([]),
    ...analyticsAnswers(7),
    ...DONE,
    ...answers,
  })
  renderScreen(<ProjectDashboardRoute />, '/project/7/dashboard')
}
const headings = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)

describe('the dashboard of a project', () => {
  it('says first what needs attention, then whether money comes in, then what is left to set up', async () => {
    open({
      [ATTENTION]: () =>
        attentionAnswer({ payments: 8, reasons: { short: 3, over: 2, late: 0 }, deposits: 2, alarms: [alarm] }),
      [SEARCH]: () => wirePage([paymentRow()]),
    })
    const attention = within(await screen.findByRole('region', { name: 'Needs attention' }))
    expect(await attention.findByText('8 payments need attention')).toBeDefined()
    await attention.findByRole('link', { name: '3 short' })
    const links = attention.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
    expect(links.map(([text]) => text)).toEqual([
      expect.stringContaining('8 payments need attention'),
      '3 short',
      '2 over',
      expect.stringContaining('2 deposits to decide about'),
      expect.stringContaining('Network behind'),
    ])
    expect(links.map(([, href]) => href)).toEqual([
      '/project/7/payments/allPayments?view=attention',
      '/project/7/payments/allPayments?status=SHORT_NEEDS_ATTENTION',
      '/project/7/payments/allPayments?status=OVER_NEEDS_ATTENTION',
      '/project/7/payments/allPayments?view=unmatched',
      '/settings/blockchains/BASE',
    ])
    await screen.findByRole('region', { name: 'Setup guide' })
    await screen.findByRole('region', { name: 'Numbers' })
    expect(headings()).toEqual([
      'Needs attention',
      'Numbers',
      'Transaction Summary',
      'Deposit Distribution',
      'Operations',
      'Paying User Summary',
      'Recent Transactions',
      'Setup guide',
    ])
  })

  it('shows the guide first while there is no payment', async () => {
    open({ [SUMMARY]: () => NONE, 'POST /external-platform/7/payment/search': () => wirePage([]) })
    expect(await screen.findByRole('region', { name: 'Setup guide' })).toBeDefined()
    await waitFor(() => expect(headings()).toEqual(['Setup guide']))
  })

  it('leaves a shop that cannot be paid to the guide’s next step, unless it was paid before', async () => {
    const first = { [SUMMARY]: () => NONE, [SEARCH]: () => wirePage([]) }
    const missing = [
      {
        kind: 'wallet',
        params: { networks: ['Base'] },
        text: 'Add a deposit wallet.',
        fixPath: '/manageWallet/deposit-wallet',
      },
    ]
    const unready = {
      'GET /external-platform/7/readiness': () => ({ ready: false, missing, chains: [], leastAmountInUSD: null }),
    }
    open({ ...first, ...unready })
    await screen.findByTitle('Not yet: Add a deposit wallet for Base.')
    expect(screen.queryByRole('link', { name: 'Create payment link' })).toBeNull()
    cleanup()
    open(unready)
    expect(await screen.findByRole('link', { name: 'Create payment link' })).toBeDefined()
  })

  it('keeps its place while the figures are read, and no room for a guide that may be done', async () => {
    const never = () => new Promise<never>(() => undefined)
    open({ 'GET /external-platform/7/analytics/groups': never, 'GET /external-platform/7/readiness': never })
    await screen.findByText('Loading the figures')
    expect(screen.queryByRole('heading', { name: 'Setup guide' })).toBeNull()
  })

  it('says when nothing needs attention, and not before it is known what may be read', async () => {
    const account = Promise.withResolvers<object>()
    open({
      'GET /member/me': () => account.promise,
    })
    await screen.findByRole('heading', { level: 1 })
    expect(screen.queryByText('Nothing needs attention.')).toBeNull()
    account.resolve(me())
    expect(await screen.findByText('Nothing needs attention.')).toBeDefined()
  })

  it('moves the focus to the heading when the guide is put away', async () => {
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Hide for now' }))
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
    expect(screen.getByRole('button', { name: 'Show the setup guide' })).toBeDefined()
  })
})

describe('an install without a project', () => {
  it.each([
    ['on the sandbox', sandboxConfiguration, 9],
    ['elsewhere', { ...sandboxConfiguration, features: { ...sandboxConfiguration.features, sandbox: false } }, 9],
  ])('counts the steps a project will have: %s', async (_where, configuration, steps) => {
    open({ 'GET /external-platform/all': () => [], 'GET /configuration/default': () => configuration })
    expect(await screen.findByText(`0 of ${steps} done`)).toBeDefined()
    const guide = within(screen.getByRole('region', { name: 'Setup guide' }))
    expect(guide.getAllByRole('listitem')).toHaveLength(steps)
  })
})
