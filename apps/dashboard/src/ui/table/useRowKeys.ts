import type { KeyboardEvent, RefObject } from 'react'

import { type Shortcuts, useShortcuts } from '../../lib/device/shortcuts.ts'
import type { Selection } from '../list/useSelection.ts'

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/** The links of the rows, each the first cell of its own. */
const ROW_LINK = 'a[data-row]'

/**
 * `j` and `k` go from row to row, with the focus anywhere on the page. They begin at the first row, and go on from the row
 * that had the focus last.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>, hasLinks: boolean): void {
  const go = (step: number) => () => {
    const links = linksIn(list.current)
    const last = links.findIndex(({ dataset }) => dataset.row === list.current?.dataset.at)
    links[Math.min(links.length - 1, Math.max(0, last + step))]?.focus()
  }
  const keys: Shortcuts = hasLinks ? { j: go(1), k: go(-1) } : {}
  useShortcuts(keys)
}

/** Remembers in the list itself which row has the focus: nothing is drawn from it. */
export function rememberRow(list: HTMLElement | null, target: EventTarget): void {
  const key = target instanceof Element ? target.closest<HTMLElement>(ROW_LINK)?.dataset.row : undefined
  if (list !== null && key !== undefined) list.dataset.at = key
}

/** Brings the focus to a row's link: what is opened by a press gives it back there. */
export function focusRow(row: HTMLElement): void {
  row.querySelector<HTMLElement>(ROW_LINK)?.focus({ preventScroll: true })
}

/**
 * From anything in a row: arrows, `j` and `k` go to the one beside it, `x` picks it, Shift and an arrow the next one too.
 * `o` opens it, as Enter does on its link.
 */
export function onRowKey(event: KeyboardEvent<HTMLElement>, key: string, selection: Selection | undefined): void {
  const { currentTarget: row, target } = event
  if (event.metaKey || event.ctrlKey || event.altKey) return
  if (target instanceof Element && target.closest('[popover]') !== null) return
  const link = row.querySelector<HTMLElement>(ROW_LINK)
  if (link === null) return
  if (event.key === 'o') link.click()
  if (event.key === 'x') selection?.toggle(key)
  const step = STEPS[event.key]
  if (step === undefined) return
  event.preventDefault()
  const links = linksIn(row.parentElement)
  const next = links[links.indexOf(link) + step]
  next?.focus()
  if (event.shiftKey && next !== undefined) selection?.pick([key, next.dataset.row ?? key])
}

function linksIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>(ROW_LINK) ?? [])]
}
