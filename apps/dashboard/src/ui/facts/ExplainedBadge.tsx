import { StatusBadge } from './StatusBadge.tsx'
import type { StatusBadgeProps } from './StatusBadge.tsx'

export type ExplainedBadgeProps = {
  readonly badge: StatusBadgeProps
  /** What the state waits for, or why it is so. */
  readonly why: string | undefined
}

/** A state, and its reason below it. On a card both are at the end of the line. */
export function ExplainedBadge({ badge, why }: ExplainedBadgeProps) {
  return (
    <span className="flex flex-col items-start gap-0.5 max-sm:items-end sm:has-[span+span]:py-1">
      <StatusBadge {...badge} />
      {why !== undefined && <span className="text-dense whitespace-normal text-muted">{why}</span>}
    </span>
  )
}
