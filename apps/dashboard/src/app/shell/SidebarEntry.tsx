import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import type { FocusEvent } from 'react'

import { documentationUrl } from '../../api/backend.ts'
import { useFollow } from '../../lib/navigate.ts'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { fillHref, isActive } from '../navigation.ts'
import type { NavEntry } from '../navigation.ts'

export type SidebarEntryProps = {
  readonly entry: NavEntry
  readonly isStrip: boolean
  readonly projectId: string
  readonly pathname: string
  readonly isOpen: boolean
  readonly onToggle: () => void
}

const ROW =
  'flex items-center gap-2.5 rounded-control text-start text-body font-medium transition-colors duration-[120ms] coarse:min-h-11'
const QUIET = 'text-strong-muted hover:bg-hover hover:text-ink'
const LIT = 'bg-selected text-ink'

/** One entry of the menu: a link, or a button that opens its links below it (beside it when the menu is a strip). */
export function SidebarEntry(props: SidebarEntryProps) {
  const { entry, isStrip, projectId, pathname, isOpen, onToggle } = props
  const listId = useId()
  const isLit = isActive(entry.id, pathname)

  if (entry.leaves === undefined) {
    return (
      <li className={isStrip ? 'flex justify-center' : ''}>
        <EntryLink entry={entry} href={fillHref(entry.href ?? '', projectId)} isStrip={isStrip} isLit={isLit} />
        {entry.withDocumentation === true && !isStrip && <Documentation />}
      </li>
    )
  }
  if (isStrip) return <Flyout {...props} isLit={isLit} />
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={onToggle}
        className={`${ROW} h-9 w-full px-2.5 ${isLit ? 'text-ink hover:bg-hover' : QUIET}`}
      >
        <entry.icon aria-hidden size={18} strokeWidth={1.75} className={isLit ? 'text-accent-text' : ''} />
        <span className="flex-1 truncate">{t(entry.label)}</span>
        <ChevronDown
          aria-hidden
          size={16}
          strokeWidth={1.75}
          className={`text-muted transition-transform duration-[160ms] ${isOpen ? '' : '-rotate-90'}`}
        />
      </button>
      <div id={listId} hidden={!isOpen} className="mt-0.5 mb-1">
        <Leaves {...props} />
      </div>
    </li>
  )
}

function EntryLink({
  entry,
  href,
  isStrip,
  isLit,
}: {
  entry: NavEntry
  href: string
  isStrip: boolean
  isLit: boolean
}) {
  const follow = useFollow()
  const link = (
    <a
      href={href}
      onClick={follow}
      aria-current={isLit ? 'page' : undefined}
      aria-label={isStrip ? t(entry.label) : undefined}
      className={`${ROW} ${isStrip ? 'size-10 justify-center' : 'h-9 w-full px-2.5'} ${isLit ? LIT : QUIET}`}
    >
      <entry.icon aria-hidden size={18} strokeWidth={1.75} className={isLit ? 'text-accent-text' : ''} />
      {!isStrip && <span className="truncate">{t(entry.label)}</span>}
    </a>
  )
  return isStrip ? (
    <Tooltip text={t(entry.label)} beside>
      {link}
    </Tooltip>
  ) : (
    link
  )
}

function Leaves({ entry, projectId, pathname }: SidebarEntryProps) {
  const follow = useFollow()
  return (
    <ul className="flex flex-col gap-0.5">
      {entry.leaves?.map(({ id, label, href }) => {
        const isLit = isActive(id, pathname)
        return (
          <li key={id}>
            <a
              href={fillHref(href, projectId)}
              onClick={follow}
              aria-current={isLit ? 'page' : undefined}
              className={`${ROW} h-8 ps-[38px] pe-2.5 ${isLit ? LIT : `${QUIET} font-normal`}`}
            >
              <span className="truncate">{t(label)}</span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

/** The submenu of a strip: a popover beside its icon; a press outside, Escape and a leaving focus close it. */
function Flyout(props: SidebarEntryProps & { readonly isLit: boolean }) {
  const { entry, isLit } = props
  const id = useId()
  const onBlur = (event: FocusEvent<HTMLDivElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.hidePopover?.()
  }
  return (
    <li className="flex justify-center">
      <Tooltip text={t(entry.label)} beside>
        <button
          type="button"
          aria-label={t(entry.label)}
          popoverTarget={id}
          className={`${ROW} size-10 justify-center ${isLit ? LIT : QUIET}`}
        >
          <entry.icon aria-hidden size={18} strokeWidth={1.75} className={isLit ? 'text-accent-text' : ''} />
        </button>
      </Tooltip>
      <div
        id={id}
        popover="auto"
        onBlur={onBlur}
        className="hangs hangs-beside w-56 rounded-card border border-border bg-raised p-1.5 text-ink shadow-menu [&_a]:ps-2.5"
      >
        <p className="px-2.5 pt-1 pb-1.5 text-caption font-medium text-muted">{t(entry.label)}</p>
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
      className={`${ROW} ${QUIET} mt-0.5 h-8 ps-[38px] pe-2.5 font-normal`}
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
