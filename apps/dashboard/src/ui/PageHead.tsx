import type { ReactNode } from 'react'

/** The one heading of a page, its sentence and its actions. On navigation the focus moves to the heading. */
export function PageHead({ title, text, actions }: { title: string; text?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        <h1 tabIndex={-1} className="text-h1 font-semibold">
          {title}
        </h1>
        {text !== undefined && <p className="mt-1 max-w-[68ch] text-body text-muted">{text}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}
