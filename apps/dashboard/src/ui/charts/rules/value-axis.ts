import { scaleLinear } from 'd3-scale'

import type { Measure } from './series.ts'

/** A figure at the axis and where its line lies: 0 at the bottom of the chart, 1 at its top. */
export type Tick = { readonly units: bigint; readonly place: number; readonly text: string }

export type ValueAxis = {
  readonly ticks: readonly Tick[]
  /** Where a figure lies between the bottom (0) and the top (1). */
  readonly placeOf: (units: bigint) => number
}

/** An axis has about so many lines. */
const LINES = 4

/** Above this a figure is drawn in thousands, millions …: a drawing needs no more digits, and a double has no more. */
const MOST_DRAWN = 1_000_000_000_000n

/** Returns an axis from zero to a round figure above the largest. */
export function valueAxis(largest: bigint, measure: Measure): ValueAxis {
  const divisor = divisorFor(largest)
  const drawn = Math.max(1, Number(largest / divisor))
  const scale = scaleLinear().domain([0, drawn]).nice(LINES).range([0, 1])
  const steps = scale.ticks(LINES).filter((step) => divisor > 1n || Number.isInteger(step))
  const [, top = 1] = scale.domain()
  const ticks = steps.map((step) => {
    const units = BigInt(Math.round(step)) * divisor
    return { units, place: step / top, text: measure.tick(units) }
  })
  return { ticks, placeOf: (units) => Number((units * 1_000_000n) / (BigInt(Math.round(top)) * divisor)) / 1_000_000 }
}

function divisorFor(largest: bigint): bigint {
  let divisor = 1n
  while (largest / divisor > MOST_DRAWN) divisor *= 1000n
  return divisor
}
