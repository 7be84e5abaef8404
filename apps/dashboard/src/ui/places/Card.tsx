import { useId } from 'react'
import type { ReactNode } from 'react'

export type CardProps = {
  readonly children: ReactNode
  /** Makes the card a region of this name, with a heading. */
  readonly title?: string
  readonly text?: ReactNode
  readonly actions?: ReactNode
  /** Content up to the edge, for tables. */
  readonly flush?: boolean
  /** As high as the card beside it. */
  readonly fills?: boolean
}

/** A surface that holds one thing. */
export function Card({ children, title, text, actions, flush = false, fills = false }: CardProps) {
  const titleId = useId()
  const Frame = title === undefined ? 'div' : 'section'
  return (
    <Frame
      aria-labelledby={title === undefined ? undefined : titleId}
      className={`rounded-card border border-border bg-surface shadow-card ${fills ? 'flex h-full flex-col' : ''}`}
    >
      {title !== undefined && (
        <header className="flex flex-wrap items-center justify-between gap-3 px-edge pt-4 sm:px-5">
          <div className="min-w-0">
            <h2 id={titleId} className="text-h3 font-semibold">
              {title}
            </h2>
            {text !== undefined && <p className="mt-0.5 text-body text-muted">{text}</p>}
          </div>
          {actions}
        </header>
      )}
      <div className={`${flush ? '' : 'px-edge py-4 sm:p-5'} ${fills ? 'flex-1' : ''}`}>{children}</div>
    </Frame>
  )
}
