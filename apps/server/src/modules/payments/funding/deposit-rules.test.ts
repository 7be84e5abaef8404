import { confirmationsOf } from '@kassa/contract/deposits/confirmations.ts'
import { eth } from '@kassa/primitives/chains/definitions/eth.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Deposit } from '../../deposits/service.ts'
import { type Arrival, allocate } from '../crediting/allocation-rules.ts'
import { type PinnedPayment, fundingDepositOf, leastConfirmed, usdAtSeen } from './deposit-rules.ts'
import { depthFor } from '../crediting/finality-rules.ts'
import type { AssetFacts } from '../payment/payment.ts'

const MINUTE = 60_000
const now = new Date('2026-01-31T09:30:00Z')
const at = (minutes: number) => new Date(now.getTime() + minutes * MINUTE)
const policy = { underpaidTolerancePercent: '0.5', overpaidTolerancePercent: '1', lateGraceHours: 24 }

const usdcOnEth: AssetFacts = {
  id: 7,
  blockchainId: 1,
  blockchainCode: 'ETH',
  currencyCode: 'USDC',
  address: '',
  decimals: 6,
  isStable: true,
}
const usdcOnBase: AssetFacts = { ...usdcOnEth, id: 8, blockchainId: 4, blockchainCode: 'BASE' }
const usdt: AssetFacts = { ...usdcOnEth, id: 11, currencyCode: 'USDT' }
const ether: AssetFacts = { ...usdcOnEth, id: 1, currencyCode: 'ETH', decimals: 18, isStable: false }

function asking(id: bigint, more: Partial<PinnedPayment> = {}, asset = usdcOnEth): PinnedPayment {
  const derivation = { walletId: 1, familyId: 1, index: 0 }
  return {
    id,
    reference: `reference ${id}`,
    invoiceId: '',
    amountUsd: 100_000_000n,
    status: 'OPEN',
    fundingState: 'none',
    cancelReason: null,
    late: false,
    createdBy: 'system',
    seenUnits: 0n,
    filledUnits: 0n,
    overUnits: 0n,
    acceptance: null,
    resolved: null,
    supersededBy: null,
    filledUsd: 0n,
    description: '',
    metadata: {},
    successUrl: null,
    cancelUrl: null,
    rateLockedUntil: at(15),
    expiresAt: at(15),
    createdAt: at(-1),
    updatedAt: at(-1),
    quote: {
      quoteId: id,
      dueUnits: 100_000_000n,
      price: 10n ** 18n,
      quotedAt: at(-1),
      address: '0x',
      derivation,
      asset,
    },
    project: { id: 1, name: 'Shop', successEndpoint: '', cancelEndpoint: '', supportEmail: '' },
    customer: { id: 1, customerId: 'c', email: '' },
    ...more,
  }
}

const arrival: Arrival = { asset: usdcOnEth, units: 100_000_000n, blockTime: now, isAccepted: true, usd: 100_000_000n }

describe('payments.allocate', () => {
  it('takes the payment that misses exactly this amount, the oldest of several', () => {
    const small = asking(1n, { quote: { ...asking(1n).quote, dueUnits: 50_000_000n, quotedAt: at(0) } })
    expect(allocate(arrival, [small, asking(3n), asking(2n)], policy)).toEqual({
      paymentId: 2n,
      reason: null,
      late: false,
      isExact: true,
    })
  })

  it('does not count amounts of seen deposits as missing', () => {
    const half = asking(1n, { seenUnits: 50_000_000n })
    expect(allocate({ ...arrival, units: 50_000_000n }, [asking(2n), half], policy).paymentId).toBe(1n)
  })

  it('takes the payment shown last when none matches, before one that is fully paid', () => {
    const first = asking(1n, { quote: { ...asking(1n).quote, quotedAt: at(-9) } })
    const paid = asking(3n, { seenUnits: 100_000_000n, quote: { ...asking(3n).quote, quotedAt: at(0) } })
    const faulty = { ...arrival, units: 7_000_000n }
    expect(allocate(faulty, [first, asking(2n), paid], policy)).toMatchObject({ paymentId: 2n, isExact: false })
    expect(allocate(faulty, [paid], policy).paymentId).toBe(3n)
  })

  it('judges the rate lock by the transfer’s own time where there is one', () => {
    const waiting = { ...arrival, asset: ether, rateTime: at(80) }
    const payment = asking(1n, {}, ether)
    expect(allocate(waiting, [payment], policy)).toMatchObject({ paymentId: 1n, reason: 'price_lapsed', late: false })
    expect(allocate({ ...waiting, rateTime: now }, [payment], policy).reason).toBe(null)
  })

  it('takes the same currency from another network when the project accepts it there', () => {
    const moved = { ...arrival, asset: usdcOnBase }
    expect(allocate(moved, [asking(1n)], policy)).toMatchObject({ paymentId: 1n, reason: 'other_network' })
    expect(allocate({ ...moved, isAccepted: false }, [asking(1n)], policy).reason).toBe('wrong_asset')
  })

  it('leaves another currency to an operator, with the one payment that it may belong to', () => {
    const other = { ...arrival, asset: usdt }
    expect(allocate(other, [asking(1n)], policy)).toMatchObject({ paymentId: 1n, reason: 'wrong_asset' })
    const two = [asking(1n), asking(2n)]
    expect(allocate(other, two, policy)).toMatchObject({ paymentId: null, reason: 'wrong_asset' })
  })

  it('judges time by the block, with ten minutes of slack', () => {
    const inSlack = { ...arrival, blockTime: at(25) }
    expect(allocate(inSlack, [asking(1n)], policy)).toMatchObject({ paymentId: 1n, late: false })
    const expired = asking(1n, { status: 'CANCELLED', cancelReason: 'expired' })
    expect(allocate(inSlack, [expired], policy)).toMatchObject({ paymentId: 1n, late: false })
    expect(allocate({ ...arrival, blockTime: at(26) }, [expired], policy)).toMatchObject({
      paymentId: 1n,
      late: true,
    })
  })

  it('counts late money within the grace and keeps what comes afterwards', () => {
    const expired = asking(1n, { status: 'CANCELLED', cancelReason: 'expired' })
    const lastMoment = { ...arrival, blockTime: at(15 + 24 * 60) }
    expect(allocate(lastMoment, [expired], policy)).toMatchObject({ paymentId: 1n, reason: null, late: true })
    const tooLate = { ...arrival, blockTime: at(16 + 24 * 60) }
    expect(allocate(tooLate, [expired], policy)).toMatchObject({ paymentId: 1n, reason: 'late', late: true })
  })

  it('allocates a late deposit to the newest payment that ended', () => {
    const ended = [1n, 2n].map((id) => asking(id, { status: 'CANCELLED', cancelReason: 'superseded' }))
    expect(allocate({ ...arrival, blockTime: at(30) }, ended, policy).paymentId).toBe(2n)
  })

  it('passes over a newer payment whose grace is over for an older one that still takes late money', () => {
    const over = asking(9n, { status: 'CANCELLED', expiresAt: at(-25 * 60) })
    const older = asking(2n, { status: 'CANCELLED', expiresAt: at(-60) })
    expect(allocate(arrival, [older, over], policy)).toMatchObject({ paymentId: 2n, reason: null, late: true })
    expect(allocate(arrival, [over], policy)).toMatchObject({ paymentId: 9n, reason: 'late', late: true })
  })

  it('prefers an open payment to one that ended', () => {
    const ended = asking(2n, { status: 'CANCELLED', cancelReason: 'superseded', expiresAt: at(0) })
    expect(allocate(arrival, [asking(1n), ended], policy).paymentId).toBe(1n)
  })

  it('does not value late money of a volatile asset without a price', () => {
    const expired = asking(1n, { status: 'CANCELLED', cancelReason: 'expired' }, ether)
    const late = { ...arrival, asset: ether, blockTime: at(30) }
    expect(allocate({ ...late, usd: null }, [expired], policy)).toMatchObject({
      paymentId: null,
      reason: 'no_price',
    })
    expect(allocate(late, [expired], policy)).toMatchObject({ paymentId: 1n, late: true })
  })

  it('never allocates a deposit to a payment created after it', () => {
    const newer = asking(1n, { createdAt: at(11), expiresAt: at(60) })
    expect(allocate(arrival, [newer], policy)).toMatchObject({ paymentId: null, reason: 'no_payment' })
  })

  it('reports that no payment matches', () => {
    expect(allocate(arrival, [], policy)).toMatchObject({ paymentId: null, reason: 'no_payment' })
  })
})

const deposit: Deposit = {
  id: 1n,
  blockchainId: 1,
  assetId: 7,
  addressId: 1n,
  txId: '0xaa',
  leg: 'log:0',
  kind: 'token',
  evidence: 'receipt',
  from: null,
  to: '0x',
  units: 100_000_000n,
  usdAtSeen: '100.00',
  height: 100,
  blockHash: '0xbb',
  blockTime: now,
  confirmationsRequired: 12,
  rule: 'depth',
  status: 'seen',
  reason: null,
  revision: 1,
  late: false,
  quorumRequired: false,
  quorum: 0,
  quarantineReason: null,
  waits: null,
  paymentId: 1n,
  countedUnits: null,
  countedUsd: null,
  customerId: 1,
  projectId: 1,
  seenAt: now,
  finalAt: null,
  revertedAt: null,
}

describe('payments.fundingDepositOf', () => {
  const quote = asking(1n).quote
  const etherTerms = { ...quote, dueUnits: 10n ** 18n, price: 3000n * 10n ** 18n, asset: ether }

  it.each([
    ['seen', null, 'seen'],
    ['applied', null, 'final'],
    ['applied', 'other_network', 'final'],
    ['seen', 'late', 'held'],
    ['seen', 'wrong_asset', 'held'],
    ['unapplied', 'wrong_asset', 'held'],
    ['applied', 'assigned', 'final'],
    ['unapplied', 'late', 'held'],
    ['quarantined', null, 'held'],
    ['ignored', 'below_minimum', 'held'],
    ['reverted', null, 'reverted'],
  ] as const)('reads %s (%s) as %s', (status, reason, state) => {
    expect(fundingDepositOf({ ...deposit, status, reason }, { asset: usdcOnEth, quote, tip: undefined }).state).toBe(
      state,
    )
  })

  it('counts units as they are, in the decimals asked for', () => {
    const fact = (asset: AssetFacts) => fundingDepositOf(deposit, { asset, quote, tip: undefined }).units
    expect(fact(usdcOnEth)).toBe(100_000_000n)
    expect(fact({ ...usdcOnEth, decimals: 8 })).toBe(1_000_000n)
    expect(fact({ ...usdcOnEth, decimals: 4 })).toBe(10_000_000_000n)
  })

  it('counts a late deposit of a volatile asset at its value when received', () => {
    const late = { ...deposit, units: 10n ** 18n, usdAtSeen: '1500.00', late: true }
    expect(fundingDepositOf(late, { asset: ether, quote: etherTerms, tip: undefined }).units).toBe(5n * 10n ** 17n)
    expect(fundingDepositOf({ ...late, late: false }, { asset: ether, quote: etherTerms, tip: undefined }).units).toBe(
      10n ** 18n,
    )
    expect(fundingDepositOf({ ...deposit, late: true }, { asset: usdcOnEth, quote, tip: undefined }).units).toBe(
      100_000_000n,
    )
  })

  it('counts a late deposit whose value has not moved by a cent as it is', () => {
    const units = 6_667n * 10n ** 12n
    const late = { ...deposit, units, usdAtSeen: '20.00', late: true }
    const counted = (one: Deposit) => fundingDepositOf(one, { asset: ether, quote: etherTerms, tip: undefined }).units
    expect(counted(late)).toBe(units)
    expect(counted({ ...late, usdAtSeen: '19.99' })).toBe(6_663_333_333_333_333n)
  })

  it('counts another currency at its value when received, and for nothing without a value', () => {
    const ethers = { ...deposit, units: 10n ** 18n, usdAtSeen: '2999.50', status: 'applied' as const }
    const units = (one: Deposit) => fundingDepositOf(one, { asset: ether, quote, tip: undefined }).units
    expect(units(ethers)).toBe(2_999_500_000n)
    expect(units({ ...ethers, usdAtSeen: null })).toBe(0n)
    expect(fundingDepositOf(deposit, { asset: usdt, quote, tip: undefined }).units).toBe(100_000_000n)
  })
})

describe('payments.depthFor', () => {
  const chain = { minConfirmations: 12, confirmations: eth.confirmations }

  it('follows the chain: depth for small sums, finality for large ones and unknown ones', () => {
    expect(depthFor(9_999_990_000n, chain, [])).toEqual({ confirmationsRequired: 12, rule: 'depth' })
    expect(depthFor(10_000_000_000n, chain, []).rule).toBe('finalized')
    expect(depthFor(null, chain, []).rule).toBe('finalized')
  })

  it('takes the strictest of the chain and the project', () => {
    const rules = [
      { upToUSD: '1000', confirmations: 'finalized' as const },
      { upToUSD: '50', confirmations: 30 },
    ]
    expect(depthFor(50_000_000n, chain, rules)).toEqual({ confirmationsRequired: 30, rule: 'depth' })
    expect(depthFor(51_000_000n, chain, rules).rule).toBe('finalized')
    expect(depthFor(2_000_000_000n, chain, rules).rule).toBe('finalized')
    expect(depthFor(1n, chain, [{ upToUSD: '50', confirmations: 3 }]).confirmationsRequired).toBe(12)
    expect(depthFor(null, chain, [{ upToUSD: '50', confirmations: 30 }]).confirmationsRequired).toBe(30)
  })

  it('takes a number in place of finality where the chain has no such signal', () => {
    const sandbox = { minConfirmations: 2, confirmations: { minimum: 2, largeFromUsd: 0n, large: 2, reorgLimit: 64 } }
    expect(depthFor(10n ** 12n, sandbox, [])).toEqual({ confirmationsRequired: 2, rule: 'depth' })
    const own = [{ upToUSD: '50', confirmations: 'finalized' as const }]
    expect(depthFor(1n, sandbox, own)).toEqual({ confirmationsRequired: 2, rule: 'depth' })
  })
})

describe('payments.confirmationsOf', () => {
  it('counts blocks and never reports enough before the deposit is final', () => {
    expect(confirmationsOf(deposit, 100)).toBe(1)
    expect(confirmationsOf(deposit, 104)).toBe(5)
    expect(confirmationsOf(deposit, 999)).toBe(11)
    expect(confirmationsOf(deposit, undefined)).toBe(0)
    expect(confirmationsOf({ ...deposit, status: 'applied' }, 999)).toBe(12)
    expect(confirmationsOf({ ...deposit, status: 'reverted' }, 999)).toBe(0)
  })

  it('shows the least confirmed of several deposits that count', () => {
    const older = { ...deposit, id: 2n, height: 90 }
    const ignored = { ...deposit, id: 3n, height: 104, status: 'ignored' as const }
    expect(leastConfirmed([older, deposit, ignored], new Map([[1, 104]]))).toEqual({ current: 5, required: 12 })
    expect(leastConfirmed([], new Map())).toEqual({ current: 0, required: 0 })
  })
})

describe('payments.usdAtSeen', () => {
  it('is the value in whole cents, rounded down, or nothing without a price', () => {
    expect(usdAtSeen(49_999_999n, 10n ** 18n, 6)).toEqual({ usd: 49_990_000n, text: '49.99' })
    expect(usdAtSeen(1n, 10n ** 18n, 6)).toEqual({ usd: 0n, text: '0.00' })
    expect(usdAtSeen(1n, null, 6)).toBeNull()
  })

  it('fits its column for every amount', () => {
    expect(usdAtSeen(2n ** 256n - 1n, 10n ** 18n, 6)).toBeNull()
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (units) => {
        const value = usdAtSeen(units, 3000n * 10n ** 18n, 18)
        expect(value === null || value.text.length <= 19).toBe(true)
      }),
    )
  })
})
