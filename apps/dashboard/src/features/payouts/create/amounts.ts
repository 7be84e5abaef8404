import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'

/** More decimals than any asset has, so that amounts are compared exactly. */
const DECIMALS = 36

/** Whether what was typed is an amount that can be calculated with. */
export function isAmount(text: string): boolean {
  return /^(0|[1-9]\d{0,30})(\.\d{1,36})?$/.test(text)
}

/** Returns what an amount is worth in US dollars at a price of one; undefined for what is no amount, and without a price. */
export function valueInUsd(amount: string, price: string | null): string | undefined {
  const text = amount.trim()
  if (price === null || !isAmount(text)) return undefined
  return formatUnits((units(text) * units(price)) / 10n ** BigInt(DECIMALS), DECIMALS)
}

const units = (text: string) => parseUnits(text, DECIMALS)

/** Whether a decimal text is more than another. */
export function isMore(one: string, other: string): boolean {
  return units(one) > units(other)
}

/** Takes a decimal text from another that is not smaller. */
export function minus(from: string, taken: string): string {
  return formatUnits(units(from) - units(taken), DECIMALS)
}
