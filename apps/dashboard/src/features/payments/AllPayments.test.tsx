import { Deposit } from '@kassa/contract/deposits/schemas.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { encode } from 'zod/mini'

import { me } from '../../testing/answers.ts'
import { deposit, isCount, paymentRow, reference, wirePage } from '../../testing/payment-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../testing/stub-server.ts'
import type { SentCall } from '../../testing/stub-server.ts'
import { AllPayments } from './AllPayments.tsx'

const SUMMARY = { totalCount: 12_408, closedCount: 11_020, openCount: 96, cancelledCount: 1292 }

const paid = paymentRow({
  referenceId: reference(2),
  id: 2,
  paymentStatus: 'OVER_FILLED',
  fundingState: 'confirmed',
  currency: 'USDC',
  network: 'BASE',
  filledAmountInUSD: 49.51,
  webhookStatus: 'received',
  exact: { amountInUSD: '49.00', filledAmountInUSD: '49.51', amountDueInUSD: '0.00' },
})

function pageOf(deposits: readonly Deposit[]) {
  const data = deposits.map((one) => encode(Deposit, one))
  return { data, total: data.length, limit: 50, offset: 0, nextCursor: null }
}

type Answer = (call: SentCall) => unknown

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(
  search: Answer,
  { projectId = '7', query = '', onHold = [] as Deposit[], inNeed = (): number => 0 } = {},
) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    [`GET /external-platform/${projectId}/payment/summary`]: () => SUMMARY,
    [`POST /external-platform/${projectId}/payment/search`]: (call) =>
      isCount(call) ? wirePage([], { totalCount: inNeed() }) : search(call),
    [`GET /project/${projectId}/deposits`]: () => pageOf(onHold),
    [`GET /external-platform/${projectId}/missed-deposit`]: () => pageOf([]),
  })
  const onListed = vi.fn<(references: readonly string[]) => void>()
  const history = renderScreen(
    <AllPayments projectId={projectId} onListed={onListed} />,
    `/project/${projectId}/payments/allPayments${query}`,
  )
  const isSearch = (call: SentCall) => call.path.endsWith('/search') && !isCount(call)
  const searches = () => calls.filter(isSearch).map(({ body }) => body)
  return { history, onListed, searches }
}

describe('AllPayments', () => {
  it('draws the server’s columns, each payment with its state', async () => {
    const { onListed } = open(() => wirePage([paymentRow(), paid]))
    const table = await screen.findByRole('table', { name: 'All payments' })
    const heads = within(table).getAllByRole('columnheader')
    expect(heads.map((head) => head.textContent)).toEqual([
      'Amount in USD',
      'Status',
      'Customer',
      'Asset',
      'Created',
      'Credited in USD',
      'Webhook',
    ])
    const row = await within(table).findByRole('row', { name: /\$49\.00.*Overpaid.*Over by \$0\.51/ })
    // One pill: by how much stands beside it as text.
    expect(within(row).getByText('Over by $0.51').closest('[title]')).toBeNull()
    expect(within(row).getByText('Overpaid').getAttribute('title')).toBe('OVER_FILLED')
    expect(row.textContent).toContain('USDC on Base')
    expect(row.textContent).toContain('Delivered')
    expect(onListed).toHaveBeenLastCalledWith([reference(1), reference(2)])
  })

  it('says with one sign that nothing came, and has money at the end of its column', async () => {
    const exact = { amountInUSD: '49.00', filledAmountInUSD: '0.00', amountDueInUSD: '49.00' }
    open(() =>
      wirePage([paymentRow({ currency: 'USDC', network: 'BASE', exact }), paymentRow({ referenceId: reference(2) })]),
    )
    const rows = (await screen.findAllByRole('row', { name: /a@example\.com/ })).map((row) => within(row))
    for (const row of rows) expect(row.getAllByLabelText('None')).toHaveLength(2)
    for (const name of ['Amount in USD', 'Credited in USD']) {
      expect(screen.getByRole('columnheader', { name }).className).toContain('text-end')
    }
    expect(screen.getAllByRole('rowheader')[0]?.className).toContain('text-end')
  })

  it('opens a payment in the address of the list', async () => {
    const { history } = open(() => wirePage([paid]), { query: '?status=OVER_FILLED' })
    await userEvent.click(await screen.findByRole('link', { name: '$49.00' }))
    expect(history.location.search).toBe(`?status=OVER_FILLED&open=${reference(2)}`)
  })

  it('narrows by what the address says and asks the server for it', async () => {
    const { searches } = open(() => wirePage([paid]), { query: '?status=OVER_FILLED&amount=10..&asset=USDC' })
    expect(await screen.findByRole('button', { name: 'Status: Overpaid' })).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Remove Amount: at least $10.00' }))
    await waitFor(() => expect(searches().at(-1)).toEqual({ paymentStatus: ['OVER_FILLED'], currency: ['USDC'] }))
  })

  it('filters by a tile', async () => {
    open(() => wirePage([paid]))
    const tile = await screen.findByRole('link', { name: /^Paid or overpaid\s*11,020/ })
    expect(tile.getAttribute('href')).toBe('/project/7/payments/allPayments?status=FILLED%2COVER_FILLED')
  })

  it('sorts by a column the server can sort by', async () => {
    const { searches } = open(() => wirePage([paid]))
    await userEvent.click(await screen.findByRole('button', { name: 'Amount in USD' }))
    await waitFor(() => expect(searches().at(-1)).toEqual({ sortBy: 'amount_in_usd', sortDirection: 'DESC' }))
  })

  it('goes to older payments by the server’s cursor', async () => {
    const { history, searches } = open(() => wirePage([paid], { nextCursor: 'older-1', totalCount: 51 }))
    await userEvent.click(await screen.findByRole('button', { name: 'Older' }))
    expect(history.location.search).toBe('?cursor=older-1')
    await waitFor(() => expect(searches().at(-1)).toEqual({ cursor: 'older-1' }))
  })

  it('goes back to the start when a cursor is of another list', async () => {
    const lost = () => refusal(400, 'CURSOR_INVALID', 'This cursor does not belong to this list.')
    const { history } = open(({ body }) => (JSON.stringify(body) === '{}' ? wirePage([paid]) : lost()), {
      query: '?cursor=old',
    })
    expect(await screen.findByText('That page no longer exists; this is the start of the list.')).toBeDefined()
    expect(history.location.search).toBe('')
    expect(await screen.findByRole('row', { name: /Overpaid/ })).toBeDefined()
  })

  it('names the project where all are listed', async () => {
    open(() => wirePage([paid]), { projectId: 'all' })
    expect(await screen.findByRole('columnheader', { name: 'Project' })).toBeDefined()
  })

  it('says what to do when there is no payment yet', async () => {
    open(() => wirePage([]))
    expect(await screen.findByText('No payments yet')).toBeDefined()
    const [link] = screen.getAllByRole('link', { name: 'Create payment link' })
    expect(link?.getAttribute('href')).toBe('/project/7/payments/createPaymentLink')
  })

  it('says that there is nothing to export when nothing matches', async () => {
    open(() => wirePage([]), { query: '?query=abc' })
    await screen.findByText('No payment matches.')
    const button = screen.getByRole('button', { name: 'Export CSV' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(button.title).toBe('Nothing matches the filter.')
  })

  it('marks a payment some of whose money is on hold', async () => {
    open(() => wirePage([paid]), { onHold: [deposit({ status: 'quarantined', referenceID: reference(2) })] })
    const row = await screen.findByRole('row', { name: /\$49\.00.*Overpaid/ })
    expect(await within(row).findByText('On hold')).toBeDefined()
  })

  it('lists what a person should look at', async () => {
    const { searches } = open(() => wirePage([paid]), { inNeed: () => 1204 })
    const view = await screen.findByRole('link', { name: /^Needs attention\s*1,204$/ })
    await userEvent.click(view)
    await waitFor(() => expect(searches().at(-1)).toEqual({ paymentStatus: ['NEEDS_ATTENTION'] }))
    expect(screen.getByRole('button', { name: 'Status: Needs attention' })).toBeDefined()
    expect(view.getAttribute('aria-current')).toBe('page')
  })

  it.each([
    ['7', ['Amount in USD', 'Status', 'Customer']],
    ['all', ['Amount in USD', 'Status', 'Project', 'Customer']],
  ])('leaves out columns where there is no room for them, of project %s', async (projectId, shown) => {
    vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(1400)
    open(() => wirePage([paid]), { projectId })
    const heads = await screen.findAllByRole('columnheader')
    expect(heads.map((head) => head.textContent)).toEqual(shown)
    vi.restoreAllMocks()
  })

  it('says which part of the filter to drop when nothing matches', async () => {
    const { history } = open(() => wirePage([]), { query: '?query=abc&status=LATE' })
    await screen.findByText('No payment matches.')
    await userEvent.click(screen.getByRole('button', { name: 'Drop Status: Late' }))
    expect(history.location.search).toBe('?query=abc')
    expect(screen.getByRole('link', { name: 'Search all projects' }).getAttribute('href')).toContain('/project/all/')
  })

  it('keeps the filter and offers another try when the list cannot be loaded', async () => {
    let isDown = true
    open(() => (isDown ? refusal(500, 'INTERNAL_ERROR', 'Something broke on our side.') : wirePage([paid])))
    expect(await screen.findByText('All payments couldn’t be loaded')).toBeDefined()
    expect(screen.getByText('Something broke on our side.')).toBeDefined()
    expect(screen.getByRole('searchbox', { name: 'Search payments' })).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('row', { name: /Overpaid/ })).toBeDefined()
  })
})
