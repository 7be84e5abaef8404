import { PRICE_DECIMALS, usdForUnits } from '@kassa/primitives/money/rate.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { usd } from '@kassa/primitives/money/usd.ts'

/** Prints units of a coin as coins with six decimals at most, rounded up: enough to compare a fee with a balance. */
export function coinAmount(units: bigint, decimals: number): string {
  const unitsOfAMicro = 10n ** BigInt(Math.max(0, decimals - 6))
  const micro = (units + unitsOfAMicro - 1n) / unitsOfAMicro
  const fraction = (micro % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '')
  return `${micro / 1_000_000n}${fraction === '' ? '' : `.${fraction}`}`
}

/** Returns what units of a coin are worth in US dollars at a price of one, rounded up: what a fee costs at most. */
export function coinValue(units: bigint, decimals: number, price: string): string {
  return usd(usdForUnits({ units, price: parseUnits(price, PRICE_DECIMALS), decimals, rounding: 'up' }))
}
