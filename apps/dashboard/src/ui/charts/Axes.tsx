import { namedPoints, type TimeAxis } from './rules/time-axis.ts'
import type { ValueAxis } from './rules/value-axis.ts'

export type AxesProps = {
  readonly labels: readonly string[]
  readonly time: TimeAxis
  readonly value: ValueAxis
  readonly width: number
  readonly height: number
  /** How wide a letter of a label is. */
  readonly glyph: number
}

/** Lines across the chart with their figures at the left, and names of points below it. */
export function Axes({ labels, time, value, width, height, glyph }: AxesProps) {
  // A name stands below the middle of its bar; where it would stick out of the chart, it ends with it.
  const placeOf = (name: string, center: number) =>
    center + (name.length * glyph) / 2 > width
      ? ({ x: width, textAnchor: 'end' } as const)
      : ({ x: center, textAnchor: 'middle' } as const)
  return (
    <g className="chart-axis">
      {value.ticks.map(({ units, place, text }) => (
        <g key={String(units)} transform={`translate(0 ${height * (1 - place)})`}>
          <line x2={width} className={place === 0 ? 'chart-zero' : 'chart-grid'} />
          <text x={-8} dy="0.32em" textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {namedPoints(labels, time.step, glyph).map((index) => (
        <text key={index} {...placeOf(labels[index] ?? '', time.centerOf(index))} y={height + glyph * 2.6}>
          {labels[index]}
        </text>
      ))}
    </g>
  )
}
