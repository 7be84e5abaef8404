import type { ReactNode } from 'react'

import { useFollow } from '../../lib/navigation/navigate.ts'

export type StatTileProps = {
  readonly label: string
  readonly value: ReactNode
  /** In words: "12.4% more than the 30 days before". */
  readonly note?: ReactNode
  /** Below it all: the course of the figure. */
  readonly course?: ReactNode
  /** Its name takes two lines, of about one length, so that the figures of a row stand beside each other. */
  readonly even?: boolean
  readonly href?: string
  /** Marks the tile whose filter is on. */
  readonly current?: boolean
}

/** One figure with its name; the whole tile is the link when it leads somewhere. */
export function StatTile({ label, value, note, course, href, current = false, even = false }: StatTileProps) {
  const follow = useFollow()
  const look = `block rounded-card border bg-surface px-edge py-3.5 shadow-card ${current ? 'border-accent-text' : 'border-border'}`
  const content = (
    <>
      <span className={`block text-dense text-muted ${even ? 'min-h-[2lh] text-balance' : ''}`}>{label}</span>
      <span
        className={`mt-0.5 block text-h2 font-semibold tabular-nums ${even ? 'break-words max-sm:text-field' : ''}`}
      >
        {value}
      </span>
      {note !== undefined && <span className="mt-0.5 block text-caption text-muted">{note}</span>}
      {course}
    </>
  )
  if (href === undefined) return <div className={look}>{content}</div>
  return (
    <a
      href={href}
      onClick={follow}
      aria-current={current ? 'true' : undefined}
      className={`${look} transition-colors duration-[120ms] hover:bg-hover`}
    >
      {content}
    </a>
  )
}
