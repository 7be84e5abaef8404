import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, sandboxConfiguration } from '../../../testing/answers.ts'
import { bulkServer } from '../../../testing/bulk-jobs.ts'
import { LiveEvent } from '../../../testing/LiveEvent.tsx'
import {
  after,
  CHOSEN,
  deposit,
  isCount,
  paymentDetail,
  paymentRow,
  reference,
  wireDetail,
  wirePage,
} from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { stubServer } from '../../../testing/stub-server.ts'
import { AllPayments } from '../AllPayments.tsx'
import { PaymentDrawer } from '../PaymentDrawer.tsx'

const PAYMENT = '/external-platform/7/payment'
const PATH = `${PAYMENT}/${reference(1)}`
const NO_DEPOSITS = { data: [], total: 0, limit: 50, offset: 0, nextCursor: null }

const over = paymentDetail({
  ...CHOSEN,
  paymentState: 'OVER_FILLED',
  fundingState: 'confirmed',
  filledAmount: '52',
  filledAmountInUSD: '52.00',
  amountDue: '0',
  amountDueInUSD: '0.00',
  transfers: [deposit({ amount: '52' })],
  needsAttention: true,
})
const short = {
  ...over,
  paymentState: 'PARTIALLY_FILLED',
  filledAmount: '40',
  filledAmountInUSD: '40.00',
  amountDue: '9',
  amountDueInUSD: '9.00',
} as const
const resolved = { at: after(300), actor: 'operator:1', note: 'Sent back by hand' }

beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1200
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** The server as it is: settling takes the payment off the list. */
function server(payment: PaymentDetail, { role = 'root', view = 'attention' } = {}) {
  let now = payment
  const row = () =>
    paymentRow({
      paymentStatus: now.paymentState,
      fundingState: 'confirmed',
      needsAttention: now.needsAttention,
      exact: { amountInUSD: '49.00', filledAmountInUSD: '52.00', amountDueInUSD: '0.00' },
    })
  const jobs = bulkServer(() => {
    now = { ...now, needsAttention: false, resolved }
    return { result: {} }
  })
  const calls = stubServer({
    ...jobs.answers,
    'GET /member/me': () => me(role),
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /external-platform/7/webhook': () => [],
    'GET /external-platform/7/missed-deposit': () => NO_DEPOSITS,
    'GET /project/7/deposits': () => NO_DEPOSITS,
    [`GET ${PAYMENT}/summary`]: () => ({ totalCount: 1, closedCount: 1, openCount: 0, cancelledCount: 0 }),
    [`GET ${PATH}`]: () => wireDetail(now),
    [`POST ${PAYMENT}/search`]: (call) => {
      const isListed = view === '' || now.needsAttention
      return isCount(call)
        ? wirePage([], { totalCount: now.needsAttention ? 1 : 0 })
        : wirePage(isListed ? [row()] : [])
    },
    [`POST ${PATH}/resolve`]: () => {
      now = { ...now, needsAttention: false, resolved }
      return wireDetail(now)
    },
  })
  const settleElsewhere = () => {
    const data = { action: 'mark_resolved', note: 'Month closed', amount: null, currency: null }
    const marked = { at: new Date(), event: 'payment.resolved', actor: 'operator:9', data }
    now = { ...now, needsAttention: false, resolved, timeline: [...now.timeline, marked] }
  }
  return {
    jobs,
    settleElsewhere,
    resolved: () => calls.filter(({ path }) => path.endsWith('/resolve')).map(({ body }) => body),
  }
}

function openDrawer(payment: PaymentDetail, role = 'root') {
  const sent = server(payment, { role })
  renderScreen(
    <PaymentDrawer projectId="7" reference={reference(1)} />,
    `/project/7/payments/allPayments?open=${reference(1)}`,
  )
  return sent
}

function openList(view = 'attention') {
  const sent = server(over, { view })
  renderScreen(
    <>
      <AllPayments projectId="7" onListed={() => undefined} />
      <LiveEvent />
    </>,
    `/project/7/payments/allPayments${view === '' ? '' : `?view=${view}`}`,
  )
  return sent
}

const needsYou = async () => within(await screen.findByRole('region', { name: 'Needs you' }))
const item = (name: string | RegExp) => screen.findByRole('menuitem', { name, hidden: true })

async function say(why: string) {
  const dialog = within(await screen.findByRole('dialog', { name: 'Mark as resolved?' }))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Note' }), why)
  await userEvent.click(dialog.getByRole('button', { name: 'Mark as resolved' }))
}

describe('a payment nothing more is to be done about', () => {
  it('is marked as resolved in its drawer, with the reason, and says so from then on', async () => {
    const { resolved } = openDrawer(over)
    const section = await needsYou()
    expect(section.getByText('$3.00 more came than was asked')).toBeDefined()
    await userEvent.click(await section.findByRole('button', { name: 'Mark as resolved…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Mark as resolved?' }))
    expect(dialog.getByText(/No money moves, and your shop is not notified/)).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Mark as resolved' }))
    expect(await dialog.findByText('Note is required')).toBeDefined()
    expect(resolved()).toEqual([])
    await say('Sent back by hand')
    expect(await screen.findByText('Marked as resolved.')).toBeDefined()
    expect(resolved()).toEqual([{ action: 'mark_resolved', note: 'Sent back by hand' }])
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Needs you' })).toBeNull())
    expect(screen.getByText(/: Sent back by hand$/).textContent).toMatch(/^Resolved .*: Sent back by hand$/)
  })

  it('may be one that is short, once its link has ended', async () => {
    openDrawer(short)
    const section = await needsYou()
    expect(section.getByText(/The link has ended: accept what came as full payment/)).toBeDefined()
    expect(await section.findByRole('button', { name: 'Accept as paid' })).toBeDefined()
    expect(section.getByRole('button', { name: 'Mark as resolved…' })).toBeDefined()
  })

  it('is none that can still be paid, or whose money is on hold: the menu says why', async () => {
    openDrawer({ ...short, expiresAt: new Date(Date.now() + 60_000) })
    expect((await item(/^Mark as resolved/)).textContent).toContain('The customer can still send the rest.')
    expect(screen.queryByRole('button', { name: 'Mark as resolved…' })).toBeNull()
    cleanup()
    openDrawer({ ...over, transfers: [deposit({ status: 'quarantined', reason: 'NODE_DISAGREEMENT' })] })
    expect((await item(/^Mark as resolved/)).textContent).toContain('Some of its money is on hold.')
    expect(screen.queryByRole('button', { name: 'Mark as resolved…' })).toBeNull()
  })

  it('is left to those who may decide', async () => {
    openDrawer(over, 'auditor')
    expect((await needsYou()).getByText('$3.00 more came than was asked')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Mark as resolved…' })).toBeNull()
    expect(screen.queryByRole('menuitem', { name: 'Mark as resolved', hidden: true })).toBeNull()
  })

  it('tells in the timeline who resolved it, when and why', async () => {
    const data = { action: 'mark_resolved', note: 'Sent back by hand', amount: null, currency: null }
    const timeline = [{ at: after(300), event: 'payment.resolved', actor: 'operator:1', data }]
    openDrawer({ ...over, needsAttention: false, resolved, timeline })
    const list = await screen.findByRole('list', { name: 'Timeline' })
    expect(list.textContent).toMatch(/Marked as resolved.*“Sent back by hand” · by you/)
    expect(screen.queryByRole('region', { name: 'Needs you' })).toBeNull()
  })
})

describe('the view of what needs attention', () => {
  it('is left by a payment that is resolved from its row’s menu, and counts it no longer', async () => {
    const { resolved } = openList()
    expect(await screen.findByRole('link', { name: /^Needs attention\s*1$/ })).toBeDefined()
    await userEvent.click(await screen.findByRole('button', { name: /^Actions for payment/ }))
    await userEvent.click(await item('Mark as resolved'))
    await say('Refunded')
    expect(await screen.findByText('Marked as resolved.')).toBeDefined()
    expect(resolved()).toEqual([{ action: 'mark_resolved', note: 'Refunded' }])
    expect(await screen.findByText('Nothing needs attention.')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Needs attention' })).toBeDefined()
  })

  it('says in a dialog of its list that another operator resolved the payment meanwhile', async () => {
    const { resolved, settleElsewhere } = openList()
    await userEvent.click(await screen.findByRole('button', { name: /^Actions for payment/ }))
    await userEvent.click(await item('Mark as resolved'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Mark as resolved?' }))
    await userEvent.type(dialog.getByRole('textbox', { name: 'Note' }), 'Refunded')
    settleElsewhere()
    await userEvent.click(screen.getByRole('button', { name: 'Live event' }))
    expect(await dialog.findByText(/^Marked as resolved · .*“Month closed” · by an operator$/)).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Mark as resolved' }))
    expect(resolved()).toEqual([])
    expect(dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' }).value).toBe('Refunded')
  })

  it('is emptied for several at once, with one reason', async () => {
    const { jobs } = openList()
    await userEvent.click(await screen.findByRole('checkbox', { name: /^Select payment/ }))
    await userEvent.click(screen.getByRole('button', { name: 'Mark as resolved' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Mark as resolved' }))
    expect(dialog.getByText('1 payment is marked as resolved. No money moves.')).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Mark 1 as resolved' }))
    expect(await dialog.findByText('Note is required')).toBeDefined()
    expect(jobs.sent).toEqual([])
    await userEvent.type(dialog.getByRole('textbox', { name: 'Note' }), 'Month closed')
    await userEvent.keyboard('{Escape}')
    await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Mark 1 as resolved' }))
    expect(await dialog.findByText('1 done')).toBeDefined()
    expect(jobs.sent).toMatchObject([
      {
        action: 'payment.mark_resolved',
        rows: [{ input: { referenceID: reference(1) } }],
        shared: { note: 'Month closed' },
      },
    ])
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog', { name: 'Mark as resolved' })).toBeNull()
    expect(await screen.findByText('Nothing needs attention.')).toBeDefined()
  })

  it('offers settling only for what needs attention', async () => {
    server({ ...over, needsAttention: false }, { view: '' })
    renderScreen(<AllPayments projectId="7" onListed={() => undefined} />, '/project/7/payments/allPayments')
    await userEvent.click(await screen.findByRole('button', { name: /^Actions for payment/ }))
    await item('Open')
    expect(screen.queryByRole('menuitem', { name: 'Mark as resolved', hidden: true })).toBeNull()
    await userEvent.click(screen.getByRole('checkbox', { name: /^Select payment/ }))
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Mark as resolved' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(button.title).toBe('None of them needs attention.')
  })
})
