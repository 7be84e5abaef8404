import { t } from '@lingui/core/macro'
import type { ReactNode, RefObject } from 'react'

export type TableBoxProps = {
  readonly caption: string
  readonly box: RefObject<HTMLDivElement | null>
  /** What it holds does not fit into it. */
  readonly isWider: boolean
  readonly children: ReactNode
}

/**
 * What a table stands in, so that its head stays in view. One that fits scrolls with the page. A wider one scrolls
 * sideways, and then a head can stay only within what scrolls: it gets a window of its own, which leaves room for the top
 * bar above it and for the content below. Its focus is drawn around the card: sticky cells would cover it.
 */
export function TableBox({ caption, box, isWider, children }: TableBoxProps) {
  if (!isWider) return <div ref={box}>{children}</div>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table scrolls by keyboard
    <div
      ref={box}
      role="region"
      aria-label={t`${caption}, table`}
      tabIndex={0}
      data-wide
      className="max-h-[max(24rem,calc(100dvh-15rem))] scroll-pt-11 overflow-auto focus-visible:outline-none"
    >
      {children}
    </div>
  )
}
