import type { ReactNode } from 'react'

export type EmptyStateProps = {
  readonly title: string
  readonly text?: ReactNode
  readonly icon?: ReactNode
  readonly action?: ReactNode
  readonly second?: ReactNode
}

/** What would be here, why it isn't, and one way to change that. */
export function EmptyState({ title, text, icon, action, second }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      {icon !== undefined && (
        <span
          aria-hidden
          className="mb-4 inline-flex size-11 items-center justify-center rounded-card border border-border bg-bg text-muted [&>svg]:size-5"
        >
          {icon}
        </span>
      )}
      <p className="text-h3 font-semibold">{title}</p>
      {text !== undefined && <p className="mt-1.5 max-w-[52ch] text-body text-muted">{text}</p>}
      {(action !== undefined || second !== undefined) && (
        <div className="mt-5 flex flex-wrap justify-center gap-2">
          {action}
          {second}
        </div>
      )}
    </div>
  )
}
