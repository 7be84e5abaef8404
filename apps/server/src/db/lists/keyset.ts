import { type RawBuilder, sql } from 'kysely'

import type { PageRequest } from '../../paging/paging.ts'

type Direction = 'asc' | 'desc'

/** The keys of a list: an expression with its type, and the id that decides ties. */
export type SortedBy = { readonly column: RawBuilder<unknown>; readonly type: string; readonly id: RawBuilder<unknown> }

/**
 * Returns the parts of a statement that reads one page by its keys: the condition, the direction, and the end, which reads one row more
 * than the page holds. Every value is a parameter.
 */
export function keysetOf(
  page: Pick<PageRequest<string>, 'isAscending' | 'from' | 'limit' | 'offset'>,
  { column, type, id }: SortedBy,
): { readonly beyond: RawBuilder<boolean>; readonly direction: Direction; readonly end: RawBuilder<unknown> } {
  const direction = directionOf(page)
  const order = sql.raw(direction)
  const sign = sql.raw(direction === 'asc' ? '>' : '<')
  const beyond = page.from
    ? sql<boolean>`(${column}, ${id}) ${sign} (${page.from.key}::${sql.raw(type)}, ${page.from.id}::bigint)`
    : sql<boolean>`true`
  const end = sql`ORDER BY ${column} ${order}, ${id} ${order} LIMIT ${page.limit + 1} OFFSET ${page.offset}`
  return { beyond, direction, end }
}

/** Returns the direction in which the rows of a page are read: that of the list, reversed for the page before a row. */
export function directionOf({ isAscending, from }: Pick<PageRequest<string>, 'isAscending' | 'from'>): Direction {
  return isAscending === (from?.isBackwards ?? false) ? 'desc' : 'asc'
}
