import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'

import { Button } from '../actions/Button.tsx'

export type BulkBarProps = {
  /** How many rows are picked. */
  readonly count: number
  /** What is picked where rows of other pages are too, in place of the count. */
  readonly text?: string | undefined
  /** Offers to pick more than this page. */
  readonly more?: { readonly label: string; readonly onPick: () => void } | undefined
  /** A limit of what can be done to so many. */
  readonly note?: string | undefined
  readonly children: ReactNode
  readonly onClear: () => void
}

/** From behind the bar down to the edge of the screen lies the page: no slice of a row shows there. */
const GROUND =
  'before:absolute before:inset-x-0 before:top-1/2 before:bottom-[calc(-1*var(--page-end,0px))] before:bg-bg'

/** What can be done to the rows that are picked, at the bottom edge of the screen. */
export function BulkBar({ count, text, more, note, children, onClear }: BulkBarProps) {
  return (
    <div className={`sticky bottom-[var(--page-end,0px)] z-10 mt-3 pb-4 ${GROUND}`}>
      <div
        role="region"
        aria-label={t`Selected rows`}
        className="relative flex flex-wrap items-center gap-2 rounded-card border border-border bg-raised px-4 py-2.5 shadow-menu max-sm:[&>button]:flex-1"
      >
        <div className="me-auto flex flex-wrap items-center gap-x-3">
          <p role="status" className="text-body font-medium tabular-nums">
            {text ?? plural(count, { one: '# selected', other: '# selected' })}
          </p>
          {more !== undefined && (
            <Button size="small" onClick={more.onPick}>
              {more.label}
            </Button>
          )}
          {note !== undefined && <p className="basis-full text-dense text-muted">{note}</p>}
        </div>
        {children}
        <Button kind="quiet" size="small" onClick={onClear}>
          {t({ message: 'Clear', comment: 'pick no row any more' })}
        </Button>
      </div>
    </div>
  )
}
