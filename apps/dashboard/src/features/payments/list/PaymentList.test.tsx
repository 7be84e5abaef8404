import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../../testing/answers.ts'
import { bulkServer } from '../../../testing/bulk-jobs.ts'
import { paymentDetail, paymentRow, reference, wireDetail, wirePage } from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { stubServer } from '../../../testing/stub-server.ts'
import type { Answers } from '../../../testing/stub-server.ts'
import { AllPayments } from '../AllPayments.tsx'

const SUMMARY = { totalCount: 3, closedCount: 1, openCount: 2, cancelledCount: 0 }
const LIST = '/project/7/payments/allPayments'
const PAYMENT = '/external-platform/7/payment'
const NO_DEPOSITS = { data: [], total: 0, limit: 50, offset: 0, nextCursor: null }

const row = (digit: number, more: Partial<PaymentRow> = {}) =>
  paymentRow({ id: digit, referenceId: reference(digit), email: `${digit}@example.com`, ...more })
const paid = row(3, { paymentStatus: 'FILLED', fundingState: 'confirmed' })

beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1200
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function open(
  rows: () => readonly PaymentRow[],
  { query = '', answers = {}, role = 'root' }: { query?: string; answers?: Answers; role?: string } = {},
) {
  const calls = stubServer({
    'GET /member/me': () => me(role),
    [`GET ${PAYMENT}/summary`]: () => SUMMARY,
    [`POST ${PAYMENT}/search`]: () => wirePage(rows()),
    'GET /project/7/deposits': () => NO_DEPOSITS,
    'GET /external-platform/7/missed-deposit': () => NO_DEPOSITS,
    ...answers,
  })
  const history = renderScreen(<AllPayments projectId="7" onListed={() => undefined} />, LIST + query)
  return { calls, history }
}

// Panels and menus are closed where the platform opens them: what is in them counts as hidden.
const HIDDEN = { hidden: true } as const
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const choose = async (name: string) => userEvent.click(await screen.findByRole('menuitem', { name, ...HIDDEN }))
const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent)
const shown = () => screen.getAllByRole('link', { name: '$49.00' }).map((link) => link.dataset.row)

describe('the columns of payments', () => {
  it('are chosen by the operator and kept on this device', async () => {
    open(() => [paid])
    await screen.findByRole('columnheader', { name: 'Webhook' })
    await press('Columns')
    const panel = within(screen.getByRole('dialog', { name: 'Columns', ...HIDDEN }))
    await userEvent.click(panel.getByRole('checkbox', { name: 'Webhook', ...HIDDEN }))
    await userEvent.click(panel.getByRole('checkbox', { name: 'Project', ...HIDDEN }))
    await userEvent.click(panel.getByRole('button', { name: 'Move Status up', ...HIDDEN }))
    const expected = ['Status', 'Amount in USD', 'Customer', 'Asset', 'Created', 'Credited in USD', 'Project']
    await expect.poll(heads).toEqual(expected)
    cleanup()
    open(() => [paid])
    await screen.findByRole('columnheader', { name: 'Project' })
    expect(heads()).toEqual(expected)
  })

  it('leave compact rows compact', async () => {
    open(() => [paid])
    const button = await screen.findByRole('button', { name: 'Compact rows' })
    expect(button.getAttribute('aria-pressed')).toBe('false')
    await userEvent.click(button)
    expect(screen.getByRole('button', { name: 'Compact rows' }).getAttribute('aria-pressed')).toBe('true')
  })
})

describe('the menu of a payment in the list', () => {
  it('opens it, and copies its link and its reference', async () => {
    const copied: string[] = []
    vi.stubGlobal('ClipboardItem', undefined)
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text))
    const detail = {
      [`GET ${PAYMENT}/${reference(3)}`]: () => wireDetail(paymentDetail({ referenceID: reference(3) })),
    }
    const { history } = open(() => [paid], { answers: detail })
    await press(/^Actions for payment/)
    await choose('Copy payment link')
    expect(await screen.findByText('Payment link Copied!')).toBeDefined()
    await choose('Copy reference')
    expect(await screen.findByText('Reference Copied!')).toBeDefined()
    expect(copied).toEqual([paymentDetail().url, reference(3)])
    await choose('Open')
    expect(history.location.search).toBe(`?open=${reference(3)}`)
  })

  it('sends its webhook again', async () => {
    const answers = { [`POST ${PAYMENT}/${reference(3)}/resend-webhook`]: () => ({ deliveries: [] }) }
    const { calls } = open(() => [paid], { answers })
    await press(/^Actions for payment/)
    await choose('Resend webhook')
    expect(await screen.findByText(/^Nothing was sent: no active endpoint/)).toBeDefined()
    expect(calls.filter(({ path }) => path.endsWith('/resend-webhook'))).toHaveLength(1)
  })

  it('cancels an open link after asking', async () => {
    const answers = { [`POST ${PAYMENT}/${reference(1)}/cancel`]: () => wireDetail(paymentDetail()) }
    const { calls } = open(() => [row(1)], { answers })
    await press(/^Actions for payment/)
    await choose('Cancel link')
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this link?' }))
    expect(dialog.getByText(/of \$49\.00 for 1@example\.com can no longer be paid/)).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel link' }))
    expect(await screen.findByText('The link is cancelled.')).toBeDefined()
    expect(calls.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(1)
  })

  it('says why a link cannot be cancelled, and leaves out what the operator may not do', async () => {
    open(() => [paid])
    await press(/^Actions for payment/)
    const item = await screen.findByRole('menuitem', { name: /Cancel link/, ...HIDDEN })
    expect(item.textContent).toContain('It is paid already.')
    cleanup()
    open(() => [paid], { role: 'auditor' })
    await press(/^Actions for payment/)
    expect(screen.queryByRole('menuitem', { name: /Cancel link|Resend/, ...HIDDEN })).toBeNull()
  })
})

describe('views of the list', () => {
  const tab = (name: string) => screen.findByRole('link', { name })
  const confirm = (dialog: string) =>
    userEvent.click(within(screen.getByRole('dialog', { name: dialog })).getByRole('button', { name: 'Save view' }))

  it('mark a change, are saved under a name, renamed and deleted', async () => {
    const { history } = open(() => [paid], { query: '?amount=10..&created=today' })
    expect((await tab('All*')).getAttribute('aria-current')).toBe('page')
    await press('Save view')
    expect(screen.getByLabelText('Name').getAttribute('aria-required')).toBe('true')
    await userEvent.type(screen.getByLabelText('Name'), 'Ten and more')
    await confirm('Save view')
    expect((await tab('Ten and more')).getAttribute('aria-current')).toBe('page')
    expect(history.location.search).toMatch(/^\?view=[^&]+&amount=10\.\.$/)

    await choose('Rename')
    const name = screen.getByLabelText('Name')
    await userEvent.clear(name)
    await userEvent.type(name, 'late')
    await confirm('Rename view')
    expect(screen.getByText('There is a view of this name. Choose another one.')).toBeDefined()
    await userEvent.clear(name)
    await userEvent.type(name, 'Tens')
    await confirm('Rename view')
    await userEvent.click(await tab('All'))
    await userEvent.click(await tab('Tens'))
    expect(history.location.search).toMatch(/amount=10\.\.$/)

    await choose('Delete view')
    await waitFor(() => expect(screen.queryByRole('link', { name: /Tens/ })).toBeNull())
    expect(history.location.search).toBe('?amount=10..')
  })

  it('are not asked about before they have their name, which is typed again in a breath', async () => {
    open(() => [paid], { query: '?amount=10..' })
    await press('Save view')
    await userEvent.type(screen.getByLabelText('Name'), 'Ten{Escape}')
    expect(screen.queryByRole('dialog', { name: /^Save view$|^Discard/ })).toBeNull()
  })

  it('keep what was changed and not saved when they get another name', async () => {
    open(() => [paid], { query: '?status=CANCELLED' })
    await press('Save view')
    await userEvent.type(screen.getByLabelText('Name'), 'Ended')
    await confirm('Save view')
    await press('Compact rows')
    await choose('Rename')
    await userEvent.type(screen.getByLabelText('Name'), ' ones')
    await confirm('Rename view')
    expect(await tab('Ended ones*')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Compact rows' }).getAttribute('aria-pressed')).toBe('true')
  })

  it('keep columns, and tell when they differ from what was saved', async () => {
    open(() => [paid], { query: '?status=CANCELLED' })
    await press('Save view')
    await userEvent.type(screen.getByLabelText('Name'), 'Ended')
    await confirm('Save view')
    await press('Compact rows')
    expect(await tab('Ended*')).toBeDefined()
    await choose('Save changes')
    expect(await tab('Ended')).toBeDefined()
    await userEvent.click(await tab('All'))
    expect((await screen.findByRole('button', { name: 'Compact rows' })).getAttribute('aria-pressed')).toBe('false')
  })
})

describe('several payments at once', () => {
  const pickAll = async () => userEvent.click(await screen.findByRole('checkbox', { name: /^Select all/ }))

  it('cancels the open ones, and says of each what became of it', async () => {
    const refused = { errorCode: 'PAYMENT_HAS_FUNDS', error: 'Money has already been seen for this payment.' }
    const server = bulkServer(({ line }) => (line === 2 ? refused : { result: {} }))
    open(() => [row(1), row(2), paid], { answers: server.answers })
    await pickAll()
    expect(screen.getByText('3 selected')).toBeDefined()
    await press('Cancel open')
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel open links' }))
    expect(dialog.getByText('2 links can no longer be paid.')).toBeDefined()
    expect(dialog.getByText('1 other is left out: ended already, or money was seen.')).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel 2 links' }))
    await waitFor(() => expect(dialog.getByText('1 done, 1 refused')).toBeDefined())
    const results = await dialog.findAllByRole('listitem')
    expect(results.map((result) => result.textContent)).toEqual([
      '$49.00 · 1@example.comCancelled',
      '$49.00 · 2@example.comMoney has already been seen for this payment.',
    ])
    expect(server.sent).toMatchObject([{ action: 'payment.cancel', rows: [{ line: 1 }, { line: 2 }] }])
  })

  it('sends webhooks again while the dialog is closed, and can be stopped from the list', async () => {
    const server = bulkServer(() => ({ result: { endpoints: 1 } }))
    server.isHeld = true
    open(() => [row(1), row(2)], { answers: server.answers })
    await pickAll()
    await press('Resend webhooks')
    await press('Resend 2')
    expect(await screen.findByText('0 done of 2')).toBeDefined()
    await press('Close')
    const jobs = within(await screen.findByRole('list', { name: 'Under way' }))
    expect(jobs.getByText('0 of 2 done')).toBeDefined()
    await userEvent.click(jobs.getByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(screen.queryByText('0 of 2 done')).toBeNull())
    expect(server.sent).toHaveLength(1)
  })

  it('saves those picked as a file', async () => {
    let blob = new Blob([])
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      blob = file as Blob
      return 'blob:selected'
    })
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    open(() => [row(1, { email: '=1+1@example.com' }), row(2)])
    await userEvent.click((await screen.findAllByRole('checkbox', { name: /^Select payment/ }))[0] as HTMLElement)
    await userEvent.click(
      within(screen.getByRole('region', { name: 'Selected rows' })).getByRole('button', { name: 'Export' }),
    )
    // The columns of the table, in its order, with what its cells show beside them.
    expect((await blob.text()).split('\r\n')).toEqual([
      'amountInUSD,paymentStatus,email,customerID,currency,network,createdAt,filledAmountInUSD,webhookStatus',
      "49.00,OPEN,'=1+1@example.com,1001,,,2026-11-20T05:10:44Z,,",
      '',
    ])
  })

  it('clears the selection when the list changes', async () => {
    open(() => [row(1), row(2)])
    await pickAll()
    await userEvent.click(screen.getByRole('link', { name: 'Late' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull())
  })
})

describe('payments that come while the list is read', () => {
  it('wait behind a pill and push nothing; what is shown changes in place', async () => {
    let rows: readonly PaymentRow[] = [row(2), row(1)]
    open(() => rows, { answers: { [`POST ${PAYMENT}/${reference(2)}/resend-webhook`]: () => ({ deliveries: [] }) } })
    await screen.findAllByRole('link', { name: '$49.00' })
    rows = [row(4), paid, row(2, { paymentStatus: 'CANCELLED', cancelReason: 'merchant' })]
    // Any act on a payment has the list read again, as a live event does.
    await userEvent.click((await screen.findAllByRole('button', { name: /^Actions for payment/ }))[0] as HTMLElement)
    await choose('Resend webhook')
    const pill = await screen.findByRole('button', { name: '2 new payments' })
    expect(shown()).toEqual([reference(2), reference(1)])
    expect(screen.getByRole('row', { name: /2@example\.com/ }).textContent).toContain('Cancelled')
    await userEvent.click(pill)
    expect(shown()).toEqual([reference(4), reference(3), reference(2)])
    expect(screen.queryByRole('button', { name: /new payment/ })).toBeNull()
  })
})
