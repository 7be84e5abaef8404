import type { ReactNode } from 'react'

import { PageActions } from './PageActions.tsx'

export type PageHeadProps = {
  readonly title: string
  readonly text?: ReactNode
  /** A word about the thing itself, such as its state. */
  readonly aside?: ReactNode
  /** The one action the page is for. */
  readonly primary?: ReactNode
  /** Other actions; on a phone all of them move into a bar at the bottom edge. */
  readonly actions?: ReactNode
}

/** The one heading of a page, its sentence and its actions. On navigation the focus moves to the heading. */
export function PageHead({ title, text, aside, primary, actions }: PageHeadProps) {
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        <h1 tabIndex={-1} className="text-h1 font-semibold break-words max-sm:text-[length:min(1.75rem,11vw)]">
          {title}
        </h1>
        {text !== undefined && <p className="mt-1 max-w-[68ch] text-body text-muted">{text}</p>}
      </div>
      {aside !== undefined && <div className="flex flex-wrap gap-2">{aside}</div>}
      <PageActions primary={primary} others={actions} />
    </div>
  )
}
