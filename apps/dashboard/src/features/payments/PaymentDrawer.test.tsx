import { withText } from '@kassa/contract/kit/reason.ts'
import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { DELIVERY_WAITS } from '@kassa/contract/webhooks/delivery-waits.ts'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, sandboxConfiguration } from '../../testing/answers.ts'
import { after, CHOSEN, deposit, paymentDetail, reference, wireDetail } from '../../testing/payment-answers.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../testing/stub-server.ts'
import type { Answers } from '../../testing/stub-server.ts'
import { PaymentDrawer } from './PaymentDrawer.tsx'

const DETAIL = `GET /external-platform/7/payment/${reference(1)}`
const CANCEL = `POST /external-platform/7/payment/${reference(1)}/cancel`

const delivered: PaymentDetail['deliveries'][number] = {
  id: 'evt_1',
  deliveryID: 9,
  webhookID: 3,
  event: 'payment.filled',
  sequence: 3,
  referenceID: reference(1),
  payoutID: null,
  status: 'received',
  attempt_count: 1,
  next_retry_at: null,
  waits: null,
  last_response_code: 200,
  last_error: null,
  createdAt: after(120),
  attempts: [{ at: after(121), code: 200, ms: 84, error: null, responseExcerpt: 'ok' }],
}

const line = { id: 88, at: after(119), asset: 'USDC' }

const paid = paymentDetail({
  ...CHOSEN,
  paymentState: 'FILLED',
  fundingState: 'confirmed',
  filledAmount: '49',
  filledAmountInUSD: '49.00',
  amountDue: '0',
  amountDueInUSD: '0.00',
  confirmationCurrent: 12,
  confirmationRequired: 12,
  transfers: [deposit()],
  timeline: [
    { at: after(0), event: 'payment.created', actor: 'key:2', data: {} },
    {
      at: after(60),
      event: 'payment.pinned',
      actor: 'payer',
      data: { currency: 'USDC', network: 'BASE', amount: '49' },
    },
    {
      at: after(100),
      event: 'payment.detected',
      actor: 'system',
      data: { payment_info: [{ transaction_hash: deposit().txHash }] },
    },
    { at: after(120), event: 'payment.filled', actor: 'system', data: { filled_amount: '49', currency: 'USDC' } },
  ],
  deliveries: [delivered],
  journal: [
    { ...line, account: 'chain:deposit-addresses', debit: '49', credit: null },
    { ...line, account: 'project:balance', debit: null, credit: '49' },
  ],
})

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(payment: PaymentDetail | undefined, { answers = {}, panel = '', listed = [] as string[] } = {}) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /external-platform/7/webhook': () => [],
    ...(payment && { [DETAIL]: () => wireDetail(payment) }),
    ...(answers as Answers),
  })
  const history = renderScreen(
    <PaymentDrawer projectId="7" reference={reference(1)} listed={listed} />,
    `/project/7/payments/allPayments?open=${reference(1)}${panel}`,
  )
  return { calls, history }
}

/** A list with a drawer over it while the address says so. */
function Listed() {
  const [{ open: opened }] = useSearchState()
  return (
    <>
      {[1, 2].map((digit) => (
        <a key={digit} href="/" data-row={reference(digit)}>
          row {digit}
        </a>
      ))}
      {opened !== undefined && <PaymentDrawer projectId="7" reference={opened} listed={[1, 2].map(reference)} />}
    </>
  )
}

describe('the focus when a drawer closes', () => {
  it('goes to the row of the payment that was shown last, however the drawer was opened', async () => {
    stubServer({
      'GET /member/me': () => me(),
      'GET /configuration/default': () => sandboxConfiguration,
      'GET /external-platform/7/webhook': () => [],
      [DETAIL]: () => wireDetail(paid),
      [`GET /external-platform/7/payment/${reference(2)}`]: () =>
        wireDetail(paymentDetail({ referenceID: reference(2) })),
    })
    renderScreen(<Listed />, `/project/7/payments/allPayments?open=${reference(1)}`)
    expect(await screen.findByRole('dialog', { name: 'Payment …000001' })).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Next' }))
    await screen.findByRole('dialog', { name: 'Payment …000002' })
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('row 2'))
  })
})

describe('PaymentDrawer', () => {
  it('tells the story of a payment, newest first', async () => {
    open(paid)
    const timeline = await screen.findByRole('list', { name: 'Timeline' })
    const lines = within(timeline).getAllByRole('listitem')
    expect(lines.map((entry) => entry.textContent.replace(/20 Nov 2026.*?UTC.*?Z/g, ''))).toEqual([
      expect.stringMatching(/^Webhook payment\.filled delivered.*answered 200 in 84 ms/),
      expect.stringMatching(/^Paid.*49\sUSDC/),
      expect.stringMatching(/^Transfer seen.*49\sUSDC.*9f3c…a01b/),
      expect.stringMatching(/^USDC on Base chosen.*49\sUSDC requested, rate locked · by the customer/),
      expect.stringMatching(/^Created.*by an API key/),
    ])
  })

  it('has one line for an event, for any number of endpoints and attempts', async () => {
    const refused = { at: after(130), code: 500, ms: 7, error: null, responseExcerpt: '' }
    const deliveries = [
      { ...delivered, attempts: [refused, ...delivered.attempts] },
      { ...delivered, deliveryID: 10, webhookID: 4, status: 'failed' as const, attempts: [refused, refused, refused] },
      { ...delivered, id: 'evt_2', deliveryID: 11, event: 'payment.over_filled' },
    ]
    open({ ...paid, deliveries })
    const timeline = await screen.findByRole('list', { name: 'Timeline' })
    const lines = within(timeline).getAllByText(/^Webhook /)
    expect(lines.map(({ textContent }) => textContent).toSorted()).toEqual([
      'Webhook payment.filled not delivered',
      'Webhook payment.over_filled delivered',
    ])
    const line = screen.getByText('Webhook payment.filled not delivered').closest('li')
    expect(line?.textContent).toMatch(/answered 200 in 84 ms · 2 tries; .*answered 500 in 7 ms · 3 tries/)
  })

  it('leaves the books to their own tab', async () => {
    open(paid)
    const timeline = await screen.findByRole('list', { name: 'Timeline' })
    expect(timeline.textContent).not.toContain('Ledger entry')
    expect(screen.getByRole('tab', { name: /^Ledger/ })).toBeDefined()
  })

  it('notes what came in tokens that are not listed, never under a listed name', async () => {
    const notice = {
      contract: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
      symbol: 'DAI',
      isLookAlike: false,
      amount: '12.5',
      blockchainCode: 'BASE',
      txHash: `0x${'ab'.repeat(32)}`,
      explorerTransaction: 'https://explorer.example/tx/1',
      minedAt: after(60),
    }
    const fake = { ...notice, symbol: null, isLookAlike: true, amount: '49', txHash: `0x${'cd'.repeat(32)}` }
    open(paymentDetail({ unlisted: [notice, fake] }))
    const notes = await screen.findByRole('region', { name: 'Tokens that are not listed' })
    expect(notes.textContent).toMatch(/12\.5\sDAI came on Base and does not count/)
    expect(notes.textContent).toContain('A token that imitates a listed currency came on Base and does not count')
    expect(notes.textContent).not.toMatch(/USDC|\b49\b/)
    const links = within(notes).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual(Array(2).fill('https://explorer.example/tx/1'))
  })

  it('leads from a transaction to its explorer, and copies its hash', async () => {
    const { txHash } = deposit()
    const explorerTransaction = `https://explorer.example/tx/${txHash}`
    const seen = { txHash, explorerTransaction, amount: '49', currencyCode: 'USDC', blockchainCode: 'BASE' }
    const facts = {
      state: 'counted',
      reason: null,
      confirmations: 12,
      waits: null,
      waitsBecause: null,
      seenAt: after(100),
    } as const
    open({ ...paid, deposits: [{ ...seen, ...facts }] })
    const timeline = within(await screen.findByRole('list', { name: 'Timeline' }))
    const link = timeline.getByRole('link', { name: /^9f3c…a01b/ })
    expect(link.getAttribute('href')).toBe(explorerTransaction)
    expect(timeline.getByRole('button', { name: 'Copy transaction hash' })).toBeDefined()
  })

  it('says “you” of what the reader did', async () => {
    open({ ...paid, timeline: [{ at: after(0), event: 'payment.created', actor: 'operator:1', data: {} }] })
    const timeline = await screen.findByRole('list', { name: 'Timeline' })
    await vi.waitFor(() => expect(timeline.textContent).toMatch(/Created.*by you/))
    expect(screen.getByText('created by you')).toBeDefined()
  })

  it('says “you” in the details as in the head, and else who it was', async () => {
    open({ ...paid, timeline: [{ at: after(0), event: 'payment.created', actor: 'operator:1', data: {} }] })
    const details = async () => {
      await userEvent.click(await screen.findByRole('tab', { name: 'Details' }))
      return (await screen.findByText('Created by')).parentElement
    }
    await vi.waitFor(async () => expect((await details())?.textContent).toContain('Created byYou'))
    cleanup()
    open({ ...paid, createdBy: 'user', timeline: [] })
    expect((await details())?.textContent).toContain('Created byAn operator')
    expect(screen.getByText('created by an operator')).toBeDefined()
  })

  it('tells of money of another currency, which is no event of the payment', async () => {
    const strange = deposit({
      id: 32,
      createdAt: after(110),
      currencyCode: 'USDT',
      amount: '12.5',
      status: 'unapplied',
      reason: 'wrong_asset',
      txHash: '0x77aa00000000000000000000000000000000000000000000000000000000c02d',
    })
    open({ ...paid, transfers: [deposit(), strange] })
    const lines = within(await screen.findByRole('list', { name: 'Timeline' })).getAllByRole('listitem')
    expect(lines[2]?.textContent).toMatch(
      /^Money of another currency arrived.*12\.5\sUSDT on Base · Doesn’t count by itself.*77aa…c02d/,
    )
    expect(lines[3]?.textContent).toMatch(/^Transfer seen/)
  })

  it('says of a webhook that waits what it waits for, and when it is tried again', async () => {
    const later = new Date(Date.now() + 300_000)
    const tried = { at: after(121), code: 500, ms: 5, error: null, responseExcerpt: '' }
    const waiting = { ...delivered, status: 'pending' as const, next_retry_at: later }
    const next = { code: 'next_try', params: { number: 2, most: 10 } } as const
    const behind = { code: 'earlier_first', params: { event: 'payment.detected' } } as const
    const waits = (cause: typeof next | typeof behind) => withText(DELIVERY_WAITS, cause)
    const deliveries = [
      { ...waiting, event: 'payment.detected', createdAt: after(101), attempts: [tried], waits: waits(next) },
      { ...waiting, deliveryID: 10, attempt_count: 0, attempts: [], waits: waits(behind) },
    ]
    open({ ...paid, deliveries }, { panel: '&panel=webhooks' })
    const [second, first] = within(await screen.findByRole('tabpanel', { name: /^Webhooks/ })).getAllByRole('listitem')
    expect(second?.textContent).toMatch(/payment\.filled.*Waiting.*payment\.detected of the same payment goes first/)
    expect(first?.textContent).toMatch(/payment\.detected.*Waiting.*Try 2 of 10 in \d minutes, at .*\d\d:\d\d:\d\d\./)
  })

  it('says what was asked, what came and what is still due', async () => {
    open({ ...paid, paymentState: 'PARTIALLY_FILLED', amountDue: '0.4', amountDueInUSD: '0.40', filledAmount: '48.6' })
    expect(await screen.findByText('Partly paid')).toBeDefined()
    expect(screen.getByText('Short by $0.40')).toBeDefined()
    expect(screen.getAllByText(/many exchanges take their fee/i)).toHaveLength(1)
    expect(screen.getByText('Credited').nextSibling?.textContent).toMatch(/^48\.6\sUSDC$/)
  })

  it('shows each transfer with its whole address and why it stands where it does', async () => {
    const late = deposit({ id: 32, status: 'unapplied', reason: 'late' })
    open({ ...paid, transfers: [deposit(), late] }, { panel: '&panel=deposits' })
    expect(await screen.findByText('Unmatched')).toBeDefined()
    expect(screen.getByText('Arrived after the payment had ended.')).toBeDefined()
    expect(screen.getByText('Credited', { selector: 'span' })).toBeDefined()
    expect(screen.getByRole('tabpanel').textContent).toContain('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
  })

  it.each([
    ['the journal balances', paid, 'Sum 0: balanced'],
    [
      'it does not',
      { ...paid, journal: paid.journal.slice(0, 1) },
      'Debits and credits differ. Report it to the operator of this server.',
    ],
  ])('says whether %s', async (_, payment, text) => {
    open(payment, { panel: '&panel=ledger' })
    expect(await screen.findByText(text)).toBeDefined()
  })

  it('cancels an open link after a confirmation, and keeps it without one', async () => {
    const ended = paymentDetail({ paymentState: 'CANCELLED', cancelReason: 'merchant' })
    const { calls } = open(paymentDetail(), { answers: { [CANCEL]: () => wireDetail(ended) } })
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Cancel link', hidden: true }))
    await userEvent.click(await screen.findByRole('button', { name: 'Keep link' }))
    expect(calls.some(({ path }) => path.endsWith('/cancel'))).toBe(false)
    await userEvent.click(screen.getByRole('menuitem', { name: 'Cancel link', hidden: true }))
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel link' }))
    expect(await screen.findByText('The link is cancelled.')).toBeDefined()
    expect(calls.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(1)
  })

  it('sends the reminder of an open link after asking, and says why it cannot be sent', async () => {
    const remind = `POST /external-platform/7/payment/${reference(1)}/remind`
    const { calls } = open(paymentDetail(), { answers: { [remind]: () => wireDetail(paymentDetail()) } })
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Send reminder', hidden: true }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Remind the customer?' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Send reminder' }))
    expect(await screen.findByText('The reminder is on its way.')).toBeDefined()
    expect(calls.filter(({ path }) => path.endsWith('/remind'))).toHaveLength(1)
    cleanup()
    const reminded = { at: after(60), event: 'payment.reminded', actor: 'system', data: {} }
    open(paymentDetail({ timeline: [reminded] }))
    const item = await screen.findByRole('menuitem', { name: /Send reminder/, hidden: true })
    expect(item.textContent).toContain('The customer was reminded already.')
  })

  it('says in the dialog why cancelling was refused', async () => {
    const answers = {
      [CANCEL]: () => refusal(409, 'PAYMENT_HAS_FUNDS', 'Money has already been seen for this payment.'),
    }
    open(paymentDetail(), { answers })
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Cancel link', hidden: true }))
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel link' }))
    const dialog = await screen.findByRole('dialog', { name: 'Cancel this link?' })
    expect(await within(dialog).findByText('Money has already been seen for this payment.')).toBeDefined()
  })

  it.each([
    ['It is paid already.', paid],
    ['Money has already been seen.', paymentDetail({ fundingState: 'detected' })],
    ['It has ended already.', paymentDetail({ paymentState: 'CANCELLED', cancelReason: 'expired' })],
  ])('says in the server’s reason why a link cannot be cancelled: %s', async (why, payment) => {
    open(payment)
    const item = await screen.findByRole('menuitem', { name: /Cancel link/, hidden: true })
    expect(item.getAttribute('aria-disabled')).toBe('true')
    expect(item.textContent).toContain(why)
  })

  it('goes to the payments before and after in the list', async () => {
    const { history } = open(paid, { listed: [reference(2), reference(1), reference(3)] })
    await userEvent.click(await screen.findByRole('button', { name: 'Next' }))
    expect(history.location.search).toBe(`?open=${reference(3)}`)
  })

  it('goes there with the keys , and . too', async () => {
    const { history } = open(paid, { listed: [reference(2), reference(1), reference(3)] })
    await screen.findByRole('list', { name: 'Timeline' })
    await userEvent.keyboard(',')
    expect(history.location.search).toBe(`?open=${reference(2)}`)
  })

  it('has a page of its own to keep open or to share', async () => {
    open(paid)
    const link = await screen.findByRole('link', { name: 'Full page' })
    expect(link.getAttribute('href')).toBe(`/project/7/payments/allPayments/${reference(1)}`)
  })

  it('closes by leaving the address', async () => {
    const { history } = open(paid, { panel: '&panel=ledger' })
    await userEvent.click(await screen.findByRole('button', { name: 'Close' }))
    expect(history.location.search).toBe('')
  })

  it('says that there is no such payment', async () => {
    open(undefined, { answers: { [DETAIL]: () => refusal(404, 'PAYMENT_NOT_FOUND', 'No such payment.') } })
    expect(await screen.findByText('There’s no payment with this reference here')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  it('offers another try when the payment cannot be loaded', async () => {
    let isDown = true
    const answer = () => (isDown ? refusal(500, 'INTERNAL_ERROR', 'Something broke on our side.') : wireDetail(paid))
    open(undefined, { answers: { [DETAIL]: answer } })
    expect(await screen.findByText('Something broke on our side.')).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('list', { name: 'Timeline' })).toBeDefined()
  })
})
