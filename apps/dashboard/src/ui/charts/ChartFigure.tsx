import { type ReactNode, useId } from 'react'

export type ChartFigureProps = {
  readonly name: string
  /** One sentence: "$84,112 in 30 days, highest 12 Nov". */
  readonly summary: string
  /** Buttons beside the name. */
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Below it, in small: "as of 05:10:44". */
  readonly foot?: ReactNode
}

/** A chart with its name, what it says in one sentence, and what can be done with it. */
export function ChartFigure({ name, summary, actions, children, foot }: ChartFigureProps) {
  const id = useId()
  return (
    <figure aria-labelledby={id} aria-describedby={`${id}-summary`} className="flex min-w-0 flex-1 flex-col">
      <figcaption className="mb-2 flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 id={id} className="text-body font-medium">
            {name}
          </h3>
          <p id={`${id}-summary`} className="text-dense text-muted">
            {summary}
          </p>
        </div>
        {actions !== undefined && <div className="-my-1 flex shrink-0">{actions}</div>}
      </figcaption>
      <div className="min-w-0 flex-1">{children}</div>
      {foot !== undefined && <div className="mt-2 text-caption text-muted">{foot}</div>}
    </figure>
  )
}
