import { FUNDING_STATES, paymentMachine, type PaymentState } from '@kassa/contract/payments/machine.ts'
import { canMove } from '@kassa/primitives/machine.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boundsOf,
  eventsBetween,
  type FundingDeposit,
  fund,
  type FundingPayment,
  remainingUnits,
  remainingUsd,
} from './funding-rules.ts'
import { usdOf } from '@kassa/primitives/money/usd.ts'

const now = new Date('2026-01-31T09:30:00Z')
const later = new Date('2026-01-31T10:00:00Z')
const DOLLAR = 10n ** 18n
const policy = { underpaidTolerancePercent: '0.5', overpaidTolerancePercent: '1' }

/** $100 of a stable coin with 6 decimals. */
const open: FundingPayment = {
  status: 'OPEN',
  cancelReason: null,
  filledUnits: 0n,
  expiresAt: later,
  quote: { dueUnits: 100_000_000n, price: DOLLAR, asset: { decimals: 6 } },
}

function fact(
  units: bigint,
  state: FundingDeposit['state'] = 'final',
  more: Partial<FundingDeposit> = {},
): FundingDeposit {
  return { transfer: `tx:${units}`, state, units, isLate: false, isBuried: true, ...more }
}

function fundedBy(facts: readonly FundingDeposit[], payment: FundingPayment = open, at = now) {
  return fund(payment, facts, policy, at)
}

describe('payments.fund', () => {
  it('keeps a payment open without money, until its time is up', () => {
    expect(fundedBy([]).status).toBe('OPEN')
    expect(fundedBy([], open, later)).toMatchObject({
      status: 'CANCELLED',
      cancelReason: 'expired',
      fundingState: 'none',
    })
  })

  it('moves nothing for money that is only seen', () => {
    const funding = fundedBy([fact(100_000_000n, 'seen', { isBuried: false })])
    expect(funding).toMatchObject({
      status: 'OPEN',
      fundingState: 'detected',
      seenUnits: 100_000_000n,
      filledUnits: 0n,
    })
    expect(fundedBy([fact(1n, 'seen')]).fundingState).toBe('confirming')
  })

  it('is confirming as soon as one of its transfers is, and stays so when another follows', () => {
    const both = [fact(1n, 'seen'), fact(1n, 'seen', { isBuried: false })]
    expect(fundedBy(both).fundingState).toBe('confirming')
  })

  it('keeps an expired payment open while money is on its way', () => {
    expect(fundedBy([fact(1_000_000n, 'seen')], open, later).status).toBe('OPEN')
  })

  it('is detected and stays open by an unmined transfer, which counts for nothing', () => {
    const sighted = (facts: readonly FundingDeposit[], at = now) => fund(open, facts, policy, at, true)
    expect(sighted([], later)).toMatchObject({
      status: 'OPEN',
      fundingState: 'detected',
      seenUnits: 0n,
      filledUnits: 0n,
    })
    expect(sighted([fact(1n, 'seen')]).fundingState).toBe('confirming')
    expect(sighted([fact(1n, 'reverted')]).fundingState).toBe('detected')
    expect(sighted([fact(100_000_000n)])).toMatchObject({ status: 'FILLED', fundingState: 'confirmed' })
  })

  it.each([
    ['half a percent short', 99_500_000n, 'FILLED'],
    ['a unit shorter', 99_499_999n, 'PARTIALLY_FILLED'],
    ['exact', 100_000_000n, 'FILLED'],
    ['one percent over', 101_000_000n, 'FILLED'],
    ['a unit more', 101_000_001n, 'OVER_FILLED'],
  ] as const)('counts %s as it should', (_what, units, status) => {
    expect(fundedBy([fact(units)]).status).toBe(status)
  })

  it('never forgives more than $5 short or $10 over', () => {
    const large: FundingPayment = {
      ...open,
      quote: { dueUnits: 10_000_000_000n, price: DOLLAR, asset: { decimals: 6 } },
    }
    expect(fundedBy([fact(9_995_000_000n)], large).status).toBe('FILLED')
    expect(fundedBy([fact(9_994_999_999n)], large).status).toBe('PARTIALLY_FILLED')
    expect(fundedBy([fact(10_010_000_000n)], large).status).toBe('FILLED')
    expect(fundedBy([fact(10_010_000_001n)], large).status).toBe('OVER_FILLED')
  })

  it('computes how much is overpaid, and its value', () => {
    expect(fundedBy([fact(110_000_000n)])).toMatchObject({ overUnits: 10_000_000n, filledUsd: 110_000_000n })
    expect(fundedBy([fact(100_000_000n)]).overUnits).toBe(0n)
  })

  it('adds up several deposits', () => {
    expect(fundedBy([fact(60_000_000n), fact(40_000_000n)]).status).toBe('FILLED')
  })

  it('is reverted when the network took money back, until the same transfer returns', () => {
    const gone = fact(100_000_000n, 'reverted', { transfer: 'a' })
    const filled: FundingPayment = { ...open, status: 'FILLED' }
    expect(fundedBy([gone], filled)).toMatchObject({ status: 'OPEN', fundingState: 'reverted' })
    expect(fundedBy([gone, fact(100_000_000n, 'seen', { transfer: 'a' })], filled).fundingState).toBe('confirming')
    expect(fundedBy([gone, fact(100_000_000n, 'final', { transfer: 'b' })], filled).fundingState).toBe('confirmed')
  })

  it('falls back to cancelled when a withdrawn request loses its late money', () => {
    const late: FundingPayment = { ...open, status: 'FILLED', cancelReason: 'superseded' }
    expect(fundedBy([fact(1n, 'reverted')], late)).toMatchObject({ status: 'CANCELLED', cancelReason: 'superseded' })
  })

  it('row 15: an accepted underpayment is paid while the accepted deposits are final, and short again without them', () => {
    const accepted = { ...open, acceptance: { leastUnits: 60_000_000n } }
    expect(fundedBy([fact(60_000_000n)], accepted)).toMatchObject({ status: 'FILLED', overUnits: 0n })
    expect(fundedBy([fact(59_999_999n)], accepted).status).toBe('PARTIALLY_FILLED')
    expect(fundedBy([fact(60_000_000n, 'reverted')], accepted).status).toBe('OPEN')
    expect(fundedBy([fact(60_000_000n, 'seen')], accepted).status).toBe('OPEN')
    expect(fundedBy([fact(60_000_000n), fact(45_000_000n)], accepted)).toMatchObject({
      status: 'OVER_FILLED',
      overUnits: 5_000_000n,
    })
    const generous = { ...open, acceptance: { leastUnits: 99_900_000n } }
    expect(fundedBy([fact(99_600_000n)], generous).status).toBe('FILLED')
  })

  it('shows a held deposit without counting it', () => {
    const cancelled: FundingPayment = { ...open, status: 'CANCELLED', cancelReason: 'expired', expiresAt: now }
    const funding = fundedBy([fact(100_000_000n, 'held', { isLate: true })], cancelled)
    expect(funding).toMatchObject({ status: 'CANCELLED', late: true, seenUnits: 0n, fundingState: 'none' })
  })

  const facts = fc.array(
    fc.record({
      transfer: fc.constantFrom('a', 'b', 'c', 'd'),
      state: fc.constantFrom<FundingDeposit['state'][]>('seen', 'final', 'held', 'reverted'),
      units: fc.bigInt({ min: 1n, max: 200_000_000n }),
      isLate: fc.boolean(),
      isBuried: fc.boolean(),
    }),
    { maxLength: 5 },
  )
  const payments: fc.Arbitrary<FundingPayment> = fc
    .record({
      status: fc.constantFrom(...paymentMachine.states),
      reason: fc.constantFrom('expired', 'superseded', 'merchant', null),
      isOver: fc.boolean(),
      isPinned: fc.boolean(),
    })
    .map(({ status, reason, isOver, isPinned }) => ({
      ...open,
      status,
      cancelReason: status === 'CANCELLED' ? (reason ?? 'expired') : reason,
      expiresAt: isOver ? now : later,
      quote: isPinned ? open.quote : null,
    }))

  it('is total, agrees with the machine and keeps its promises for any facts', () => {
    fc.assert(
      fc.property(payments, facts, (payment, deposits) => {
        const funding = fundedBy(deposits, payment)
        expect(FUNDING_STATES).toContain(funding.fundingState)
        expect(funding.status === payment.status || canMove(paymentMachine, payment.status, funding.status)).toBe(true)
        expect(funding.status === 'CANCELLED' ? funding.cancelReason : 'expired').not.toBeNull()
        expect(funding.seenUnits).toBeGreaterThanOrEqual(funding.filledUnits)
        expect(funding.overUnits > 0n).toBe(funding.status === 'OVER_FILLED')
        const isCancelledAnew = funding.status === 'CANCELLED' && payment.status !== 'CANCELLED'
        expect(isCancelledAnew && funding.seenUnits > 0n && payment.quote !== null).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  it('does not depend on the order of the facts', () => {
    fc.assert(
      fc.property(payments, facts, (payment, deposits) => {
        expect(fundedBy(deposits.toReversed(), payment)).toEqual(fundedBy(deposits, payment))
      }),
    )
  })

  it('never takes a payment back when more final money comes', () => {
    const rank: Record<PaymentState, number> = { CANCELLED: 0, OPEN: 0, PARTIALLY_FILLED: 1, FILLED: 2, OVER_FILLED: 3 }
    fc.assert(
      fc.property(facts, fc.bigInt({ min: 1n, max: 200_000_000n }), (deposits, units) => {
        const before = fundedBy(deposits)
        const after = fundedBy([...deposits, fact(units)])
        expect(rank[after.status]).toBeGreaterThanOrEqual(rank[before.status])
      }),
    )
  })

  it('is stable: the same facts move a funded payment nowhere', () => {
    fc.assert(
      fc.property(payments, facts, (payment, deposits) => {
        const once = fundedBy(deposits, payment)
        const twice = fundedBy(deposits, { ...payment, ...once })
        expect(twice).toEqual(once)
        expect(eventsBetween(once, twice)).toEqual([])
      }),
    )
  })
})

describe('payments.boundsOf', () => {
  it('lets the due amount itself always fill, and never forgives a fifth', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 30n }),
        fc.bigInt({ min: 1n, max: 10n ** 24n }),
        fc.integer({ min: 0, max: 18 }),
        (dueUnits, price, decimals) => {
          const { least, most } = boundsOf({ dueUnits, price, asset: { decimals } }, policy)
          expect(least).toBeLessThanOrEqual(dueUnits)
          expect(most).toBeGreaterThan(dueUnits)
          expect(least * 200n).toBeGreaterThanOrEqual(dueUnits * 199n)
        },
      ),
    )
  })

  it('allows at least the step an amount is rounded to', () => {
    const { most } = boundsOf({ dueUnits: 10n, price: DOLLAR, asset: { decimals: 6 } }, policy)
    expect(most).toBe(10_010n)
  })
})

describe('payments.eventsBetween', () => {
  const at = (status: PaymentState, filledUnits: bigint, cancelReason: 'expired' | null = null) => ({
    status,
    filledUnits,
    cancelReason,
  })

  it.each([
    ['the first part', at('OPEN', 0n), at('PARTIALLY_FILLED', 1n), ['payment.partially_filled']],
    ['another part', at('PARTIALLY_FILLED', 1n), at('PARTIALLY_FILLED', 2n), ['payment.partially_filled']],
    ['enough', at('PARTIALLY_FILLED', 2n), at('FILLED', 3n), ['payment.filled']],
    ['too much', at('FILLED', 3n), at('OVER_FILLED', 4n), ['payment.over_filled']],
    ['late money', at('CANCELLED', 0n, 'expired'), at('FILLED', 3n, 'expired'), ['payment.filled']],
    ['the end', at('OPEN', 0n), at('CANCELLED', 0n, 'expired'), ['payment.cancelled']],
    [
      'the end of a part',
      at('PARTIALLY_FILLED', 1n),
      at('PARTIALLY_FILLED', 1n, 'expired'),
      ['payment.expired_partial'],
    ],
    [
      'a part final after the end',
      at('OPEN', 0n),
      at('PARTIALLY_FILLED', 1n, 'expired'),
      ['payment.partially_filled', 'payment.expired_partial'],
    ],
    ['money taken back', at('FILLED', 3n), at('OPEN', 0n), ['payment.reopened']],
    ['a part taken back', at('FILLED', 3n), at('PARTIALLY_FILLED', 2n), ['payment.reopened']],
    ['an underpayment accepted', at('PARTIALLY_FILLED', 1n, 'expired'), at('FILLED', 1n), ['payment.filled']],
    ['nothing', at('FILLED', 3n), at('FILLED', 3n), []],
  ])('tells %s', (_what, before, after, events) => {
    expect(eventsBetween(before, after)).toEqual(events)
  })
})

describe('payments.remaining', () => {
  it('is what is short, and nothing once it counts as filled', () => {
    expect(remainingUnits({ ...open, status: 'PARTIALLY_FILLED', filledUnits: 60_000_000n })).toBe(40_000_000n)
    expect(remainingUnits({ ...open, status: 'FILLED', filledUnits: 99_600_000n })).toBe(0n)
    expect(remainingUnits({ ...open, quote: null })).toBe(0n)
    expect(remainingUsd({ status: 'PARTIALLY_FILLED', amountUsd: usdOf('100'), filledUsd: usdOf('60.5') })).toBe(
      39_500_000n,
    )
    expect(remainingUsd({ status: 'OPEN', amountUsd: 1n, filledUsd: 2n })).toBe(0n)
  })
})
