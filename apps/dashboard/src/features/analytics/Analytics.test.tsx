import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { analyticsAnswers, analyticsGroups, depositRow, graphAnswer } from '../../testing/analytics-answers.ts'
import { me } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { Analytics } from './Analytics.tsx'
import { DashboardFilters } from './filters/DashboardFilters.tsx'

// What is loaded when it is first asked for is there at once.
beforeAll(() => import('./cards/GraphCard.tsx'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const N = '/external-platform/7/analytics/groups'

function open(answers: Answers = {}, search = '') {
  const calls = stubServer({ 'GET /member/me': () => me(), ...analyticsAnswers(7), ...answers })
  const asked: URL[] = []
  const answer = fetch
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    asked.push(new URL(url, location.href))
    return answer(url, init)
  })
  const history = renderScreen(
    <>
      <DashboardFilters />
      <Analytics projectId="7" />
    </>,
    `/project/7/dashboard${search}`,
  )
  const askedOf = (graph: number) => asked.filter(({ pathname }) => pathname.endsWith(`/graph/${graph}/data`))
  return { calls, asked, askedOf, history }
}

const region = async (name: string) => within(await screen.findByRole('region', { name }))
const figure = (name: string) => screen.findByRole('figure', { name })

describe('the figures of a project', () => {
  it('stand in the groups of the server, each graph a figure with its sentence and when it was true', async () => {
    open()
    const numbers = await region('Numbers')
    const recent = await numbers.findByRole('link', { name: /^Payments in last 30 days/ })
    expect(recent.textContent).toContain('$84,112.00')
    expect(recent.textContent).toContain('12.5% more than in the 30 days before')
    expect(recent.getAttribute('href')).toBe('/project/7/payments/allPayments?paid=last_30_days')
    expect((await numbers.findByRole('link', { name: /^User attempted/ })).textContent).toBe(
      'User attempted in last 30 days790',
    )
    const chart = await figure('Payments in USD')
    expect(chart.textContent).toContain('$59.50 in total, highest 20 Nov: $49.00')
    await waitFor(() => expect(screen.getAllByText(/^as of 20 Nov 2026, 05:10:44$/)).toHaveLength(6))
    // Before any is moved, narrow cards are beside the first wide one, and lists last.
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Numbers',
      'Transaction Summary',
      'Deposit Distribution',
      'Operations',
      'Paying User Summary',
      'Recent Transactions',
    ])
  })

  it('lead to the payments behind each bar and part, by keyboard too', async () => {
    const { history } = open()
    await figure('Payments in USD')
    const part = await screen.findByRole('link', { name: /USDC.*100\.0%.*\$59\.50/ })
    expect(part.getAttribute('href')).toBe('/project/7/payments/allPayments?paid=2026-11-19..2026-11-20&asset=USDC')
    const chart = screen.getByRole('application', { name: 'Payments in USD' })
    chart.focus()
    await userEvent.keyboard('{End}{Enter}')
    await waitFor(() => expect(history.location.pathname).toBe('/project/7/payments/allPayments'))
    expect(history.location.search).toBe('?paid=2026-11-20')
  })

  it('are asked for with the filters of the address, and the choice goes there', async () => {
    const { askedOf, history } = open({}, '?date=yesterday&asset=ETH&by2=network&compare=previous')
    await figure('Payments in USD')
    // The course below the number of 30 days is asked for too.
    const wanted = askedOf(7).find(({ search }) => search.includes('yesterday'))
    expect(Object.fromEntries(wanted?.searchParams ?? [])).toEqual({
      analytics_date_filter: 'yesterday',
      timezone: 'UTC',
      currency_codes: 'ETH',
      group_by_network_currency_filter: 'blockchain_code',
      compare: 'previous',
    })
    // A number is read once, by the operator's days: "the last 30" begin where those of the list of payments do.
    expect(askedOf(1).map(({ search }) => search)).toEqual(['?timezone=UTC'])
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Date range' }), 'last_7_days')
    await waitFor(() => expect(history.location.search).toContain('date=last_7_days'))
    await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
    await waitFor(() => expect(history.location.search).toBe('?by2=network'))
  })

  it('are divided as this operator chose it last, unless the address says otherwise', async () => {
    const value = '{"code":"blockchain_code"}'
    const groups = analyticsGroups()
    const { calls, askedOf, history } = open({
      [`GET ${N}`]: () =>
        groups.map((group) => ({
          ...group,
          analyticsGroup: {
            ...group.analyticsGroup,
            filters: group.analyticsGroup.filters.map((one) => (one.id === 2 ? { ...one, value } : one)),
          },
        })),
      [`PUT ${N}/2`]: () => groups[1],
    })
    await figure('Payments in USD')
    const last = () => askedOf(8).at(-1)?.searchParams.get('group_by_network_currency_filter')
    expect(last()).toBe('blockchain_code')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Transaction Summary by' }), 'Asset')
    await waitFor(() => expect(last()).toBe('currency_code'))
    expect(history.location.search).toBe('?by2=asset')
    await waitFor(() =>
      expect(calls.filter(({ method }) => method === 'PUT')).toEqual([
        {
          method: 'PUT',
          path: `${N}/2`,
          body: { customFilters: [{ filterID: 2, value: '{"code":"currency_code"}' }] },
        },
      ]),
    )
  })

  it('say how old they are, and are read again at a press', async () => {
    const { askedOf } = open()
    await figure('Payments in USD')
    const asked = askedOf(8).length
    await userEvent.click(await screen.findByRole('button', { name: 'Read the figures again' }))
    await waitFor(() => expect(askedOf(8).length).toBe(asked + 1))
  })

  it('show a table of what the file holds', async () => {
    open()
    const chart = within(await figure('Payments in USD'))
    await userEvent.click(chart.getByRole('button', { name: 'View Payments in USD as table' }))
    expect(chart.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'TimeUSDC (USD)',
      'Thursday, 19 November 2026$10.50',
      'Friday, 20 November 2026$49.00',
    ])
    let saved: Blob | undefined
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => ((saved = file as Blob), 'blob:x'))
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    await userEvent.click(chart.getByRole('button', { name: 'Export Payments in USD as CSV' }))
    expect(await saved?.text()).toBe(
      'From (UTC),Until (UTC),USDC (USD)\r\n2026-11-19T00:00:00Z,2026-11-20T00:00:00Z,10.5\r\n2026-11-20T00:00:00Z,2026-11-21T00:00:00Z,49\r\n',
    )
  })
})

describe('a card in trouble', () => {
  it('says so alone, comes again at a press, and the page counts it', async () => {
    let isDown = true
    open(
      analyticsAnswers(7, {
        9: () =>
          isDown
            ? refusal(503, 'SERVICE_UNAVAILABLE', 'The database does not answer.')
            : graphAnswer(9, 'pie_with_info_graph'),
      }),
    )
    const card = await region('Deposit Distribution')
    expect((await card.findByRole('alert')).textContent).toContain('The database does not answer.')
    expect(screen.getByText('1 of 15 cards couldn’t be loaded.')).toBeDefined()
    await figure('Payments in USD')
    isDown = false
    await userEvent.click(card.getByRole('button', { name: 'Try again' }))
    expect(await card.findByRole('link', { name: /USDC/ })).toBeDefined()
    await waitFor(() => expect(screen.queryByText(/cards couldn’t be loaded/)).toBeNull())
  })

  it('loads again after a rate limit, and says so meanwhile', async () => {
    let times = 0
    const limited = () =>
      Response.json(
        { error: { code: 'RATE_LIMITED', message: 'Too many requests.' } },
        { status: 429, headers: { 'Retry-After': '1' } },
      )
    open(analyticsAnswers(7, { 7: () => ((times += 1), times === 1 ? limited() : graphAnswer(7, 'bar_graph')) }))
    expect(await screen.findByText(/This card is read again in a moment/)).toBeDefined()
    expect((await figure('Payments in USD')).textContent).toContain('$59.50 in total')
    expect(times).toBe(2)
  })

  it('has nothing to show, or counts its past still, or is of a newer server', async () => {
    open(
      analyticsAnswers(7, {
        7: () => graphAnswer(7, 'bar_graph', { data: [], countedPercent: 40 }),
        9: () => graphAnswer(9, 'pie_with_info_graph', { data: [] }),
        13: () => graphAnswer(13, 'number_graph', { data: [] }),
      }),
    )
    expect((await figure('Payments in USD')).textContent).toContain('No payments in this period.')
    expect(await screen.findByText('Nothing received yet.')).toBeDefined()
    const creates = await screen.findAllByRole('link', { name: 'Create link' })
    expect(creates.map((link) => link.getAttribute('href'))).toContain('/project/7/payments/createPaymentLink')
    expect(await screen.findByText(/as of .* · counting what was paid before, 40%/)).toBeDefined()
  })

  it('cannot be drawn when the groups are not known, until they are', async () => {
    let isDown = true
    open({ [`GET ${N}`]: () => (isDown ? refusal(503, 'SERVICE_UNAVAILABLE', 'Not now.') : analyticsGroups()) })
    await screen.findByText('The figures couldn’t be loaded')
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await region('Numbers')).toBeDefined()
  })
})

describe('the order of groups', () => {
  it('is the operator’s own: hidden, shown again, moved', async () => {
    const { calls } = open({
      [`PUT ${N}/6`]: () => analyticsGroups({ 6: { visible: false } })[5],
      ...Object.fromEntries([1, 2, 3, 4, 5].map((id) => [`PUT ${N}/${id}`, () => analyticsGroups()[id - 1]])),
    })
    const menu = async (group: string, item: string) => {
      await userEvent.click(await screen.findByRole('button', { name: `Arrange ${group}` }))
      const entries = screen.getAllByRole('menuitem', { name: item, hidden: true })
      const own = entries.find((entry) => entry.closest('[popover]')?.querySelector(`[aria-label="Arrange ${group}"]`))
      await userEvent.click(own ?? document.body)
    }
    await menu('Operations', 'Hide')
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true))
    expect(calls.filter(({ method }) => method === 'PUT')).toEqual([
      { method: 'PUT', path: `${N}/6`, body: { visible: false } },
    ])
    await menu('Deposit Distribution', 'Move up')
    await waitFor(() => expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(7))
    const said = calls.filter(({ method }) => method === 'PUT').slice(1)
    expect(said.map(({ path, body }) => [path.slice(N.length + 1), body])).toEqual([
      ['1', { sequence: 11 }],
      ['3', { sequence: 12 }],
      ['2', { sequence: 13 }],
      ['6', { sequence: 14 }],
      ['4', { sequence: 15 }],
      ['5', { sequence: 16 }],
    ])
  })
})

describe('recent transactions', () => {
  it('lead to their payment over this page, one without a payment to where it is decided', async () => {
    const reference = '0192a1b2-0000-7000-8000-000000000001'
    const data = [depositRow(reference), depositRow(null, 'Unmatched')]
    open(analyticsAnswers(7, { 12: () => graphAnswer(12, 'table_graph', { data }) }))
    const table = within(await screen.findByRole('table', { name: 'Recent Transactions' }))
    await table.findByText('Credited')
    expect(table.getByText('Unmatched')).toBeDefined()
    const links = table.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links).toContain(`/project/7/dashboard?open=${reference}`)
    expect(links).toContain('/project/7/payments/allPayments?view=unmatched')
  })
})
