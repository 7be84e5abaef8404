/** Figures as text (api.md 8.5), computed from integers. */
import type { Usd } from '@kassa/primitives/money/rate.ts'

const MICRO_PER_CENT = 10_000n

/** Dollars for people: `$1,234.56`; what is less than a cent is `<$0.01`. */
export function dollarText(usd: Usd): string {
  if (usd > 0n && usd < MICRO_PER_CENT) return '<$0.01'
  const cents = rounded(usd, MICRO_PER_CENT)
  return `$${grouped(cents / 100n)}.${String(cents % 100n).padStart(2, '0')}`
}

/** Dollars as part of a larger amount: `$10`, with cents only where there are any. */
export function shortDollarText(usd: Usd): string {
  return dollarText(usd).replace(/\.00$/, '')
}

/** A whole number for people: `1,234`. */
export function countText(count: number | bigint): string {
  return grouped(BigInt(count))
}

/** A share in percent with one decimal, `61.2`; null of nothing. */
export function percentOf(part: bigint, whole: bigint): string | null {
  if (whole === 0n) return null
  const tenths = rounded(part * 1000n, whole)
  return `${tenths / 10n}.${tenths % 10n}`
}

/** The change against an earlier figure: `+12.5%`, `-3.0%`; `N/A` against nothing. */
export function changeText(now: bigint, before: bigint): string {
  if (before === 0n) return 'N/A'
  const share = percentOf(now > before ? now - before : before - now, before)
  return `${now < before ? '-' : '+'}${share}%`
}

/** A duration in seconds for people: `45 s`, `2 min 5 s`, `3 h 10 min`, `2 d 4 h`. */
export function durationText(seconds: number): string {
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86_400)]
  if (days > 0) return joined(`${days} d`, hours % 24, 'h')
  if (hours > 0) return joined(`${hours} h`, minutes % 60, 'min')
  return minutes > 0 ? joined(`${minutes} min`, seconds % 60, 's') : `${seconds} s`
}

function joined(first: string, rest: number, unit: string): string {
  return rest === 0 ? first : `${first} ${rest} ${unit}`
}

/** Half to even, as money is rounded everywhere. */
function rounded(number: bigint, unit: bigint): bigint {
  const [quotient, rest] = [number / unit, number % unit]
  const isUp = rest * 2n > unit || (rest * 2n === unit && quotient % 2n === 1n)
  return isUp ? quotient + 1n : quotient
}

function grouped(whole: bigint): string {
  return String(whole).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}
