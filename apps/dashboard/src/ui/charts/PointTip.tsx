import { Trans } from '@lingui/react/macro'

import type { Painted } from './marks.ts'
import { compare, totalOf, type Measure } from './rules/series.ts'
import { Swatch } from './Legend.tsx'

export type PointTipProps = {
  readonly name: string
  readonly series: readonly Painted[]
  readonly point: number
  /** The series that is read, among all. */
  readonly read: string | undefined
  readonly measure: Measure
  readonly before?: bigint | undefined
  /** What pressing does; absent where it does nothing. */
  readonly hint?: string | undefined
  /** In per cent of the width of the chart. */
  readonly place: number
}

/** All series of one point beside the line that marks it. It repeats what is spoken and what the table holds. */
export function PointTip({ name, series, point, read, measure, before, hint, place }: PointTipProps) {
  const rows = series
    .map((one) => ({ ...one, units: one.values[point] ?? 0n }))
    .filter(({ units }) => units > 0n)
    .toSorted((a, b) => compare(b.units, a.units))
  const total = totalOf(rows.map(({ units }) => units))
  return (
    <div
      aria-hidden
      style={place > 50 ? { right: `calc(${100 - place}% + 14px)` } : { left: `calc(${place}% + 14px)` }}
      className="pointer-events-none absolute top-1 z-10 w-max max-w-[calc(50%+3rem)] min-w-36 rounded-control border border-border bg-raised px-3 py-2 text-dense shadow-menu"
    >
      <p className="font-medium">{name}</p>
      {rows.map(({ key, name: label, paint, pattern, units }) => (
        <p key={key} className={`flex items-center gap-2 ${key === read ? 'font-semibold' : ''}`}>
          <Swatch paint={paint} pattern={pattern} />
          <span className="min-w-0 flex-1 truncate text-muted">{label}</span>
          <span className="tabular-nums">{measure.text(units)}</span>
        </p>
      ))}
      {rows.length !== 1 && (
        <p className="mt-1 flex justify-between gap-4 border-t border-border pt-1 font-medium">
          <span>
            <Trans>Total</Trans>
          </span>
          <span className="tabular-nums">{measure.text(total)}</span>
        </p>
      )}
      {before !== undefined && (
        <p className="flex justify-between gap-4 text-muted">
          <span>
            <Trans>Period before</Trans>
          </span>
          <span className="tabular-nums">{measure.text(before)}</span>
        </p>
      )}
      {hint !== undefined && <p className="mt-1 text-caption text-muted">{hint}</p>}
    </div>
  )
}
