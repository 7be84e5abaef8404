import { useId, useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'

import { useFollow } from '../../lib/navigation/navigate.ts'

export type MenuItem = {
  readonly label: string
  readonly icon?: ReactNode
  /** A link when given, else `onSelect` runs. */
  readonly href?: string
  readonly onSelect?: () => void
  readonly danger?: boolean
  /** A ruled line above this item. */
  readonly divided?: boolean
  readonly checked?: boolean
  /** Why it cannot be chosen now; it stays in the menu and says so. */
  readonly offReason?: string | undefined
}

export type MenuProps = {
  readonly label: string
  readonly items: readonly MenuItem[]
  /** The popover's id, given to the button's `popoverTarget`. */
  readonly id: string
  readonly head?: ReactNode
  /** Why nothing of it can be chosen now: said once for all. */
  readonly offReason?: string | undefined
  /** Lines the menu up with the far edge of its button. */
  readonly atEnd?: boolean
}

const ITEM =
  'flex w-full items-center gap-2.5 rounded-control px-2.5 py-2 text-start text-body outline-offset-[-2px] hover:bg-hover focus-visible:bg-hover coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0'

/** A popover of actions: arrows and letters move, Escape closes and hands the focus back. */
export function Menu({ label, items, id, head, offReason: given, atEnd = false }: MenuProps) {
  const panel = useRef<HTMLDivElement>(null)
  const follow = useFollow()
  const reasonId = useId()
  const offReason = given ?? sharedReason(items)
  const close = () => panel.current?.hidePopover?.()

  const onKeyDown = (event: KeyboardEvent) => {
    const entries = [...(panel.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const target = nextEntry(entries, event.key)
    if (target === undefined) return
    event.preventDefault()
    target.focus()
  }
  const onToggle = (event: { newState: string }) => {
    if (event.newState === 'open') panel.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
  }

  return (
    <div
      ref={panel}
      id={id}
      popover="auto"
      onKeyDown={onKeyDown}
      onToggle={onToggle}
      className={`hangs ${atEnd ? 'hangs-end' : ''} min-w-56 rounded-card border border-border bg-raised p-1.5 text-ink shadow-menu`}
    >
      {head}
      {offReason !== undefined && (
        <p id={reasonId} className="px-2.5 pt-1.5 pb-1 text-dense text-muted">
          {offReason}
        </p>
      )}
      <div role="menu" aria-label={label} aria-describedby={offReason === undefined ? undefined : reasonId}>
        {items.map((item) => (
          <div
            key={item.label}
            role="none"
            className={item.divided === true ? 'mt-1.5 border-t border-border pt-1.5' : ''}
          >
            <Entry item={item} isOff={offReason !== undefined} onFollow={follow} onDone={close} />
          </div>
        ))}
      </div>
    </div>
  )
}

type EntryProps = {
  readonly item: MenuItem
  readonly isOff: boolean
  readonly onFollow: ReturnType<typeof useFollow>
  readonly onDone: () => void
}

function Entry({ item, isOff, onFollow, onDone }: EntryProps) {
  const look = `${ITEM} ${item.danger === true ? 'text-danger-text' : 'text-ink'}`
  const select = () => {
    onDone()
    item.onSelect?.()
  }
  if (item.href !== undefined && !isOff) {
    return (
      <a
        role="menuitem"
        tabIndex={-1}
        href={item.href}
        onClick={(event) => (onFollow(event), onDone())}
        className={look}
      >
        {item.icon}
        {item.label}
      </a>
    )
  }
  if (isOff || item.offReason !== undefined) {
    return (
      <div role="menuitem" aria-disabled tabIndex={-1} className={`${ITEM} text-disabled`}>
        {item.icon}
        <span>
          {item.label}
          {!isOff && <span className="block text-caption text-muted">{item.offReason}</span>}
        </span>
      </div>
    )
  }
  const role = item.checked === undefined ? 'menuitem' : 'menuitemradio'
  return (
    <button type="button" role={role} aria-checked={item.checked} tabIndex={-1} onClick={select} className={look}>
      {item.icon}
      <span className="flex-1">{item.label}</span>
      {item.checked === true && <span aria-hidden>✓</span>}
    </button>
  )
}

/** The reason that stands in the way of every item: said once it reads better than seven times. */
function sharedReason(items: readonly MenuItem[]): string | undefined {
  const [first, ...rest] = items.map((item) => item.offReason)
  return rest.length > 0 && rest.every((reason) => reason === first) ? first : undefined
}

function nextEntry(entries: readonly HTMLElement[], key: string): HTMLElement | undefined {
  const at = entries.findIndex((entry) => entry === document.activeElement)
  if (key === 'ArrowDown') return entries[(at + 1) % entries.length]
  if (key === 'ArrowUp') return entries[(at - 1 + entries.length) % entries.length]
  if (key === 'Home') return entries[0]
  if (key === 'End') return entries.at(-1)
  if (key.length !== 1) return undefined
  const after = [...entries.slice(at + 1), ...entries.slice(0, at + 1)]
  return after.find((entry) => entry.textContent?.toLowerCase().startsWith(key.toLowerCase()))
}
