import { markStyle } from './marks.ts'
import { MOST_SERIES } from './rules/series.ts'

/** So wide is one repetition of a pattern. */
const TILE = 6

/** Ways to tell areas apart without colour, in the order of the series; the last is that of all others. */
const SHAPES = ['M0 0h6v6h-6z', 'M0 6L6 0', 'M3 0v6', 'M0 3h6', 'M0 0L6 6M6 0L0 6', 'M2 2h2v2h-2z', 'M0 1.5h6M0 4.5h3']

/** Returns the ids under which a chart's patterns are found. */
export function patternIds(chart: string) {
  return {
    /** The series in print and in forced colours. */
    plain: (place: number) => `${chart}-pattern-${Math.min(place, MOST_SERIES)}`,
    /** What still fills, in the colour of its series. */
    hatch: (place: number) => `${chart}-hatch-${place}`,
    /** The period before. */
    before: `${chart}-before`,
  }
}

/** What the marks of a chart are filled with beside plain colours. */
export function Patterns({ chart, colors }: { chart: string; colors: readonly string[] }) {
  const ids = patternIds(chart)
  const tile = { width: TILE, height: TILE, patternUnits: 'userSpaceOnUse' } as const
  return (
    <defs>
      {colors.map((_, place) => (
        <pattern key={place} id={ids.plain(place)} {...tile}>
          <path d={SHAPES[place % SHAPES.length]} fill={place === 0 ? 'currentColor' : 'none'} stroke="currentColor" />
        </pattern>
      ))}
      {colors.map((color, place) => (
        <pattern key={place} id={ids.hatch(place)} {...tile} patternTransform="rotate(45)">
          <rect width={TILE} height={TILE} className="chart-hatch-ground" style={markStyle(color)} />
          <rect width={3} height={TILE} className="chart-hatch-line" style={markStyle(color)} />
        </pattern>
      ))}
      <pattern id={ids.before} {...tile} patternTransform="rotate(-45)">
        <rect width={1.5} height={TILE} fill="var(--text-muted)" />
      </pattern>
    </defs>
  )
}
