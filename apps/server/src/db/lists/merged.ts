import { type RawBuilder, sql } from 'kysely'

import type { ProjectScope } from '../../context.ts'
import type { PageRequest } from '../../paging/paging.ts'
import { keysetOf, type SortedBy } from './keyset.ts'

/** Rows of one list in stretches (for example, of each project and state), each of which an index keeps in order. */
export type Stretches = {
  /** Names the stretches, for a FROM; absent where the list is one stretch. */
  readonly each?: RawBuilder<unknown> | undefined
  /** The table of the rows with its alias. */
  readonly table: RawBuilder<unknown>
  /** Which of its rows are in a stretch, and in the list. */
  readonly where: RawBuilder<unknown>
}

/**
 * The ids of a page with their sort keys (`id`, `key`), one more than the page holds, merged from the first rows of each
 * stretch. A single sort would read all rows of the list before the first one.
 */
export function mergedPage(
  page: Pick<PageRequest<string>, 'isAscending' | 'from' | 'limit' | 'offset'>,
  sorted: SortedBy,
  { each, table, where }: Stretches,
): RawBuilder<unknown> {
  const rows = (of: typeof page) => {
    const { beyond, end } = keysetOf(of, sorted)
    return sql`SELECT ${sorted.id} AS id, ${sorted.column} AS key FROM ${table} WHERE ${where} AND ${beyond} ${end}`
  }
  if (!each) return rows(page)
  const { end } = keysetOf(page, { ...sorted, column: sql`first.key`, id: sql`first.id` })
  const first = rows({ ...page, limit: page.limit + page.offset, offset: 0 })
  return sql`SELECT first.id, first.key FROM ${each} CROSS JOIN LATERAL (${first}) AS first ${end}`
}

/** Counts the rows of all stretches, at most so many. */
export function mergedCount({ each, table, where }: Stretches, most: number): RawBuilder<{ n: number }> {
  const rows = sql`SELECT FROM ${table} WHERE ${where} LIMIT ${most}`
  const all = each ? sql`SELECT FROM ${each} CROSS JOIN LATERAL (${rows}) AS counted LIMIT ${most}` : rows
  return sql<{ n: number }>`SELECT count(*)::int AS n FROM (${all}) AS counted`
}

/** The projects that a caller sees as `scope (id)`, for a FROM. */
export function scopeOf(projectIds: ProjectScope['projectIds']): RawBuilder<unknown> {
  return projectIds === 'every' ? sql`projects AS scope` : sql`unnest(${[...projectIds]}::int[]) AS scope (id)`
}
