import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, project } from '../../../testing/answers.ts'
import { bulkServer } from '../../../testing/bulk-jobs.ts'
import type { BulkServer } from '../../../testing/bulk-jobs.ts'
import { paymentRow, reference, wirePage } from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import type { Answers, SentCall } from '../../../testing/stub-server.ts'
import { AllPayments } from '../AllPayments.tsx'

const paymentsOf = (projectId: string) => `/external-platform/${projectId}/payment`
const PAYMENT = paymentsOf('7')
const NO_DEPOSITS = { data: [], total: 0, limit: 50, offset: 0, nextCursor: null }

const row = (digit: number, more: Partial<PaymentRow> = {}) =>
  paymentRow({ id: digit, referenceId: reference(digit), email: `${digit}@example.com`, ...more })

beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1200
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

type Asked = {
  readonly limit?: number
  readonly paymentStatus?: readonly string[]
  readonly externalPlatformIds?: readonly string[]
}
/** What a filter for open links lets through. */
const FOUND = [1, 2, 3].map((digit) => ({ referenceID: reference(digit) }))

const askedOf = ({ body }: SentCall) => body as Asked

/** A list of two pages, of which three payments are open. */
function open({
  answers = {},
  query = '',
  total = 4,
  server = bulkServer(() => ({ result: {} }), { found: FOUND }),
  projectId = '7',
}: { answers?: Answers; query?: string; total?: number; server?: BulkServer; projectId?: string } = {}) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    [`GET ${paymentsOf(projectId)}/summary`]: () => ({
      totalCount: total,
      closedCount: 0,
      openCount: total,
      cancelledCount: 0,
    }),
    [`POST ${paymentsOf(projectId)}/search`]: (call) => {
      const isCount = askedOf(call).limit === 1
      const totalCount = isCount && askedOf(call).paymentStatus !== undefined ? FOUND.length : total
      return wirePage([row(1), row(2)], { totalCount, nextCursor: 'second' })
    },
    [`GET /project/${projectId}/deposits`]: () => NO_DEPOSITS,
    [`GET /external-platform/${projectId}/missed-deposit`]: () => NO_DEPOSITS,
    ...server.answers,
    ...answers,
  })
  const list = <AllPayments projectId={projectId} onListed={() => undefined} />
  renderScreen(list, `/project/${projectId}/payments/allPayments${query}`)
  const counted = () => calls.filter((call) => call.path.endsWith('/search') && askedOf(call).limit === 1)
  return { server, counted }
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const bar = () => within(screen.getByRole('region', { name: 'Selected rows' }))

async function pickWhole(total = '4') {
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all 2 on this page' }))
  await press(`Select all ${total} that match`)
}

describe('all payments that match', () => {
  it('are selected after those of the page, and deselected one by one', async () => {
    open()
    await userEvent.click(await screen.findByRole('checkbox', { name: /^Select payment.*0001$/ }))
    expect(screen.queryByRole('button', { name: /that match$/ })).toBeNull()
    await pickWhole()
    expect(bar().getByRole('status').textContent).toBe('All 4 that match are selected')
    await userEvent.click(screen.getByRole('checkbox', { name: /^Select payment.*0001$/ }))
    expect(bar().getByRole('status').textContent).toBe('1 selected')
  })

  it('are counted, and those that are open cancelled by the server', async () => {
    // The order of the list is none of the filter: the server would refuse it.
    const { server, counted } = open({ query: '?amount=10..&sortBy=email&sortDirection=ASC' })
    await pickWhole()
    await press('Cancel open')
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel open links' }))
    expect(await dialog.findByText('3 links can no longer be paid.')).toBeDefined()
    expect(dialog.getByText('What else matches is left out: ended already, or money was seen.')).toBeDefined()
    const filter = { amountMin: '10', paymentStatus: ['OPEN'] }
    expect(counted().map(askedOf).at(-1)).toMatchObject({ ...filter, limit: 1 })
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel 3 links' }))
    expect(await dialog.findByText('3 done')).toBeDefined()
    expect(server.sent).toEqual([{ action: 'payment.cancel', filter }])
    expect(screen.queryByRole('button', { name: /^Go on/ })).toBeNull()
  })

  it('say which of them were refused', async () => {
    const refused = { errorCode: 'PAYMENT_HAS_FUNDS', error: 'Money has already been seen for this payment.' }
    const fate = ({ line }: { line: number }) => (line === 2 ? refused : { result: {} })
    open({ server: bulkServer(fate, { found: FOUND }) })
    await pickWhole()
    await press('Cancel open')
    await press('Cancel 3 links')
    expect(await screen.findByText('2 done, 1 refused')).toBeDefined()
    const lines = within(screen.getByRole('list', { name: 'Results' })).getAllByRole('listitem')
    expect(lines.map((line) => line.textContent)).toEqual([expect.stringContaining(refused.error)])
  })

  it('are processed while another page is open, and stopped when this one opens again', async () => {
    const { server } = open()
    server.isHeld = true
    await pickWhole()
    await press('Cancel open')
    await press('Cancel 3 links')
    expect(await screen.findByText('0 done of 3')).toBeDefined()
    expect(screen.getByText('The server does it. You may close this; it goes on.')).toBeDefined()
    const dialog = within(screen.getByRole('dialog', { name: 'Cancel open links' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Stop' }))
    expect(await screen.findByText('Stopped: 0 done of 3')).toBeDefined()
    server.isHeld = false
    await press('Go on with 3')
    expect(await screen.findByText('3 done')).toBeDefined()
  })

  it('say why nothing can be started', async () => {
    const limit = () => refusal(409, 'BULK_JOB_LIMIT', 'This project has 3 bulk jobs under way.')
    open({ answers: { 'POST /external-platform/7/bulk-job': limit } })
    await pickWhole()
    await press('Cancel open')
    await press('Cancel 3 links')
    expect(await screen.findByText('This project has 3 bulk jobs under way.')).toBeDefined()
  })

  it('say that they cannot be counted, and are tried again', async () => {
    let isDown = true
    const search = (call: SentCall) =>
      isDown && askedOf(call).limit === 1
        ? refusal(503, 'SERVICE_UNAVAILABLE', 'Back in a minute.')
        : wirePage([row(1), row(2)], { totalCount: 4, nextCursor: null })
    open({ answers: { [`POST ${PAYMENT}/search`]: search } })
    await pickWhole()
    await press('Resend webhooks')
    const dialog = within(screen.getByRole('dialog', { name: 'Resend webhooks' }))
    expect(await dialog.findByText('Back in a minute.')).toBeDefined()
    isDown = false
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('button', { name: 'Resend 4' })).toBeDefined()
  })

  it('are saved as the server writes them, in the columns of the table', async () => {
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:whole')
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    open({ answers: { [`GET ${PAYMENT}/export`]: () => new Response('amountInUSD\r\n') }, query: '?status=OPEN' })
    const fetched = vi.spyOn(globalThis, 'fetch')
    await pickWhole()
    await userEvent.click(bar().getByRole('button', { name: 'Export' }))
    expect(await screen.findByText('The export is saved.')).toBeDefined()
    const urls = fetched.mock.calls.map(([url]) => (typeof url === 'string' ? url : ''))
    const { searchParams } = new URL(urls.find((url) => url.includes('/export')) ?? '')
    expect(searchParams.getAll('paymentStatus')).toEqual(['OPEN'])
    expect(searchParams.getAll('columns').slice(0, 2)).toEqual(['amountInUSD', 'paymentStatus'])
  })

  it('say how many of very many one job takes', async () => {
    const search = () => wirePage([row(1), row(2)], { totalCount: 12_408, nextCursor: 'second' })
    open({ answers: { [`POST ${PAYMENT}/search`]: search }, total: 12_408 })
    await pickWhole('12,408')
    expect(bar().getByText('Resending, resolving and cancelling take at most 10,000 at once.')).toBeDefined()
    await press('Cancel open')
    expect(await screen.findByText('10,000 links can no longer be paid.')).toBeDefined()
    expect(screen.getByText(/^Only the first 10,000 are taken at once/)).toBeDefined()
  })
})

describe('payments of the page that are picked', () => {
  it('are sent by name with a key of this press, and say one by one what became of them', async () => {
    const refused = { errorCode: 'WEBHOOK_NOT_FOUND', error: 'No such webhook.' }
    const fate = ({ line }: { line: number }) => (line === 2 ? refused : { result: { endpoints: 2 } })
    const { server } = open({ server: bulkServer(fate) })
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all 2 on this page' }))
    await press('Resend webhooks')
    await press('Resend 2')
    expect(await screen.findByText('1 done, 1 refused')).toBeDefined()
    const lines = within(screen.getByRole('list', { name: 'Results' })).getAllByRole('listitem')
    expect(lines.map((line) => line.textContent)).toEqual([
      expect.stringContaining('Sent to 2 endpoints'),
      expect.stringContaining('No such webhook.'),
    ])
    const [job] = server.sent
    expect(job?.rows?.map(({ input }) => input)).toEqual([1, 2].map((digit) => ({ referenceID: reference(digit) })))
    expect(new Set(job?.rows?.map(({ key }) => key)).size).toBe(2)
  })
})

describe('payments of several projects', () => {
  it('are one job for each, counted together', async () => {
    const fate = () => ({ result: {} })
    const [acme, nordlicht] = [bulkServer(fate), bulkServer(fate, { projectId: 8 })]
    const rows = [row(1), row(2, { externalPlatformID: 8 })]
    open({ server: acme, answers: { ...nordlicht.answers, [`POST ${PAYMENT}/search`]: () => wirePage(rows) } })
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all 2 on this page' }))
    await press('Cancel open')
    await press('Cancel 2 links')
    expect(await screen.findByText('2 done')).toBeDefined()
    const sentTo = ({ sent }: BulkServer) => sent.map(({ rows: jobRows }) => jobRows?.map(({ input }) => input))
    expect(sentTo(acme)).toEqual([[{ referenceID: reference(1) }]])
    expect(sentTo(nordlicht)).toEqual([[{ referenceID: reference(2) }]])
  })
})

describe('all that match in some projects of a list of all', () => {
  const projects = {
    'GET /external-platform/all': () => [project(7, 'Acme'), project(8, 'Beta')],
    'GET /external-platform/details': () => [],
  }

  it('are counted and cancelled in these alone', async () => {
    const beta = bulkServer(() => ({ result: {} }), { projectId: 8, found: FOUND })
    const { counted } = open({ projectId: 'all', query: '?project=8', server: beta, answers: projects })
    await pickWhole()
    await press('Cancel open')
    await press('Cancel 3 links')
    expect(await screen.findByText('3 done')).toBeDefined()
    const asked = counted().map(askedOf)
    expect(asked.find(({ paymentStatus }) => paymentStatus?.includes('OPEN'))?.externalPlatformIds).toEqual(['8'])
  })

  it('are none where the operator may not cancel there, however many match elsewhere', async () => {
    const permissions = {
      install: [],
      projects: { 7: ['payment:read', 'payment:cancel', 'project:read'], 8: ['payment:read', 'project:read'] },
    }
    open({
      projectId: 'all',
      query: '?project=8',
      answers: { ...projects, 'GET /member/me': () => ({ ...me(), permissions }) },
    })
    await pickWhole()
    const button = bar().getByRole<HTMLButtonElement>('button', { name: 'Cancel open' })
    await waitFor(() => expect(button.title).toBe('You may not do this in these projects.'))
    expect(button.getAttribute('aria-disabled')).toBe('true')
  })
})

describe('payments of a project the operator may only look at', () => {
  it('cannot be cancelled or resent, and the buttons say why', async () => {
    const permissions = { install: [], projects: { 7: ['payment:read', 'payment:cancel', 'webhook:resend'] } }
    const rows = [row(1, { externalPlatformID: 8 }), row(2)]
    open({
      answers: {
        'GET /member/me': () => ({ ...me(), permissions }),
        [`POST ${PAYMENT}/search`]: () => wirePage(rows),
      },
    })
    await userEvent.click(await screen.findByRole('checkbox', { name: /^Select payment.*0001$/ }))
    const button = (name: string) => bar().getByRole<HTMLButtonElement>('button', { name })
    expect(button('Cancel open').getAttribute('aria-disabled')).toBe('true')
    expect(button('Cancel open').title).toBe('1 open link is left out: you may not cancel links of its project.')
    expect(button('Resend webhooks').title).toBe('1 payment is left out: you may not resend webhooks of its project.')
    await userEvent.click(screen.getByRole('checkbox', { name: /^Select payment.*0002$/ }))
    expect(button('Cancel open').title).toBe('')
    await userEvent.click(button('Resend webhooks'))
    const dialog = within(screen.getByRole('dialog', { name: 'Resend webhooks' }))
    const said = [...(dialog.getByText(/^Your shop is notified again/).parentElement?.children ?? [])].map(
      (p) => p.textContent,
    )
    expect(said).toEqual([
      'Your shop is notified again of the state of 1 payment.',
      '1 payment is left out: you may not resend webhooks of its project.',
    ])
  })
})

describe('payments on a phone', () => {
  it('are picked by a finger that rests on a card, or by a button', async () => {
    window.innerWidth = 390
    open()
    const cards = within(await screen.findByRole('list', { name: 'All payments' }))
    const [card] = await cards.findAllByRole('listitem')
    expect(screen.queryByRole('checkbox')).toBeNull()
    fireEvent.pointerDown(card as HTMLElement, { pointerType: 'touch', isPrimary: true, clientX: 1, clientY: 1 })
    fireEvent.contextMenu(card as HTMLElement)
    expect(await screen.findByText('1 selected')).toBeDefined()
    await press('Select all 2 on this page')
    await press('Select all 4 that match')
    expect(bar().getByRole('status').textContent).toBe('All 4 that match are selected')
    await press('Done')
    await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull())
    await press('Select')
    expect(screen.getAllByRole('checkbox')).toHaveLength(2)
  })
})
