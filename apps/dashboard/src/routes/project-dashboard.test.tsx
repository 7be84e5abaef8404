import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { AT, me, project, sandboxConfiguration } from '../testing/answers.ts'
import { isCount, paymentRow, wirePage } from '../testing/payment-answers.ts'
import { renderScreen } from '../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../testing/stub-server.ts'
import { ProjectDashboardRoute } from './project-dashboard.tsx'

// What is loaded when it is first asked for is there at once.
beforeAll(() => import('../features/setup-guide/SetupGuide.tsx'))
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
const unmatched = (total: number) => ({ data: [], total, limit: 1, offset: 0, nextCursor: null })

function open(answers: Answers = {}) {
  stubServer({
    'GET /member/me': () => me(),
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /external-platform/all': () => [project(7, 'Acme')],
    'GET /external-platform/details': () => [],
    'GET /external-platform/7/readiness': () => ({ ready: true, missing: [], chains: [], leastAmountInUSD: '0.10' }),
    'GET /system/alarms': () => [],
    'GET /external-platform/7/missed-deposit': () => unmatched(0),
    [SUMMARY]: () => SOME,
    [SEARCH]: (call) => (isCount(call) ? wirePage([]) : wirePage([paymentRow()])),
    ...DONE,
    ...answers,
  })
  const asked: URL[] = []
  const answer = fetch
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    asked.push(new URL(url))
    return answer(url, init)
  })
  renderScreen(<ProjectDashboardRoute />, '/project/7/dashboard')
  return asked
}
const headings = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)

describe('the dashboard of a project', () => {
  it('says first whether money comes in and what needs attention, then the payments, then what is left to set up', async () => {
    const asked = open({
      'GET /system/alarms': () => [alarm],
      'GET /external-platform/7/missed-deposit': () => unmatched(2),
      [SEARCH]: (call) => wirePage([paymentRow()], isCount(call) ? { totalCount: 3 } : {}),
    })
    const summary = within(await screen.findByRole('region', { name: 'Last 30 days' }))
    const paid = await summary.findByRole('link', { name: /^Paid/ })
    await waitFor(() => expect(paid.textContent).toBe('Paid20'))
    expect(paid.getAttribute('href')).toBe(
      '/project/7/payments/allPayments?created=last_30_days&status=FILLED%2COVER_FILLED',
    )
    const ofDays = asked.find(({ pathname, search }) => pathname.endsWith('/summary') && search.includes('dateFrom'))
    const [from, to] = ['dateFrom', 'dateTo'].map((name) => Date.parse(ofDays?.searchParams.get(name) ?? ''))
    expect(Math.round(((to ?? 0) - (from ?? 0)) / 86_400_000)).toBe(30)
    const attention = within(await screen.findByRole('region', { name: 'Needs attention' }))
    expect(await attention.findByText('3 payments need attention')).toBeDefined()
    expect(attention.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/project/7/payments/allPayments?view=attention',
      '/project/7/payments/allPayments?view=unmatched',
      '/settings/blockchains/BASE',
    ])
    await screen.findByRole('region', { name: 'Setup guide' })
    expect(headings()).toEqual(['Last 30 days', 'Needs attention', 'Recent payments', 'Setup guide'])
  })

  it('leads with the guide while nobody was asked to pay', async () => {
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
    open({ [SUMMARY]: never, 'GET /external-platform/7/readiness': never })
    await screen.findByRole('region', { name: 'Last 30 days' })
    await screen.findByRole('table', { name: 'Recent payments' })
    expect(screen.queryByRole('heading', { name: 'Setup guide' })).toBeNull()
  })

  it('says that the figures could not be read, and reads them again', async () => {
    let isDown = true
    open({ [SUMMARY]: () => (isDown ? refusal(503, 'SERVICE_UNAVAILABLE', 'The database does not answer.') : SOME) })
    const summary = within(await screen.findByRole('region', { name: 'Last 30 days' }))
    const again = await summary.findByRole('button', { name: 'Try again' })
    isDown = false
    await userEvent.click(again)
    expect((await summary.findByRole('link', { name: /^Paid/ })).textContent).toBe('Paid20')
  })

  it('says when nothing needs attention', async () => {
    open()
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
    ['on the sandbox', sandboxConfiguration, 7],
    ['elsewhere', { ...sandboxConfiguration, features: { ...sandboxConfiguration.features, sandbox: false } }, 6],
  ])('counts the steps a project will have: %s', async (_where, configuration, steps) => {
    open({ 'GET /external-platform/all': () => [], 'GET /configuration/default': () => configuration })
    expect(await screen.findByText(`0 of ${steps} done`)).toBeDefined()
    const guide = within(screen.getByRole('region', { name: 'Setup guide' }))
    expect(guide.getAllByRole('listitem')).toHaveLength(steps)
  })
})
