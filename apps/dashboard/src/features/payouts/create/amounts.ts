import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'

/** More decimals than any asset has, so that amounts are compared exactly. */
const DECIMALS = 36

const units = (text: string) => parseUnits(text, DECIMALS)

/** Whether a decimal text is more than another. */
export function isMore(one: string, other: string): boolean {
  return units(one) > units(other)
}

/** Takes a decimal text from another that is not smaller. */
export function minus(from: string, taken: string): string {
  return formatUnits(units(from) - units(taken), DECIMALS)
}
