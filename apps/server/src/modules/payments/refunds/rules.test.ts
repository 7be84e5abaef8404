import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { RefundableDeposit } from '../../deposits/service.ts'
import { admitted, bound, cut, type Sources } from './rules.ts'

const deposit = fc
  .record({
    status: fc.constantFrom('applied' as const, 'unapplied' as const),
    assetId: fc.constantFrom(1, 7),
    paymentId: fc.constantFrom(1n, 2n, null),
    units: fc.bigInt(1n, 1000n),
    share: fc.integer({ min: 0, max: 100 }),
  })
  .map(({ share, ...rest }) => ({ ...rest, committed: (rest.units * BigInt(share)) / 100n }))

const sources = fc
  .record({ deposits: fc.array(deposit, { maxLength: 8 }), overUnits: fc.bigInt(0n, 1500n) })
  .map(({ deposits, overUnits }): Sources => ({
    deposits: deposits.map((one, at): RefundableDeposit => ({ ...one, id: BigInt(at) })),
    overUnits,
    paymentId: 1n,
    assetId: 7,
  }))
const asked = fc.record({
  kind: fc.constantFrom('full' as const, 'overpaid' as const, 'unapplied' as const, 'custom' as const),
  depositId: fc.option(fc.bigInt(0n, 8n)),
  assetId: fc.constantFrom(1, 7),
})

describe('refunds: what is given back', () => {
  it('is covered by deposits that admit it, none of which gives more than it has left', () => {
    fc.assert(
      fc.property(sources, asked, fc.integer({ min: 1, max: 100 }), (from, what, share) => {
        const most = bound(from, what)
        const units = (most * BigInt(share)) / 100n
        const parts = cut(admitted(from, what), units)
        expect(parts.reduce((sum, part) => sum + part.units, 0n)).toBe(units)
        for (const part of parts) {
          expect(part.units + part.deposit.committed).toBeLessThanOrEqual(part.deposit.units)
          expect(part.deposit.assetId).toBe(what.assetId)
          expect(part.deposit.status).toBe(what.kind === 'unapplied' ? 'unapplied' : 'applied')
        }
      }),
    )
  })

  it('is of the surplus no more than the surplus, and only in the asset that was asked for', () => {
    fc.assert(
      fc.property(sources, (from) => {
        const overpaid = { kind: 'overpaid' as const, depositId: null }
        expect(bound(from, { ...overpaid, assetId: 7 })).toBeLessThanOrEqual(from.overUnits)
        expect(bound(from, { ...overpaid, assetId: 1 })).toBe(0n)
      }),
    )
  })
})
