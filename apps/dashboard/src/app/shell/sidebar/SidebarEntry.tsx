import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import type { FocusEvent, MouseEvent } from 'react'

import { documentationUrl } from '../../../api/backend.ts'
import { useFollow } from '../../../lib/navigation/navigate.ts'
import { Tooltip } from '../../../ui/feedback/Tooltip.tsx'
import { hrefOf, isActive } from '../../navigation/menu.ts'
import type { NavEntry, NavLeaf } from '../../navigation/menu.ts'

export type SidebarEntryProps = {
  readonly entry: NavEntry
  readonly isCollapsed: boolean
  /** How much behind it waits for this operator. */
  readonly waiting: number
  readonly projectId: string
  readonly pathname: string
  readonly isOpen: boolean
  /** Closed by a press on an entry below: its place stays until the pointer is gone, so that the pressed one does. */
  readonly isHeld: boolean
  readonly onToggle: (event: MouseEvent) => void
}

const ROW =
  'flex items-center gap-2.5 rounded-control text-start text-body font-medium transition-colors duration-[120ms] coarse:min-h-11'
const QUIET = 'text-strong-muted hover:bg-hover hover:text-ink'
const LIT = 'bg-selected text-ink'

/** One entry of the menu: a link, or a button that opens its links below it (beside it when the menu is a strip). */
export function SidebarEntry(props: SidebarEntryProps) {
  const { entry, isCollapsed, waiting, projectId, pathname, isOpen, isHeld, onToggle } = props
  const listId = useId()
  const isLit = isActive(entry.id, pathname)

  if (entry.page !== undefined) {
    return (
      <li className={isCollapsed ? 'flex justify-center' : ''}>
        <EntryLink
          entry={entry}
          href={hrefOf(entry.page, projectId)}
          waiting={waiting}
          isCollapsed={isCollapsed}
          isLit={isLit}
        />
        {entry.withDocumentation && !isCollapsed && <Documentation />}
      </li>
    )
  }
  if (isCollapsed) return <Flyout {...props} isLit={isLit} />
  return (
    <li className="@container relative">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={onToggle}
        className={`${ROW} min-h-9 w-full px-2.5 py-1 ${isLit ? 'text-ink hover:bg-hover' : QUIET}`}
      >
        <entry.icon aria-hidden size={18} strokeWidth={1.75} className={isLit ? 'text-accent-text' : ''} />
        <span className="min-w-0 flex-1 break-words">{t(entry.label)}</span>
        {waiting > 0 && <WaitingChip count={waiting} />}
        <ChevronDown
          aria-hidden
          size={16}
          strokeWidth={1.75}
          className={`text-muted transition-transform duration-[160ms] ${isOpen ? '' : '-rotate-90'}`}
        />
      </button>
      <div id={listId} hidden={!isOpen && !isHeld} className={`mt-0.5 mb-1 ${isOpen ? '' : 'invisible'}`}>
        <Leaves {...props} />
      </div>
    </li>
  )
}

const MOST_SHOWN = 99

/** How much waits for this operator, beside the name of an entry. */
function WaitingChip({ count }: { count: number }) {
  const shown = count > MOST_SHOWN ? `${MOST_SHOWN}+` : String(count)
  return (
    <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-full border border-warning-border bg-warning-tint px-1.5 text-caption font-semibold text-warning-text tabular-nums">
      <span className="sr-only">{t`${shown} wait for you`}</span>
      <span aria-hidden>{shown}</span>
    </span>
  )
}

function EntryLink({
  entry,
  href,
  waiting,
  isCollapsed,
  isLit,
}: {
  entry: NavEntry
  href: string
  waiting: number
  isCollapsed: boolean
  isLit: boolean
}) {
  const follow = useFollow()
  const link = (
    <a
      href={href}
      onClick={follow}
      aria-current={isLit ? 'page' : undefined}
      aria-label={isCollapsed ? t(entry.label) : undefined}
      className={`${ROW} ${isCollapsed ? 'size-10 justify-center' : 'min-h-9 w-full px-2.5 py-1'} ${isLit ? LIT : QUIET}`}
    >
      <entry.icon aria-hidden size={18} strokeWidth={1.75} className={isLit ? 'text-accent-text' : ''} />
      {!isCollapsed && <span className="min-w-0 flex-1 break-words">{t(entry.label)}</span>}
      {!isCollapsed && waiting > 0 && <WaitingChip count={waiting} />}
    </a>
  )
  return isCollapsed ? (
    <Tooltip text={t(entry.label)} beside>
      {link}
    </Tooltip>
  ) : (
    link
  )
}

function Leaves({ entry, projectId, pathname }: SidebarEntryProps) {
  return (
    <ul className="flex flex-col gap-0.5">
      {entry.leaves.map((leaf) => (
        <Leaf key={leaf.id} leaf={leaf} href={hrefOf(leaf.page, projectId)} isLit={isActive(leaf.id, pathname)} />
      ))}
    </ul>
  )
}

type LeafProps = {
  readonly leaf: NavLeaf
  readonly href: string
  readonly isLit: boolean
}

function Leaf({ leaf, href, isLit }: LeafProps) {
  const follow = useFollow()
  return (
    <li className="@container relative">
      <a
        href={href}
        onClick={follow}
        aria-current={isLit ? 'page' : undefined}
        className={`${ROW} min-h-8 py-1 ps-9.5 pe-2.5 ${isLit ? LIT : `${QUIET} font-normal`}`}
      >
        <span className="min-w-0 break-words">{t(leaf.label)}</span>
      </a>
    </li>
  )
}

/** The submenu of a strip: a popover beside its icon; a press outside, Escape and a leaving focus close it. */
function Flyout(props: SidebarEntryProps & { readonly isLit: boolean }) {
  const { entry, isLit } = props
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const onBlur = (event: FocusEvent<HTMLDivElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.hidePopover?.()
  }
  return (
    <li className="flex justify-center">
      <Tooltip text={t(entry.label)} beside>
        <button
          type="button"
          aria-label={t(entry.label)}
          aria-expanded={isOpen}
          aria-controls={id}
          popoverTarget={id}
          className={`${ROW} size-10 justify-center ${isLit ? LIT : QUIET}`}
        >
          <entry.icon aria-hidden size={18} strokeWidth={1.75} className={isLit ? 'text-accent-text' : ''} />
        </button>
      </Tooltip>
      <div
        id={id}
        popover="auto"
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
        onBlur={onBlur}
        className="hangs hangs-beside w-56 rounded-card border border-border bg-raised p-1.5 text-ink shadow-menu [&_a]:ps-2.5"
      >
        <p className="@container relative px-2.5 pt-1 pb-1.5 text-caption font-medium text-muted">{t(entry.label)}</p>
        <Leaves {...props} />
      </div>
    </li>
  )
}

function Documentation() {
  return (
    <a
      href={documentationUrl()}
      target="_blank"
      rel="noreferrer"
      className={`${ROW} ${QUIET} mt-0.5 min-h-8 py-1 ps-9.5 pe-2.5 font-normal`}
    >
      <Trans>Documentation</Trans>
      <span className="sr-only">
        <Trans>(opens in a new tab)</Trans>
      </span>
      <span aria-hidden className="text-muted">
        ↗
      </span>
    </a>
  )
}
