import { scaleBand } from 'd3-scale'

/** More bars than this are a line: each would be thinner than the gaps. */
export const MOST_BARS = 45

export type TimeAxis = {
  /** The width of a bar. */
  readonly bandwidth: number
  /** The width a bar and the gap beside it take. */
  readonly step: number
  /** Where the bar of a point begins. */
  readonly startOf: (index: number) => number
  readonly centerOf: (index: number) => number
  /** Which point is nearest to a place. */
  readonly nearestTo: (x: number) => number
}

/** A bar alone is no wall. */
const WIDEST_BAR = 72

/** Returns where the points of a chart lie, from the earliest at the left: time runs so in every language. */
export function timeAxis(points: number, width: number): TimeAxis {
  const places = Array.from({ length: points }, (_, index) => index)
  const scale = scaleBand<number>()
    .domain(places)
    .range([0, Math.max(1, width)])
    .paddingInner(points > MOST_BARS ? 0 : 0.28)
    .paddingOuter(points > MOST_BARS ? 0 : 0.14)
  const step = scale.step()
  const bandwidth = Math.min(scale.bandwidth(), WIDEST_BAR)
  const centerOf = (index: number) => (scale(index) ?? 0) + scale.bandwidth() / 2
  const first = points === 0 ? 0 : centerOf(0)
  return {
    bandwidth,
    step,
    startOf: (index) => centerOf(index) - bandwidth / 2,
    centerOf,
    nearestTo: (x) => Math.max(0, Math.min(points - 1, Math.round((x - first) / step))),
  }
}

/**
 * Returns which points are named below the axis: as many as have room beside each other, the last one always, at an even
 * distance counted from it, since what is newest is looked for first.
 */
export function namedPoints(labels: readonly string[], step: number, glyph: number): readonly number[] {
  const width = Math.max(1, ...labels.map((label) => label.length)) * glyph
  // The last name ends with the chart where it would stick out of it, and stands nearer to the one before by as much.
  const overhang = Math.max(0, (width - step) / 2)
  const room = width + overhang + 2 * glyph
  const every = Math.max(1, Math.ceil(room / Math.max(step, 0.01)))
  const last = labels.length - 1
  return labels.map((_, index) => index).filter((index) => (last - index) % every === 0)
}
