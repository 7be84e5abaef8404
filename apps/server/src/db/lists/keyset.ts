import { type RawBuilder, sql } from 'kysely'

import type { PageRequest } from '../../paging/paging.ts'

/** What a list is sorted by: an expression with its type, and the id that decides ties. */
export type SortedBy = { readonly column: RawBuilder<unknown>; readonly type: string; readonly id: RawBuilder<unknown> }

/**
 * The parts of a statement that read one page by its keys: a condition, and the end with one row more than the page holds. Every
 * value is a parameter.
 */
export function keysetOf(
  page: Pick<PageRequest<string>, 'isAscending' | 'from' | 'limit' | 'offset'>,
  { column, type, id }: SortedBy,
): { readonly beyond: RawBuilder<boolean>; readonly end: RawBuilder<unknown> } {
  const direction = sql.raw(directionOf(page))
  const sign = sql.raw(directionOf(page) === 'ASC' ? '>' : '<')
  const beyond = page.from
    ? sql<boolean>`(${column}, ${id}) ${sign} (${page.from.key}::${sql.raw(type)}, ${page.from.id}::bigint)`
    : sql<boolean>`true`
  const end = sql`ORDER BY ${column} ${direction}, ${id} ${direction} LIMIT ${page.limit + 1} OFFSET ${page.offset}`
  return { beyond, end }
}

/** Which way the rows of a page are read: backwards before a row, as they are shown after it. */
export function directionOf({ isAscending, from }: Pick<PageRequest<string>, 'isAscending' | 'from'>): 'ASC' | 'DESC' {
  return isAscending === (from?.isBackwards ?? false) ? 'DESC' : 'ASC'
}
