const DECIMAL_TEXT = /^\d+(\.\d+)?$/

/** Long enough for 2^256−1 with 36 decimals; longer text is an attack on BigInt, not an amount. */
const MAX_TEXT_LENGTH = 120

/** The most decimals a token may declare (ERC-20 keeps them in a uint8; nothing above 36 is in use). */
const MAX_DECIMALS = 36

/**
 * Turns plain decimal text in the natural unit ("12.5") into whole smallest units, exactly.
 * Accepts digits with at most one point between digits: no sign, exponent, space or separator.
 * @throws TypeError when the text is not plain decimal text
 * @throws RangeError when it is too long or has more decimals than the asset, trailing zeros included
 */
export function parseUnits(text: string, decimals: number): bigint {
  requireDecimals(decimals)
  if (typeof text !== 'string' || text.length === 0) throw new TypeError('An amount must be decimal text')
  if (text.length > MAX_TEXT_LENGTH) throw new RangeError(`An amount has at most ${MAX_TEXT_LENGTH} characters`)
  if (!DECIMAL_TEXT.test(text)) throw new TypeError('An amount must be plain decimal text such as "12.5"')
  const [whole = '', fraction = ''] = text.split('.')
  if (fraction.length > decimals) throw new RangeError(`An amount has at most ${decimals} decimals here`)
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Prints smallest units as exact decimal text in the natural unit, without needless zeros ("12.5", "-0.01", "3"). */
export function formatUnits(units: bigint, decimals: number): string {
  requireDecimals(decimals)
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  return sign + digits.slice(0, point) + (fraction === '' ? '' : `.${fraction}`)
}

function requireDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) {
    throw new RangeError(`Decimals must be a whole number from 0 to ${MAX_DECIMALS}`)
  }
}
