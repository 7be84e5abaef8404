import { totalOf } from './series.ts'

/** Shares are shown to a thousandth of the whole. */
const THOUSAND = 1000n

/** What a part is of the whole, in thousandths: cut, and the parts together are at most the whole. */
function thousandthsOf(part: bigint, whole: bigint): number {
  if (whole <= 0n || part <= 0n) return 0
  return Number((part * THOUSAND) / whole)
}

/** Returns a share as people read it: "61.2%", "<0.1%" below a thousandth, "100.0%" for all of it. */
export function shareText(part: bigint, whole: bigint, percent: Intl.NumberFormat): string {
  const thousandths = thousandthsOf(part, whole)
  if (part > 0n && thousandths === 0) return `<${percent.format(0.001)}`
  return percent.format(thousandths / Number(THOUSAND))
}

/** One piece of a share bar, in hundredths of its length. */
export type Piece = { readonly start: number; readonly size: number }

/** So much of the bar every piece that is there at all takes at least, so that it can be seen and pressed. */
const LEAST_SIZE = 0.6

/** Returns where the pieces of a share bar lie: those too small to be seen take a little from the others. */
export function piecesOf(values: readonly bigint[]): readonly Piece[] {
  const whole = totalOf(values)
  const sizes = values.map((value) => {
    if (whole <= 0n || value <= 0n) return 0
    return Math.max(LEAST_SIZE, Number((value * 1_000_000n) / whole) / 10_000)
  })
  const taken = sizes.reduce((sum, size) => sum + size, 0)
  let start = 0
  return sizes.map((size) => {
    const piece = { start, size: taken === 0 ? 0 : (size / taken) * 100 }
    start += piece.size
    return piece
  })
}
