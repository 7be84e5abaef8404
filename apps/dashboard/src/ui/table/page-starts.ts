import type { Paging } from './paging.ts'

/** Where the pages begin that were turned to, by their cursor: the cursor itself does not tell. */
const starts = new Map<string, number>()

type Page = {
  readonly paging: Paging
  /** The cursor that led here; absent on the first page. */
  readonly cursor: string | undefined
  readonly shown: number
}

/** Returns the place in the list of a page's first row; `undefined` where nobody knows. */
export function startOf({ paging, cursor, shown }: Page): number | undefined {
  const { nextCursor, prevCursor, total, totalIsEstimate = false } = paging
  if (cursor === undefined || prevCursor === null) return 1
  const known = starts.get(cursor)
  if (known !== undefined) return known
  const isLast = nextCursor === null && total !== undefined && !totalIsEstimate && total >= shown
  return isLast ? total - shown + 1 : undefined
}

/** Remembers where the pages beside this one begin; one before it holds `size` rows, unless it is the first. */
export function rememberNeighbours(page: Page, size: number): void {
  const start = startOf(page)
  if (start === undefined) return
  const { nextCursor, prevCursor } = page.paging
  if (typeof nextCursor === 'string') starts.set(nextCursor, start + page.shown)
  if (typeof prevCursor === 'string') starts.set(prevCursor, Math.max(1, start - size))
}
