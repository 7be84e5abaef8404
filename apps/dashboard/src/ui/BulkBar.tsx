import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'

import { Button } from './Button.tsx'

export type BulkBarProps = {
  /** How many rows are picked. */
  readonly count: number
  readonly children: ReactNode
  readonly onClear: () => void
}

/** What can be done to the rows that are picked, at the bottom edge of the screen. */
export function BulkBar({ count, children, onClear }: BulkBarProps) {
  return (
    <div
      role="region"
      aria-label={t`Selected rows`}
      className="sticky bottom-4 z-20 mt-3 flex flex-wrap items-center gap-2 rounded-card border border-border bg-raised px-4 py-2.5 shadow-menu"
    >
      <p role="status" className="me-auto text-body font-medium tabular-nums">
        {plural(count, { one: '# selected', other: '# selected' })}
      </p>
      {children}
      <Button kind="quiet" size="small" onClick={onClear}>
        {t({ message: 'Clear', comment: 'pick no row any more' })}
      </Button>
    </div>
  )
}
