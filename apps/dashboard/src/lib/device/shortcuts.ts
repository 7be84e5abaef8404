import { useEffect } from 'react'
import type { RefObject } from 'react'

import { readOfAccount, useOfAccount } from './stored.ts'

/** What a key, or two in a row (`g d`), does. `mod+k` is ⌘K on a Mac and Ctrl+K elsewhere. */
export type Shortcuts = Readonly<Record<string, () => void>>

/** The second key of two must follow within this time. */
const PAIR_MS = 1_000

/** The display setting that turns single keys off. */
const SWITCH = 'singleKeys'

/** How the key beside the space bar is called here. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Whether single keys act; people who dictate or use a switch turn them off (WCAG 2.1.4). */
function singleKeysAreOn(): boolean {
  return readOfAccount(SWITCH) !== 'off'
}

/** The same for what is drawn. */
export function useSingleKeys(): boolean {
  return useOfAccount(SWITCH) !== 'off'
}

/** Takes no letters: a key pressed on it is free. */
const PRESSED =
  'input:is([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset], [type=range], [type=file], [type=color])'

/** Takes letters as text or as a choice, and so does whatever is in an open panel. */
const TYPED_IN = `input:not(${PRESSED}), textarea, select, [contenteditable], [popover] *`

/** Where shortcuts act: on the page, on what a drawer lies over too, or in the dialog itself while it is on top. */
export type ShortcutPlace = 'page' | 'drawers' | RefObject<HTMLDialogElement | null>

/**
 * Runs shortcuts while the component is shown: never while a text is typed, nor in an open panel or behind an open dialog,
 * which asks for an answer first. A drawer asks for none: what acts anywhere acts over it too.
 */
export function useShortcuts(shortcuts: Shortcuts, place: ShortcutPlace = 'page'): void {
  useEffect(() => {
    let first = ''
    let firstAt = 0
    const onKeyDown = (event: KeyboardEvent) => {
      const name = nameOf(event)
      if (name === undefined || event.defaultPrevented) return
      const pair = event.timeStamp - firstAt < PAIR_MS ? `${first} ${name}` : ''
      const action = shortcuts[pair] ?? shortcuts[name]
      first = name
      firstAt = event.timeStamp
      if (action === undefined || !isFree(event, name, place)) return
      event.preventDefault()
      firstAt = Number.NEGATIVE_INFINITY
      action()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [shortcuts, place])
}

function nameOf(event: KeyboardEvent): string | undefined {
  if (event.altKey || event.key.length !== 1) return undefined
  return event.metaKey || event.ctrlKey ? `mod+${event.key.toLowerCase()}` : event.key
}

function isFree(event: KeyboardEvent, name: string, place: ShortcutPlace): boolean {
  if (!isInFront(place)) return false
  if (name.startsWith('mod+')) return true
  const target = event.target instanceof HTMLElement ? event.target : undefined
  const isTyping = target?.matches(TYPED_IN) ?? false
  return !isTyping && singleKeysAreOn()
}

function isInFront(place: ShortcutPlace): boolean {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1)
  if (typeof place === 'object') return top === place.current
  return top === undefined || (place === 'drawers' && top.matches('[data-drawer]'))
}
