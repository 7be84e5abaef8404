import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, sandboxConfiguration } from '../../../testing/answers.ts'
import { after, CHOSEN, deposit, paymentDetail, reference, wireDetail } from '../../../testing/payment-answers.ts'
import { exactTime } from '../../../lib/time/time.ts'
import { LiveEvent } from '../../../testing/LiveEvent.tsx'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import type { Answers } from '../../../testing/stub-server.ts'
import { PaymentDrawer } from '../PaymentDrawer.tsx'

const PATH = `/external-platform/7/payment/${reference(1)}`
const RESOLVE = `POST ${PATH}/resolve`
const RESEND = `POST ${PATH}/resend-webhook`

const partly = paymentDetail({
  ...CHOSEN,
  paymentState: 'PARTIALLY_FILLED',
  fundingState: 'confirmed',
  filledAmount: '48.6',
  amountDue: '0.4',
  amountDueInUSD: '0.40',
  transfers: [deposit({ amount: '48.6' })],
})

const unapplied = deposit({
  id: 40,
  status: 'unapplied',
  reason: 'wrong_asset',
  currencyCode: 'ETH',
  amount: '0.02',
  amountInUSD: '50.00',
  referenceID: null,
})

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(payment: PaymentDetail, { answers = {}, panel = 'timeline', role = 'root' } = {}) {
  const calls = stubServer({
    'GET /member/me': () => me(role),
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /external-platform/7/webhook': () => [],
    [`GET ${PATH}`]: () => wireDetail(payment),
    ...(answers as Answers),
  })
  renderScreen(
    <>
      <PaymentDrawer projectId="7" reference={reference(1)} />
      <LiveEvent />
    </>,
    `/project/7/payments/allPayments?open=${reference(1)}&panel=${panel}`,
  )
  return { sent: () => calls.filter(({ method }) => method === 'POST').map(({ path, body }) => ({ path, body })) }
}

const needsYou = () => screen.findByRole('region', { name: 'Needs you' })

describe('a payment that needs a person', () => {
  it('is accepted although some is missing, with the reason', async () => {
    const { sent } = open(partly, { answers: { [RESOLVE]: () => wireDetail(partly) } })
    const section = await needsYou()
    expect(section.textContent).toMatch(/0\.4\sUSDC \(\$0\.40\) is missing/)
    await userEvent.click(await within(section).findByRole('button', { name: 'Accept as paid' }))
    const dialog = await screen.findByRole('dialog', { name: 'Accept as paid?' })
    expect(dialog.textContent).toMatch(/48\.6\sUSDC of 49\sUSDC came\. The rest is waived\./)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Accept as paid' }))
    expect(await within(dialog).findByText('Note is required')).toBeDefined()
    expect(sent()).toEqual([])
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Note' }), 'Their exchange took a fee')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Accept as paid' }))
    expect(await screen.findByText('Accepted as paid.')).toBeDefined()
    expect(sent()).toEqual([
      { path: `${PATH}/resolve`, body: { action: 'accept_underpaid', note: 'Their exchange took a fee' } },
    ])
    expect(screen.queryByRole('dialog', { name: 'Accept as paid?' })).toBeNull()
  })

  it('takes money of another currency at its value', async () => {
    const { sent } = open(
      { ...partly, unmatchedDeposits: [unapplied] },
      { answers: { [RESOLVE]: () => wireDetail(partly) } },
    )
    await userEvent.click(await within(await needsYou()).findByRole('button', { name: 'Accept as payment' }))
    const dialog = await screen.findByRole('dialog', { name: 'Accept as payment?' })
    expect(dialog.textContent).toMatch(/counts for this payment, at its value when received, \$50\.00/)
    expect(dialog.textContent).toContain(unapplied.txHash)
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Note' }), 'Agreed by mail')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Accept as payment' }))
    await waitFor(() =>
      expect(sent()[0]?.body).toEqual({ action: 'apply_unapplied', note: 'Agreed by mail', depositID: 40 }),
    )
  })

  it('keeps the dialog and says what to do instead when the server refuses', async () => {
    const details = 'No trustworthy price is known for the time this deposit arrived. Refund it instead.'
    const answers = {
      [RESOLVE]: () => refusal(409, 'RESOLUTION_NOT_POSSIBLE', 'This cannot be done with this payment.', { details }),
    }
    open({ ...partly, unmatchedDeposits: [unapplied] }, { answers })
    await userEvent.click(await within(await needsYou()).findByRole('button', { name: 'Accept as payment' }))
    const dialog = await screen.findByRole('dialog', { name: 'Accept as payment?' })
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Note' }), 'Agreed{Control>}{Enter}{/Control}')
    expect(await within(dialog).findByText(details)).toBeDefined()
    expect(within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' }).value).toBe('Agreed')
  })

  it('shows what is on hold and releases it', async () => {
    const held = deposit({ id: 41, status: 'quarantined', reason: 'NODE_DISAGREEMENT' })
    const { sent } = open(
      { ...partly, paymentState: 'OPEN', transfers: [held] },
      { answers: { [RESOLVE]: () => wireDetail(partly) } },
    )
    const section = await needsYou()
    expect(section.textContent).toMatch(/49\sUSDC on Base is on hold.*Two sources disagree/)
    await userEvent.click(await within(section).findByRole('button', { name: 'Release from hold' }))
    const dialog = await screen.findByRole('dialog', { name: 'Release from hold?' })
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Note' }), 'Seen on another explorer')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Release from hold' }))
    await waitFor(() => expect(sent()[0]?.body).toMatchObject({ action: 'release_quarantine', depositID: 41 }))
  })

  it('unassigns a deposit where it is listed', async () => {
    const { sent } = open(partly, { panel: 'deposits', answers: { [RESOLVE]: () => wireDetail(partly) } })
    await userEvent.click(await screen.findByRole('button', { name: 'Unassign…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Unassign?' })
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Note' }), 'Wrong customer')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Unassign' }))
    await waitFor(() => expect(sent()[0]?.body).toMatchObject({ action: 'unassign', depositID: 31 }))
  })

  it('says why a deposit waits', async () => {
    const waits = { code: 'second_node_silent', params: {}, text: 'A second node must agree.' } as const
    const waiting = deposit({ status: 'seen', waits })
    open({ ...partly, paymentState: 'OPEN', transfers: [waiting] })
    expect(await within(await needsYou()).findByText(/^A second node must agree because of the amount/)).toBeDefined()
  })

  it('says that the network of the payment is not followed, and why', async () => {
    const obstacle = {
      kind: 'stopped' as const,
      params: {
        reason: 'In another language.',
        cause: { code: 'no_process', params: {}, text: 'In another language.' },
      },
      text: 'In another language.',
    }
    const params = { network: 'Base', obstacle }
    open({ ...partly, waits: { code: 'network_not_followed', params, text: 'Base is not followed.' } })
    const section = within(await needsYou())
    expect(
      await section.findByText(/^Base is not followed right now\. .* Why: No process reads this network right now\.$/),
    ).toBeDefined()
  })

  it('leaves deciding to those who may', async () => {
    open({ ...partly, unmatchedDeposits: [unapplied] }, { role: 'auditor' })
    const section = await needsYou()
    expect(await within(section).findAllByText(/^Deciding about it needs payment:resolve\./)).toHaveLength(2)
    expect(within(section).queryByRole('button')).toBeNull()
    expect(screen.queryByRole('menuitem', { name: /Accept/, hidden: true })).toBeNull()
  })

  it('says in the menu why nothing is to be accepted', async () => {
    open({ ...partly, paymentState: 'FILLED', filledAmountInUSD: '49.00' })
    const item = await screen.findByRole('menuitem', { name: /Accept as paid/, hidden: true })
    expect(item.getAttribute('aria-disabled')).toBe('true')
    expect(item.textContent).toContain('It is paid already.')
    expect(screen.queryByRole('region', { name: 'Needs you' })).toBeNull()
  })

  it('notifies the shop once more, and says when there is no endpoint', async () => {
    const { sent } = open(partly, { panel: 'webhooks', answers: { [RESEND]: () => ({ deliveries: [] }) } })
    await userEvent.click(await screen.findByRole('button', { name: 'Resend webhook' }))
    expect(await screen.findByText(/Nothing was sent: no active endpoint receives this event\./)).toBeDefined()
    expect(sent()).toEqual([{ path: `${PATH}/resend-webhook`, body: {} }])
  })

  it('shows what each source of the price said, and why one was not used', async () => {
    const quote = {
      currencyCode: 'USDC',
      blockchainCode: 'BASE',
      amount: '49',
      priceInUSD: '0.9998',
      quotedAt: after(10),
      lockedUntil: after(900),
      sources: ['alpha', 'beta'],
      evidence: [
        { source: 'alpha', price: '0.9998', at: after(9), used: true, why: null },
        { source: 'gamma', price: '1.4', at: after(9), used: false, why: 'more than 2% from the others' },
      ],
    }
    open({ ...partly, quotes: [quote], rateLockedUntil: after(3600) })
    const summary = await screen.findByText(/^1 USDC = \$0\.9998 · 2 sources/)
    // What came prolonged it: the payer reads the same end.
    expect(summary.textContent).toContain(`rate locked until ${exactTime(after(3600))}`)
    await userEvent.click(summary)
    expect(screen.getByText('gamma')).toBeDefined()
    expect(screen.getByText('Not used: more than 2% from the others')).toBeDefined()
  })

  it('tells in the timeline who decided what, and why', async () => {
    const data = { action: 'accept_underpaid', note: 'Fee of the exchange', amount: null, currency: null }
    open({
      ...partly,
      timeline: [{ at: after(200), event: 'payment.resolved', actor: 'operator:1', data }],
      acceptance: { at: after(200), actor: 'operator:1', note: 'Fee of the exchange' },
    })
    const timeline = await screen.findByRole('list', { name: 'Timeline' })
    expect(timeline.textContent).toMatch(/Accepted as paid.*“Fee of the exchange” · by you/)
    expect(screen.getByText(/: Fee of the exchange$/)).toBeDefined()
    // 49 asked, 48.6 credited: the sum comes out.
    expect(screen.getByText('Waived').parentElement?.textContent).toMatch(/^Waived0\.4\sUSDC$/)
    expect(screen.queryByText('Outstanding')).toBeNull()
  })
})

describe('a decision that another operator made first', () => {
  const data = { action: 'accept_underpaid', note: 'Fee of the exchange', amount: null, currency: null }
  const accepted: PaymentDetail = {
    ...partly,
    paymentState: 'FILLED',
    timeline: [
      ...partly.timeline,
      { at: new Date(), event: 'payment.resolved', actor: 'operator:9', data },
      {
        at: new Date(),
        event: 'payment.filled',
        actor: 'operator:9',
        data: { filled_amount: '48.6', currency: 'USDC' },
      },
    ],
    acceptance: { at: new Date(), actor: 'operator:9', note: 'Fee of the exchange' },
  }

  /** A drawer whose payment becomes another one when the live channel says so. */
  async function openLive(first: PaymentDetail, second: PaymentDetail, answers: Answers = {}, panel = 'timeline') {
    let now = first
    const { sent } = open(first, { answers: { [`GET ${PATH}`]: () => wireDetail(now), ...answers }, panel })
    const change = async () => {
      now = second
      await userEvent.click(screen.getByRole('button', { name: 'Live event' }))
    }
    return { sent, change }
  }
  const note = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' })

  it('keeps its dialog and note, says what was decided, by whom and when, and sends nothing', async () => {
    const { sent, change } = await openLive(partly, accepted)
    await userEvent.click(await within(await needsYou()).findByRole('button', { name: 'Accept as paid' }))
    await userEvent.type(note(), 'Their exchange took a fee')
    await change()
    const dialog = await screen.findByRole('dialog', { name: 'Accept as paid?' })
    const news = await within(dialog).findByText('The payment has changed meanwhile')
    expect(screen.queryByRole('region', { name: 'Needs you' })).toBeNull()
    expect(news.closest('[role=status]')?.textContent).toMatch(
      /Accepted as paid · just now.* · “Fee of the exchange” · by an operator.*It is paid already\. Your note is not sent\./,
    )
    expect(note().value).toBe('Their exchange took a fee')
    // What it would have done is no matter any more.
    expect(note().getAttribute('aria-required')).toBeNull()
    expect(dialog.textContent).not.toContain('The rest is waived.')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Accept as paid' }))
    await userEvent.type(note(), '{Control>}{Enter}{/Control}')
    expect(sent()).toEqual([])
    // Both ways out lose the note, and both ask.
    for (const close of within(dialog).getAllByRole('button', { name: 'Close' })) {
      await userEvent.click(close)
      await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }))
    }
    expect(note().value).toBe('Their exchange took a fee')
    await userEvent.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1) ?? dialog)
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.queryByRole('dialog', { name: 'Accept as paid?' })).toBeNull()
  })

  it('says the same of money that is no longer held', async () => {
    const held = deposit({ id: 41, status: 'quarantined', reason: 'NODE_DISAGREEMENT' })
    const { change } = await openLive(
      { ...partly, paymentState: 'OPEN', transfers: [held] },
      { ...partly, transfers: [{ ...held, status: 'applied' }] },
      {},
      'deposits',
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Release from hold…' }))
    await userEvent.type(note(), 'Seen elsewhere')
    await change()
    expect(await screen.findByText(/This deposit has been decided about already\./)).toBeDefined()
    expect(note().value).toBe('Seen elsewhere')
  })

  it('says nothing of the kind about what it brought about itself', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { change } = await openLive(partly, accepted, { [RESOLVE]: () => promise })
    await userEvent.click(await within(await needsYou()).findByRole('button', { name: 'Accept as paid' }))
    await userEvent.type(note(), 'Fee{Control>}{Enter}{/Control}')
    // The channel may be faster than the answer.
    await change()
    expect(await screen.findByText(/^Accepted as paid/, { selector: 'p' })).toBeDefined()
    expect(screen.queryByText('The payment has changed meanwhile')).toBeNull()
    resolve(wireDetail(accepted))
    expect(await screen.findByText('Accepted as paid.')).toBeDefined()
    expect(screen.queryByRole('dialog', { name: 'Accept as paid?' })).toBeNull()
  })

  it('says nothing of a note that is not sent where the server took it and only its answer was lost', async () => {
    const mine = accepted.timeline.map((entry) => ({
      ...entry,
      actor: entry.actor.replace('operator:9', 'operator:1'),
    }))
    const answers = { [RESOLVE]: () => Promise.reject(new TypeError('Failed to fetch')) }
    const { change } = await openLive(partly, { ...accepted, timeline: mine }, answers)
    await userEvent.click(await within(await needsYou()).findByRole('button', { name: 'Accept as paid' }))
    const dialog = await screen.findByRole('dialog', { name: 'Accept as paid?' })
    await userEvent.type(note(), 'Fee of the exchange{Control>}{Enter}{/Control}')
    expect(await within(dialog).findByText(/^Try again\. It is safe: nothing happens twice/)).toBeDefined()
    await change()
    const news = (await within(dialog).findByText('The payment has changed meanwhile')).closest('[role=status]')
    expect(news?.textContent).toMatch(/“Fee of the exchange” · by you.*It is paid already\.\s*$/)
    // What was typed since is nowhere yet.
    await userEvent.type(note(), ' of theirs')
    expect(news?.textContent).toMatch(/Your note is not sent\./)
    await userEvent.type(note(), '{Backspace>10/}')
    await userEvent.click(within(dialog).getAllByRole('button', { name: 'Close' })[0] ?? dialog)
    expect(screen.queryByRole('dialog', { name: /\?$/ })).toBeNull()
  })

  it('cancels no link that was paid meanwhile, and says why', async () => {
    const { sent, change } = await openLive(paymentDetail(), accepted)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Cancel link', hidden: true }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this link?' }))
    expect(dialog.queryByRole('alert')).toBeNull()
    await change()
    expect((await dialog.findByRole('alert')).textContent).toBe('It is paid already.')
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel link' }))
    expect(sent()).toEqual([])
  })

  it('reads well in the head while it is new', async () => {
    open({ ...accepted, timeline: [] })
    const line = await screen.findByText(/: Fee of the exchange$/)
    expect(line.firstChild?.textContent).toBe('Accepted as paid ')
    expect(within(line).getByText('just now')).toBeDefined()
  })
})
