import { CANCEL_REASONS, FUNDING_STATES, paymentMachine } from '@kassa/contract/payments/machine.ts'
import { describe, expect, it } from 'vitest'

import { overpaidUsd, paymentBadge, paymentChips, paymentDifference } from './payment-labels.ts'
import type { ChipFacts } from './payment-labels.ts'

const chipFacts: ChipFacts = {
  state: 'FILLED',
  fundingState: 'confirmed',
  isOnHold: false,
  amountInUSD: '49.00',
  filledAmountInUSD: '49.00',
  amountDueInUSD: '0.00',
}

describe('paymentBadge', () => {
  it('draws every state of the machine with a word and a tone of its own', () => {
    const drawn = paymentMachine.states.map((state) => paymentBadge({ state, fundingState: 'none' }))
    expect(drawn.map(({ tone, word }) => `${tone}: ${word}`)).toEqual([
      'info: Open',
      'warning: Partly paid',
      'success: Paid',
      'success: Overpaid',
      'neutral: Cancelled',
    ])
    expect(drawn.map(({ wire }) => wire)).toEqual([...paymentMachine.states])
  })

  it('draws a state that only other systems write as unknown', () => {
    expect(paymentBadge({ state: 'UNDEFINED', fundingState: 'none' })).toMatchObject({
      tone: 'danger',
      word: 'Unknown',
    })
  })

  it('says why a payment ended', () => {
    const words = CANCEL_REASONS.map((cancelReason) =>
      paymentBadge({ state: 'CANCELLED', fundingState: 'none', cancelReason }),
    )
    expect(words.map(({ tone, word }) => `${tone}: ${word}`)).toEqual([
      'neutral: Expired',
      'neutral: Replaced',
      'neutral: Cancelled',
    ])
  })

  it.each(['OPEN', 'PARTIALLY_FILLED', 'CANCELLED'] as const)(
    'counts confirmations while %s may still change',
    (state) => {
      const badge = paymentBadge({ state, fundingState: 'confirming', confirmations: { current: 3, required: 12 } })
      expect(badge).toMatchObject({ tone: 'progress', word: 'Confirming 3/12' })
    },
  )

  it.each(['FILLED', 'OVER_FILLED'] as const)('keeps %s while more money is on its way', (state) => {
    expect(paymentBadge({ state, fundingState: 'detected' }).tone).toBe('success')
  })

  it('shows no progress once nothing is underway', () => {
    const resolved = FUNDING_STATES.filter((state) => state !== 'detected' && state !== 'confirming')
    expect(resolved.map((fundingState) => paymentBadge({ state: 'OPEN', fundingState }).word)).toEqual(
      resolved.map(() => 'Open'),
    )
  })
})

describe('paymentChips', () => {
  it('adds nothing to a payment that went as asked', () => {
    expect(paymentChips(chipFacts)).toEqual([])
  })

  it('leaves by how much it is over or short to the text beside its state', () => {
    const over = { ...chipFacts, state: 'OVER_FILLED', filledAmountInUSD: '49.51' } as const
    const short = { ...chipFacts, state: 'PARTIALLY_FILLED', amountDueInUSD: '0.40' } as const
    expect([over, short].map(paymentDifference)).toEqual(['Over by $0.51', 'Short by $0.40'])
    expect([over, short].flatMap(paymentChips)).toEqual([])
    expect(paymentDifference({ ...short, fundingState: 'reverted' })).toBeUndefined()
    expect(paymentDifference(chipFacts)).toBeUndefined()
  })

  it('names what needs a look', () => {
    const chips = paymentChips({
      ...chipFacts,
      state: 'OPEN',
      fundingState: 'reverted',
      late: true,
      isOnHold: true,
    })
    expect(chips.map(({ tone, word }) => `${tone}: ${word}`)).toEqual([
      'warning: Late',
      'danger: On hold',
      'danger: Reopened',
    ])
  })

  it('reads the surplus exactly', () => {
    expect(overpaidUsd({ ...chipFacts, amountInUSD: '0.10', filledAmountInUSD: '0.300001' })).toBe('0.200001')
    expect(overpaidUsd(chipFacts)).toBeNull()
    expect(overpaidUsd({ ...chipFacts, filledAmountInUSD: null })).toBeNull()
  })
})
