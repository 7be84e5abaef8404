import { t } from '@lingui/core/macro'
import { Ellipsis } from 'lucide-react'
import { useRef, useState } from 'react'
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react'

import { IconButton } from '../actions/IconButton.tsx'

/** Before `--page-start` stands what the page's frame keeps for itself. */
const BAR =
  'max-sm:fixed max-sm:start-[var(--page-start,0px)] max-sm:end-0 max-sm:bottom-0 max-sm:z-20 max-sm:border-t max-sm:border-border max-sm:bg-raised max-sm:px-4 max-sm:pt-2 max-sm:pb-[calc(0.5rem+env(safe-area-inset-bottom))] max-sm:not-has-[a,button]:hidden'

/** Buttons share the width of the bar; a name too long for its share takes a second line. */
const SHARED =
  'max-sm:[&>:is(a,button)]:h-auto max-sm:[&>:is(a,button)]:min-h-9 max-sm:[&>:is(a,button)]:min-w-0 max-sm:[&>:is(a,button)]:flex-1 max-sm:[&>:is(a,button)]:whitespace-normal'

export type PageActionsProps = {
  /** What the page is for; always in sight. */
  readonly primary?: ReactNode
  /** What else can be done: on a phone behind one button where there is a primary. */
  readonly others?: ReactNode
}

/** What can be done on a page: beside its heading, on a phone in a bar at the bottom edge. */
export function PageActions({ primary, others }: PageActionsProps) {
  const [isOpen, setIsOpen] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const isFolding = isThere(primary) && isThere(others)
  if (!isThere(primary) && !isThere(others)) return null

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // A menu or a dialog of an action closes first, and alone.
    const isInLayer = event.target instanceof Element && event.target.closest('dialog, [popover]') !== null
    if (event.key !== 'Escape' || !isOpen || isInLayer) return
    setIsOpen(false)
    more.current?.focus()
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setIsOpen(false)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears the keys of the buttons inside
    <div className={`page-actions flex flex-wrap gap-2 ${BAR} ${SHARED}`} onKeyDown={onKeyDown} onBlur={onBlur}>
      {isFolding && (
        <span className="sm:hidden [&:has(+:empty)]:hidden">
          <IconButton
            ref={more}
            label={t`More actions`}
            expanded={isOpen}
            icon={<Ellipsis aria-hidden />}
            onClick={() => setIsOpen(!isOpen)}
          />
        </span>
      )}
      {isThere(others) && (
        <div className={`flex flex-wrap gap-2 sm:contents ${SHARED} ${foldedClasses(isFolding, isOpen)}`}>{others}</div>
      )}
      {primary}
    </div>
  )
}

function foldedClasses(isFolding: boolean, isOpen: boolean): string {
  if (!isFolding) return 'max-sm:flex-1'
  return isOpen ? 'max-sm:order-first max-sm:w-full' : 'max-sm:hidden'
}

function isThere(node: ReactNode): boolean {
  return node !== undefined && node !== null && node !== false
}
