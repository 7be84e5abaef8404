import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { feeCeiling, holdsChain, waitOf } from './rules.ts'

const ETH_PRICE = 3000n * 10n ** 18n
const coin = { price: ETH_PRICE, decimals: 18 }
const dollars = (amount: number) => BigInt(Math.round(amount * 1_000_000))

describe('feeCeiling', () => {
  it.each([
    ['5 dollars for a small payout', 10, null, 5],
    ['a fiftieth of a large one', 10_000, null, 200],
    ['what operators set where that is less', 10_000, 3, 3],
    ['not what they set where that is more', 10, 300, 5],
  ])('is %s', (_what, usd, set, expected) => {
    const setting = set === null ? null : { units: BigInt(set) * 1_000_000n, price: 10n ** 18n, decimals: 6 }
    const ceiling = feeCeiling({ usd: dollars(usd), setting, coin })
    expect(ceiling).toBe((dollars(expected) * 10n ** 12n) / 3000n)
  })

  it('is never more than the larger of 5 dollars and a fiftieth, whatever is set', () => {
    const any = fc.record({ usd: fc.bigInt(0n, 10n ** 13n), units: fc.option(fc.bigInt(0n, 10n ** 15n)) })
    fc.assert(
      fc.property(any, ({ usd, units }) => {
        const setting = units === null ? null : { units, price: 10n ** 18n, decimals: 6 }
        const most = usd / 50n > 5_000_000n ? usd / 50n : 5_000_000n
        expect(feeCeiling({ usd, setting, coin })).toBeLessThanOrEqual((most * 10n ** 12n) / 3000n)
      }),
    )
  })
})

describe('waitOf', () => {
  const names = { chain: 'ETH', currency: 'USDC', coin: 'ETH' }

  it.each([
    ['no_sender', 'NO_WALLET', true],
    ['no_wallet', 'NO_WALLET', true],
    ['vault_locked', 'VAULT_LOCKED', true],
    ['wallet_locked', 'WALLET_LOCKED', true],
    ['busy', 'BUSY', true],
    ['float_short_of_asset', 'INSUFFICIENT_FUNDS', false],
    ['float_short_of_coin', 'GAS', false],
  ] as const)('says of %s: %s', (code, wait, isAll) => {
    const cause = waitOf({ code }, names)
    expect([cause.code, holdsChain(cause)]).toEqual([wait, isAll])
  })

  it('says of a fee above the ceiling that it may fall, and of silent nodes that they may answer', () => {
    expect(waitOf({ code: 'fee_above_ceiling', needed: 1n }, names).code).toBe('FEE_TOO_HIGH')
    expect(waitOf({ code: 'chain_down', reason: '' }, names).code).toBe('CHAIN_DOWN')
    expect(waitOf({ code: 'short_of_asset', needed: 2n, held: 1n }, names).code).toBe('INSUFFICIENT_FUNDS')
    expect(waitOf({ code: 'short_of_coin', needed: 2n, held: 1n }, names).code).toBe('GAS')
  })
})
