import type { Measure } from './series.ts'

/** A figure at the axis and where its line lies: 0 at the bottom of the chart, 1 at its top. */
export type Tick = { readonly units: bigint; readonly place: number; readonly text: string }

export type ValueAxis = {
  readonly ticks: readonly Tick[]
  /** Where a figure lies between the bottom (0) and the top (1). */
  readonly placeOf: (units: bigint) => number
}

/** The space between the bottom and the largest figure is divided into at most so many steps. */
const MOST_STEPS = 5n

/** Steps that heads reckon with, times a power of ten. */
const ROUND = [1n, 2n, 5n] as const

/** Places have a precision of a millionth of the height, which no screen can show. */
const MILLION = 1_000_000n

/**
 * Returns an axis from zero to a round figure at or above the largest. It reckons in whole units, so that figures beyond
 * what a double holds are drawn at their places too.
 */
export function valueAxis(largest: bigint, measure: Measure): ValueAxis {
  const step = stepFor(largest)
  const steps = largest <= 0n ? 0n : (largest + step - 1n) / step
  // Without any figure there is the ground alone.
  const top = steps === 0n ? 1n : steps * step
  const placeOf = (units: bigint) => Number((units * MILLION) / top) / Number(MILLION)
  const ticks = Array.from({ length: Number(steps) + 1 }, (_, index) => {
    const units = BigInt(index) * step
    return { units, place: placeOf(units), text: measure.tick(units) }
  })
  return { ticks, placeOf }
}

/** The smallest round step that few enough of reach the largest figure. */
function stepFor(largest: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    const step = ROUND.map((round) => round * power).find((one) => one * MOST_STEPS >= largest)
    if (step !== undefined) return step
  }
}
