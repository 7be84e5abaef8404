import { type ReactNode, useId } from 'react'

import { useFollow } from '../../lib/navigation/navigate.ts'
import { Swatch } from './Legend.tsx'
import { markStyle } from './marks.ts'
import { patternIds, Patterns } from './Patterns.tsx'
import { paintsOf } from './rules/paint.ts'
import { piecesOf } from './rules/shares.ts'

/** One part of a whole. */
export type SharePart = {
  readonly key: string
  readonly name: string
  /** Beside the name, smaller. */
  readonly note?: string | undefined
  readonly color?: string | undefined
  readonly units: bigint
  /** In full: "$51,302.00". */
  readonly text: string
  /** "61.2%". */
  readonly share: string
  readonly href?: string | undefined
}

/** What a whole consists of: one bar, and the list of its parts, each leading to what is behind it. */
export function ShareBar({ label, parts }: { label: string; parts: readonly SharePart[] }) {
  const id = useId().replace(/\W/g, '')
  const follow = useFollow()
  const pieces = piecesOf(parts.map(({ units }) => units))
  const paints = paintsOf(parts)
  const painted = parts.map((part, place) => ({
    ...part,
    paint: paints[place] ?? '',
    pattern: patternIds(id).plain(place),
  }))
  return (
    <div>
      <svg aria-hidden className="block h-7 w-full overflow-hidden rounded-chip" preserveAspectRatio="none">
        <Patterns chart={id} colors={painted.map(({ paint }) => paint)} />
        {painted.map(({ key, paint, pattern }, index) => {
          const { start, size } = pieces[index] ?? { start: 0, size: 0 }
          return (
            <g key={key} className="chart-mark" style={markStyle(paint, pattern)}>
              <rect x={`${start}%`} width={`${size}%`} height="100%" className="chart-piece" />
            </g>
          )
        })}
      </svg>
      <ol aria-label={label} className="mt-3 -mx-2">
        {painted.map(({ key, name, note, paint, pattern, text, share, href }) => (
          <li key={key}>
            <Row href={href} onFollow={follow}>
              <Swatch paint={paint} pattern={pattern} />
              <span className="min-w-0 flex-1 basis-24 break-words">
                {name}
                {note !== undefined && <span className="ms-1.5 text-muted">{note}</span>}
              </span>
              <span className="text-muted tabular-nums">{share}</span>
              <span className="min-w-20 text-end font-medium tabular-nums">{text}</span>
            </Row>
          </li>
        ))}
      </ol>
    </div>
  )
}

type RowProps = {
  readonly href: string | undefined
  readonly onFollow: ReturnType<typeof useFollow>
  readonly children: ReactNode
}

const ROW = 'flex flex-wrap items-center gap-x-2.5 rounded-control px-2 py-1.5 text-body coarse:min-h-11'

function Row({ href, onFollow, children }: RowProps) {
  if (href === undefined) return <div className={ROW}>{children}</div>
  return (
    <a href={href} onClick={onFollow} className={`${ROW} hover:bg-hover`}>
      {children}
    </a>
  )
}
