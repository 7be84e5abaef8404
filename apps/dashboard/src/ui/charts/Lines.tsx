import { area, line } from 'd3-shape'

import { type Layer, layersOf, markStyle, type MarksProps } from './marks.ts'

/** Lines with the area below them, one layer per series; what still fills is dashed. */
export function Lines(props: MarksProps) {
  const { points, series, time, value, height, before, read } = props
  const layers = layersOf(props)
  const x = (_: unknown, index: number) => time.centerOf(index)
  const ground = area<Layer>(
    x,
    ({ from }) => from,
    ({ to }) => to,
  )
  const edge = line<Layer>(x, ({ to }) => to)
  const last = points.length - 1
  const isFilling = points[last]?.isCurrent === true && last > 0
  const ofBefore = line<bigint>(x, (units) => height * (1 - value.placeOf(units)))
  return (
    <g>
      {before !== undefined && (
        <path
          d={ofBefore(before.slice(0, points.length)) ?? ''}
          className="chart-before"
          fill="none"
          strokeDasharray="2 4"
        />
      )}
      {series.map((one, row) => {
        const own = layers[row] ?? []
        const done = isFilling ? own.slice(0, last) : own
        const [from, to] = [own[last - 1], own[last]]
        return (
          <g key={one.key} style={markStyle(one.paint, one.pattern)}>
            <path d={ground(own) ?? ''} className="chart-area" />
            <path d={edge(done) ?? ''} className="chart-line" fill="none" />
            {isFilling && from !== undefined && to !== undefined && (
              <path
                d={`M${time.centerOf(last - 1)},${from.to}L${time.centerOf(last)},${to.to}`}
                className="chart-line"
                fill="none"
                strokeDasharray="4 4"
              />
            )}
            {read !== undefined && (
              <circle cx={time.centerOf(read)} cy={own[read]?.to} r={4} className="chart-mark chart-dot" />
            )}
          </g>
        )
      })}
    </g>
  )
}
