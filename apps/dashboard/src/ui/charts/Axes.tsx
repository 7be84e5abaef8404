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
        <text key={index} x={time.centerOf(index)} y={height + glyph * 2.6} textAnchor="middle">
          {labels[index]}
        </text>
      ))}
    </g>
  )
}
