import { layersOf, markStyle, type MarksProps } from './marks.ts'
import { patternIds } from './Patterns.tsx'

/** Between two layers the card shows through. */
const GAP = 2

/** Something that is there is never too thin to be seen. */
const THINNEST = 1.5

/** Bars, one layer per series; the one that still fills is hatched. */
export function Bars(props: MarksProps) {
  const { chart, points, series, time, value, height, before, read } = props
  const ids = patternIds(chart)
  const layers = layersOf(props)
  return (
    <g>
      {read !== undefined && (
        <rect x={time.centerOf(read) - time.step / 2} width={time.step} height={height} rx={4} className="chart-band" />
      )}
      {before?.slice(0, points.length).map((units, index) => {
        const top = height * (1 - value.placeOf(units))
        const size = { x: time.startOf(index) - 2, width: time.bandwidth + 4, y: top, height: height - top }
        return (
          units > 0n && <rect key={points[index]?.key} {...size} rx={2} fill={`url(#${ids.before})`} opacity={0.55} />
        )
      })}
      {series.map((one, row) => (
        <g key={one.key} className="chart-mark" style={markStyle(one.paint, one.pattern)}>
          {points.map(({ key, isCurrent }, index) => {
            const { from, to } = layers[row]?.[index] ?? { from: 0, to: 0 }
            if ((one.values[index] ?? 0n) <= 0n) return null
            const thick = Math.max(THINNEST, from - to - (row > 0 ? GAP : 0))
            return (
              <rect
                key={key}
                x={time.startOf(index)}
                y={to}
                width={time.bandwidth}
                height={thick}
                rx={Math.min(2, thick / 2)}
                fill={isCurrent === true ? `url(#${ids.hatch(one.place)})` : undefined}
                className={isCurrent === true ? 'chart-current' : undefined}
              />
            )
          })}
        </g>
      ))}
    </g>
  )
}
