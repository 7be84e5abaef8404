import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, sandboxConfiguration } from '../../../testing/answers.ts'
import { after, CHOSEN, deposit, paymentDetail, reference, wireDetail } from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { stubServer } from '../../../testing/stub-server.ts'
import { PaymentDrawer } from '../PaymentDrawer.tsx'

const paid = paymentDetail({
  ...CHOSEN,
  paymentState: 'FILLED',
  fundingState: 'confirmed',
  filledAmount: '49',
  filledAmountInUSD: '49.00',
  amountDue: '0',
  transfers: [deposit()],
  needsAttention: true,
})
const over = { ...paid, paymentState: 'OVER_FILLED', filledAmount: '50', filledAmountInUSD: '50.00' } as const

const delivery: PaymentDetail['deliveries'][number] = {
  id: 'evt_1',
  deliveryID: 9,
  webhookID: 3,
  event: 'payment.filled',
  sequence: 3,
  referenceID: reference(1),
  payoutID: null,
  status: 'failed',
  attempt_count: 8,
  next_retry_at: null,
  waits: null,
  last_response_code: 500,
  last_error: null,
  createdAt: after(120),
  attempts: [],
}

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function needsYou(payment: PaymentDetail) {
  stubServer({
    'GET /member/me': () => me(),
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /external-platform/7/webhook': () => [],
    [`GET /external-platform/7/payment/${reference(1)}`]: () => wireDetail(payment),
  })
  renderScreen(
    <PaymentDrawer projectId="7" reference={reference(1)} />,
    `/project/7/payments/allPayments?open=${reference(1)}`,
  )
  return within(await screen.findByRole('region', { name: 'Needs you' }))
}

describe('what the list counts under “Needs attention”, in the drawer', () => {
  it('says how much came too much, offers its refund, and leads to the customer', async () => {
    const section = await needsYou(over)
    expect(section.getByText('$1.00 more came than was asked')).toBeDefined()
    expect(section.getByText(/Refund the difference, or agree on it with the customer/)).toBeDefined()
    const emailLink = section.getByRole('link', { name: 'Write to the customer' })
    expect(emailLink.getAttribute('href')).toBe('mailto:a%40example.com?subject=Your%20payment%20of%20%2449.00')
  })

  it('opens the refund of what came too much, where something final can be sent back', async () => {
    expect((await needsYou(over)).queryByRole('button', { name: 'Refund…' })).toBeNull()
    cleanup()
    const refundable = [{ currencyCode: 'USDC', blockchainCode: 'BASE', amount: '50', overpaid: '1' }]
    const section = await needsYou({ ...over, refundable })
    await userEvent.click(await section.findByRole('button', { name: 'Refund…' }))
    expect(await screen.findByRole('dialog', { name: 'Refund payment' })).toBeDefined()
  })

  it('offers the refund once while the payer asks for it', async () => {
    const refundable = [{ currencyCode: 'USDC', blockchainCode: 'BASE', amount: '50', overpaid: '1' }]
    const refundClaim = {
      ...{ id: 4, blockchainCode: 'BASE', address: `0x${'2'.repeat(40)}`, claimedAt: after(300), declinedNote: null },
      status: 'open' as const,
    }
    await needsYou({ ...over, refundable, refundClaim })
    const claim = within(await screen.findByRole('region', { name: 'Claimed refund' }))
    await claim.findByRole('button', { name: 'Refund…' })
    expect(screen.getAllByRole('button', { name: 'Refund…' })).toHaveLength(1)
  })

  it('keeps what can be pressed together: it moves below the text as one', async () => {
    const refundable = [{ currencyCode: 'USDC', blockchainCode: 'BASE', amount: '50', overpaid: '1' }]
    const section = await needsYou({ ...over, refundable })
    const refund = await section.findByRole('button', { name: 'Refund…' })
    expect(section.getByRole('link', { name: 'Write to the customer' }).parentElement).toBe(refund.parentElement)
    expect(refund.parentElement?.textContent).not.toContain('Refund the difference')
  })

  it('says that money came late and counts', async () => {
    const section = await needsYou({ ...paid, late: true })
    expect(section.getByText('Money came after the link had ended')).toBeDefined()
    expect(section.getByText(/It counts all the same/)).toBeDefined()
  })

  it('says of late money that is not final what it waits for', async () => {
    const section = await needsYou({ ...paid, paymentState: 'CANCELLED', fundingState: 'confirming', late: true })
    expect(section.getByText('It is not final yet. Wait for the confirmations.')).toBeDefined()
    expect(section.queryByRole('link')).toBeNull()
    expect(section.queryByRole('button')).toBeNull()
  })

  it('offers to count a late deposit that is unapplied, and says nothing twice', async () => {
    const unapplied = deposit({ id: 40, status: 'unapplied', reason: 'late', referenceID: null })
    const ended = { ...paid, paymentState: 'CANCELLED', filledAmount: '0', late: true } as const
    const section = await needsYou({ ...ended, fundingState: 'none', transfers: [], unmatchedDeposits: [unapplied] })
    expect(await section.findByRole('button', { name: 'Apply to this payment' })).toBeDefined()
    expect(section.queryByText('Money came after the link had ended')).toBeNull()
  })

  it('says of money that was taken back what not to do', async () => {
    const section = await needsYou({ ...paid, paymentState: 'PARTIALLY_FILLED', fundingState: 'reverted' })
    expect(section.getByText('The network took money back')).toBeDefined()
    expect(section.getByText(/Don’t deliver before this payment is paid again/)).toBeDefined()
    expect(await section.findAllByRole('button')).toHaveLength(1)
    expect(section.getByRole('button', { name: 'Mark as resolved…' })).toBeDefined()
  })

  it('says that one of several endpoints was not notified, and notifies it again', async () => {
    const resent = { ...delivery, deliveryID: 10, webhookID: 4, status: 'received' as const, createdAt: after(121) }
    const section = await needsYou({ ...paid, deliveries: [delivery, resent] })
    expect(section.getByText('Your shop was not notified')).toBeDefined()
    expect(await section.findByRole('button', { name: 'Resend webhook' })).toBeDefined()
  })
})

describe('an endpoint that received the webhook at a resend', () => {
  it('does not count as not notified', async () => {
    const again = { ...delivery, deliveryID: 11, status: 'received' as const, createdAt: after(200) }
    const section = await needsYou({ ...over, deliveries: [again, delivery] })
    expect(section.getByText('$1.00 more came than was asked')).toBeDefined()
    expect(section.queryByText('Your shop was not notified')).toBeNull()
  })
})
