/** US dollars as whole micro-dollars (1 = $0.000001). */
export type Usd = bigint

/** US dollars per whole unit of an asset, scaled by 10^18. */
export type Price = bigint

/** `up` goes away from zero, `down` towards zero, `half-even` to the nearest, ties to the even neighbour. */
export type Rounding = 'up' | 'down' | 'half-even'

/** What merchants may ask for: `amountInUSD` has at most 6 decimals. */
export const USD_DECIMALS = 6

/** Precise to 12 significant digits even for a token worth a millionth of a dollar. */
export const PRICE_DECIMALS = 18

/** A price times whole units is 10^18 per dollar; this brings it down to micro-dollars. */
const PRICE_PER_USD = 10n ** BigInt(PRICE_DECIMALS - USD_DECIMALS)

/** One cent in the scale of a price: the highest value of a quoted step (P-1). */
const CENT = 10n ** BigInt(PRICE_DECIMALS - 2)

/**
 * Converts micro-dollars into smallest units at a price, as a multiple of `step`, rounded as `rounding` says.
 * @throws RangeError when price or step is not positive
 */
export function unitsForUsd(input: {
  usd: Usd
  price: Price
  decimals: number
  step: bigint
  rounding: Rounding
}): bigint {
  requirePositive(input.price, 'A price')
  requirePositive(input.step, 'A step')
  const numerator = input.usd * PRICE_PER_USD * 10n ** BigInt(input.decimals)
  return divide(numerator, input.price * input.step, input.rounding) * input.step
}

/**
 * Converts smallest units into micro-dollars at a price, rounded as `rounding` says.
 * @throws RangeError when the price is not positive
 */
export function usdForUnits(input: { units: bigint; price: Price; decimals: number; rounding: Rounding }): Usd {
  requirePositive(input.price, 'A price')
  return divide(input.units * input.price, PRICE_PER_USD * 10n ** BigInt(input.decimals), input.rounding)
}

/**
 * Finds the step a quote is rounded up to, in smallest units: the largest power of ten worth at most $0.01, at least 1.
 * Short amounts can be typed by hand, so a wallet's rounding cannot cause an under- or overpayment (money rule P-1).
 * @throws RangeError when the price is not positive
 */
export function quoteStep({ price, decimals }: { price: Price; decimals: number }): bigint {
  requirePositive(price, 'A price')
  const ceiling = (CENT * 10n ** BigInt(decimals)) / price
  return ceiling < 1n ? 1n : 10n ** BigInt(ceiling.toString().length - 1)
}

/**
 * Computes the smallest units that pay an amount of US dollars: rounded up to the quote step, so that their value is never less
 * (money rule P-1).
 * @throws RangeError when the price is not positive
 */
export function dueUnits({ usd, price, decimals }: { usd: Usd; price: Price; decimals: number }): bigint {
  return unitsForUsd({ usd, price, decimals, step: quoteStep({ price, decimals }), rounding: 'up' })
}

/**
 * Returns the middle price, or the mean of the two middle ones (half-even); the order of the input does not matter.
 * @throws RangeError when there is no price
 */
export function median(prices: readonly Price[]): Price {
  const sorted = [...prices].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  if (upper === undefined || lower === undefined) throw new RangeError('A median needs at least one price')
  return divide(lower + upper, 2n, 'half-even')
}

function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator
  const rest = numerator % denominator
  if (rest === 0n || rounding === 'down') return quotient
  const away = numerator < 0n ? quotient - 1n : quotient + 1n
  if (rounding === 'up') return away
  const twice = (rest < 0n ? -rest : rest) * 2n
  if (twice === denominator) return quotient % 2n === 0n ? quotient : away
  return twice < denominator ? quotient : away
}

function requirePositive(value: bigint, what: string): void {
  if (value <= 0n) throw new RangeError(`${what} must be above zero`)
}
