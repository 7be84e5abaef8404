import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef } from 'react'

import { markStyle } from './marks.ts'
import { type Hidden, hiddenAfterDoublePress, hiddenAfterPress } from './rules/legend.ts'

/** Two presses within this time are one double press. */
const DOUBLE_MS = 400

export type LegendEntry = {
  readonly key: string
  readonly name: string
  readonly paint: string
  /** The id of the pattern that replaces the colour where there are none. */
  readonly pattern: string
}

export type LegendProps = {
  readonly entries: readonly LegendEntry[]
  readonly hidden: Hidden
  readonly onHidden: (hidden: Hidden) => void
  /** The id of the pattern of the period before, where it is drawn. */
  readonly before?: string | undefined
}

/** The series of a chart as buttons: a press hides one, a double press shows it alone. */
export function Legend({ entries, hidden, onHidden, before }: LegendProps) {
  const last = useRef<{ readonly key: string; readonly at: number; readonly before: Hidden }>(undefined)
  const keys = entries.map(({ key }) => key)
  const press = (key: string) => {
    const [before, at] = [last.current, Date.now()]
    if (before?.key === key && at - before.at < DOUBLE_MS) {
      last.current = undefined
      return onHidden(hiddenAfterDoublePress(before.before, keys, key))
    }
    last.current = { key, at, before: hidden }
    return onHidden(hiddenAfterPress(hidden, keys, key))
  }
  return (
    <ul aria-label={t`Series`} className="mt-1.5 flex flex-wrap gap-x-1 gap-y-0.5">
      {entries.map(({ key, name, paint, pattern }) => (
        <li key={key}>
          <button
            type="button"
            aria-pressed={!hidden.has(key)}
            title={t`Press to hide or show, twice to show alone`}
            onClick={() => press(key)}
            className="inline-flex min-h-6 items-center gap-1.5 rounded-chip px-1.5 text-caption text-muted hover:bg-hover hover:text-ink aria-[pressed=false]:line-through aria-[pressed=false]:opacity-60 coarse:min-h-11"
          >
            <Swatch paint={paint} pattern={pattern} />
            {name}
          </button>
        </li>
      ))}
      {before !== undefined && (
        <li className="inline-flex items-center gap-1.5 px-1.5 text-caption text-muted">
          <svg aria-hidden width={10} height={10}>
            <rect width={10} height={10} rx={3} fill={`url(#${before})`} />
          </svg>
          <Trans>Period before</Trans>
        </li>
      )}
    </ul>
  )
}

/** The colour of a series beside its name, and its pattern where there are no colours. */
export function Swatch({ paint, pattern }: Pick<LegendEntry, 'paint' | 'pattern'>) {
  return (
    <svg aria-hidden width={10} height={10} className="shrink-0" style={markStyle(paint, pattern)}>
      <rect width={10} height={10} rx={3} className="chart-mark" />
    </svg>
  )
}
