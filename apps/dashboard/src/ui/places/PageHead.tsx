import type { ReactNode } from 'react'

import { PageActions } from './PageActions.tsx'

export type PageHeadProps = {
  readonly title: string
  readonly text?: ReactNode
  /** The state of the thing itself, right after its name. */
  readonly badge?: ReactNode
  /** A link that belongs to the page, at its other side. */
  readonly aside?: ReactNode
  /** The one action the page is for. */
  readonly primary?: ReactNode
  /** Other actions; on a phone all of them move into a bar at the bottom edge. */
  readonly actions?: ReactNode
}

/** The one heading of a page, its sentence and its actions. On navigation the focus moves to the heading. */
export function PageHead({ title, text, badge, aside, primary, actions }: PageHeadProps) {
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="min-w-0 flex-[1_1_20rem]">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1
            tabIndex={-1}
            className="min-w-0 text-h1 font-semibold break-words max-sm:text-[length:min(1.75rem,11vw)]"
          >
            {title}
          </h1>
          {badge}
        </div>
        {text !== undefined && <p className="mt-1 max-w-[68ch] text-body text-muted">{text}</p>}
      </div>
      {aside !== undefined && <div className="flex flex-wrap gap-2">{aside}</div>}
      <PageActions primary={primary} others={actions} />
    </div>
  )
}
