/** Where a page of a list stands in it, and the way to its neighbours. */
export type Paging = {
  readonly nextCursor?: string | null
  readonly prevCursor?: string | null
  readonly total?: number | undefined
  readonly totalIsEstimate?: boolean | undefined
  /** The list reads how many rows it shows from the address. */
  readonly isSized?: boolean
}
/** Rows of a page that an operator may choose, and the default. */
export const PAGE_SIZES = [25, 50, 100, 200] as const
export const PAGE_SIZE = 50

/** Returns the page size an address asks for. */
export function pageSizeOf(text: string | undefined): number {
  return PAGE_SIZES.find((size) => String(size) === text) ?? PAGE_SIZE
}

/** Where the pages begin that were turned to, by their cursor: the cursor itself does not tell. */
const starts = new Map<string, number>()

type Page = {
  readonly paging: Paging
  /** The cursor that led here; absent on the first page. */
  readonly cursor: string | undefined
  readonly shown: number
}

/** Returns the place in the list of a page's first row; `undefined` where it is not known. */
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
