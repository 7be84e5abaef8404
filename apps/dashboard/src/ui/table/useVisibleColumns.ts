import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { Column } from '../list/columns.ts'

export type VisibleColumns<Row> = {
  readonly columns: readonly Column<Row>[]
  /** Even what is left scrolls sideways. */
  readonly isWider: boolean
}

/** More than the scrollbar of a page takes, which comes and goes with the height of what is shown. */
const SCROLLBAR_PX = 24

/**
 * Returns the columns that a table has room for: those that may give way do so in their order, as many at once as seem
 * enough, until nothing of it scrolls sideways. What went comes back when the place has grown: rows that come later must not move a column.
 * `kind` is another one when what the table holds is.
 */
export function useVisibleColumns<Row>(
  box: RefObject<HTMLElement | null>,
  all: readonly Column<Row>[],
  kind: string | boolean,
): VisibleColumns<Row> {
  const [gone, setGone] = useState(0)
  const [isWider, setIsWider] = useState(false)
  /** What the columns gave way in: the table's kind, and how wide the place was. */
  const shrunkIn = useRef({ kind: '', width: 0 })
  const yielding = inOrder(all)
  const left = new Set(yielding.slice(0, gone))
  const columns = all.filter((column) => !left.has(column))
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const measure = () => {
      const now = { kind: `${all.length} ${kind}`, width: element.offsetWidth }
      const before = shrunkIn.current
      const isElsewhere = now.kind !== before.kind || now.width > before.width + SCROLLBAR_PX
      const isTooWide = element.scrollWidth > element.clientWidth
      if (isElsewhere) shrunkIn.current = now
      if (isElsewhere && gone > 0) setGone(0)
      else if (isTooWide && gone < yielding.length) {
        shrunkIn.current = now
        setGone(gone + enough(element, columns, yielding.slice(gone)))
      } else setIsWider(isTooWide)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild)
    return () => observer.disconnect()
  })
  return { columns, isWider }
}

/** Those that may give way, the first to go first. */
function inOrder<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.filter(({ shrink }) => shrink !== undefined).toSorted((a, b) => (a.shrink ?? 0) - (b.shrink ?? 0))
}

/** How many of the next ones make up for what does not fit, by the widths of their heads: each try draws all rows again. */
function enough<Row>(element: HTMLElement, shown: readonly Column<Row>[], next: readonly Column<Row>[]): number {
  const heads = element.querySelectorAll<HTMLElement>('th[scope=col]')
  let missing = element.scrollWidth - element.clientWidth
  const needed = next.findIndex((column, at) => {
    if (at > 0 && missing <= 0) return true
    missing -= heads[shown.indexOf(column)]?.offsetWidth || missing
    return false
  })
  return needed === -1 ? next.length : needed
}

/** Returns the rows that make every column as wide as all of them do: of each the one that says most. */
export function widestRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): readonly Row[] {
  const widest = columns.flatMap(({ text }) => (text === undefined ? [] : longest(rows, text)))
  return [...new Set(widest)]
}

function longest<Row>(rows: readonly Row[], text: (row: Row) => string): readonly Row[] {
  let [found, most] = [rows[0], 0]
  for (const row of rows) {
    const { length } = text(row)
    if (length > most) [found, most] = [row, length]
  }
  return found === undefined ? [] : [found]
}
