/** What every list makes of its paging input (api.md 1.5). */
import { DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET } from '@kassa/contract/kit/paging.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Cursor, filterName, openCursor, sealCursor } from './cursor.ts'

export type PageInput = {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly cursor?: string | undefined
  readonly sortBy?: string | undefined
  readonly sortDirection?: string | undefined
  readonly order?: string | undefined
}

/** Which rows to read: `sort` is one of the list's keys, ties go by id in the same direction. */
export type PageRequest<Sort extends string> = {
  readonly sort: Sort
  readonly isAscending: boolean
  readonly limit: number
  readonly offset: number
  /** Rows after this one, or before it. */
  readonly from: { readonly key: string; readonly id: string; readonly isBackwards: boolean } | null
}

export type PageRules<Sort extends string> = {
  /** The list's name; a cursor of one list opens no other. */
  readonly list: string
  readonly filter: unknown
  /** The keys a list may be sorted by; the first is the default. */
  readonly sorts: readonly [Sort, ...Sort[]]
  readonly maxLimit?: number
  readonly signingKey: Buffer
}

/** Decides which page is asked for. @throws SORT_FIELD_UNKNOWN, PAGE_TOO_DEEP, CURSOR_INVALID */
export function readPage<Sort extends string>(input: PageInput, rules: PageRules<Sort>): PageRequest<Sort> {
  const cursor = input.cursor ? openCursor(rules.signingKey, input.cursor, filterName(rules.list, rules.filter)) : null
  const limit = limitOf(input.limit, rules.maxLimit ?? MAX_LIMIT)
  if (cursor) return { ...afterCursor(cursor, input, rules), limit, offset: 0 }
  const offset = Math.max(0, input.offset ?? 0)
  if (offset > MAX_OFFSET) return fail('PAGE_TOO_DEEP', { values: { n: MAX_OFFSET } })
  const [standard] = rules.sorts
  const sort = input.sortBy ? findSort(input.sortBy, rules.sorts) : standard
  return { sort, isAscending: isAscending(input) ?? false, limit, offset, from: null }
}

/**
 * Cuts what was read (one row more than the page holds, in reading order) to the page, in the order it is shown, with
 * the cursors of its neighbours.
 */
export function toPage<Row extends { readonly sortKey: string; readonly id: bigint | number }, Sort extends string>(
  rows: readonly Row[],
  page: PageRequest<Sort>,
  rules: PageRules<Sort>,
): { rows: Row[]; nextCursor: string | null; prevCursor: string | null } {
  const hasMore = rows.length > page.limit
  const isBackwards = page.from?.isBackwards ?? false
  const visible = rows.slice(0, page.limit)
  const shown = isBackwards ? visible.toReversed() : visible
  const cursorAt = (row: Row | undefined, backwards: boolean) =>
    row &&
    sealCursor(rules.signingKey, {
      sort: page.sort,
      isAscending: page.isAscending,
      filter: filterName(rules.list, rules.filter),
      key: row.sortKey,
      id: String(row.id),
      isBackwards: backwards,
    })
  const hasNext = isBackwards || hasMore
  const hasPrevious = isBackwards ? hasMore : page.from !== null || page.offset > 0
  return {
    rows: shown,
    nextCursor: (hasNext && cursorAt(shown.at(-1), false)) || null,
    prevCursor: (hasPrevious && cursorAt(shown[0], true)) || null,
  }
}

function afterCursor<Sort extends string>(cursor: Cursor, input: PageInput, rules: PageRules<Sort>) {
  const sort = findSort(cursor.sort, rules.sorts)
  const direction = isAscending(input)
  const isOther = (input.sortBy && findSort(input.sortBy, rules.sorts) !== sort) || direction === !cursor.isAscending
  if (isOther) return fail('CURSOR_INVALID', { details: 'The order changed. Start at the first page.' })
  const { key, id, isBackwards } = cursor
  return { sort, isAscending: cursor.isAscending, from: { key, id, isBackwards } }
}

function findSort<Sort extends string>(name: string, sorts: readonly Sort[]): Sort {
  const fold = (text: string) => text.toLowerCase().replaceAll('_', '')
  return sorts.find((sort) => fold(sort) === fold(name)) ?? fail('SORT_FIELD_UNKNOWN', { values: { field: name } })
}

function isAscending({ sortDirection, order }: PageInput): boolean | undefined {
  const direction = (sortDirection ?? order)?.toUpperCase()
  return direction === 'ASC' ? true : direction === 'DESC' ? false : undefined
}

/** How many rows a page holds: what is asked for, within what the list gives. */
export function limitOf(limit: number | undefined, max: number): number {
  return limit === undefined || limit <= 0 ? DEFAULT_LIMIT : Math.min(limit, max)
}
