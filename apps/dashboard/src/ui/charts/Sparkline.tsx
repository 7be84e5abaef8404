import { area, line } from 'd3-shape'

import { markStyle } from './marks.ts'
import { compare } from './rules/series.ts'

/** So fine is the drawing: a figure of any size is one of so many heights. */
const STEPS = 1_000n

const WIDTH = 100
const HEIGHT = 28

/** The course of a figure, without axes or names: it stands beside the figure it is of, which says it. */
export function Sparkline({ values }: { values: readonly bigint[] }) {
  const largest = values.toSorted(compare).at(-1) ?? 0n
  const heightOf = (units: bigint) =>
    HEIGHT - 1.5 - (largest <= 0n ? 0 : (Number((units * STEPS) / largest) / Number(STEPS)) * (HEIGHT - 3))
  const x = (_: unknown, index: number) => (values.length < 2 ? WIDTH / 2 : (index / (values.length - 1)) * WIDTH)
  const edge = line<bigint>(x, heightOf)(values) ?? ''
  const ground = area<bigint>(x, HEIGHT, heightOf)(values) ?? ''
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-7 w-full"
      style={markStyle('var(--chart-1)')}
    >
      <path d={ground} className="chart-area" />
      <path d={edge} className="chart-line" fill="none" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
