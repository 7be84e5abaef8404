import { type Usd, USD_DECIMALS } from './rate.ts'
import { parseUnits, formatUnits } from './units.ts'

/** Reads US dollars as micro-dollars, dropping what is finer. */
export function usdOf(text: string): Usd {
  const [whole = '0', fraction = ''] = text.split('.')
  return parseUnits(`${whole}.${fraction.slice(0, USD_DECIMALS) || '0'}`, USD_DECIMALS)
}

/** Micro-dollars as decimal text, at least two decimals. */
export function usd(amount: bigint): string {
  const text = formatUnits(amount, USD_DECIMALS)
  const [whole = '0', fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(2, '0')}`
}
