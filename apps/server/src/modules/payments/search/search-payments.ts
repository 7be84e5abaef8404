import type { DateRange, PaymentSearch } from '@kassa/contract/payments/inputs.ts'
import type { PaymentPage, PaymentSummary } from '@kassa/contract/payments/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { MAX_SEARCH_LIMIT } from '@kassa/contract/kit/paging.ts'
import { keyFor } from '../../../config/keys.ts'
import type { Context, ProjectScope } from '../../../context.ts'
import { readPage, toPage } from '../../../paging/paging.ts'
import { countByStatus } from './count-store.ts'
import { rowView } from './row-view.ts'
import {
  asCounted,
  COLUMNS,
  isOrdered,
  MOST_SORTED,
  readDateField,
  readFilter,
  readSpan,
  type Sort,
  SORTS,
} from './rules.ts'
import { countFound, countStatuses, listFound, listReferences, openSearch, type Search } from './store.ts'

export { foldCounts } from './count-store.ts'

/**
 * A page of the payments a caller may see, newest first unless it asks otherwise, with the columns to draw.
 * @throws FILTER_INVALID, SORT_FIELD_UNKNOWN, SORT_TOO_BROAD, PAGE_TOO_DEEP, CURSOR_INVALID
 */
export async function searchPayments(ctx: Context, scope: ProjectScope, input: PaymentSearch): Promise<PaymentPage> {
  const filter = readFilter(input, scope.projectIds)
  const rules = {
    list: 'payments',
    filter,
    sorts: SORTS,
    maxLimit: MAX_SEARCH_LIMIT,
    signingKey: keyFor(ctx, 'cursor'),
  }
  const page = readPage(input, rules)
  const search = await openSearch(ctx, filter)
  // An estimate must not refuse a search, so matches that need sorting are counted up to the number that can be sorted.
  const { count, isEstimate } = await countMatches(ctx, search, isOrdered(page.sort) ? undefined : MOST_SORTED)
  if (!isOrdered(page.sort) && count > MOST_SORTED) return refuseSort(page.sort)
  const { rows, nextCursor, prevCursor } = toPage(await listFound(ctx, search, page), page, rules)
  return {
    data: rows.map(rowView),
    totalCount: count,
    attributes: COLUMNS.map((column) => ({ ...column })),
    nextCursor,
    prevCursor,
    totalIsEstimate: isEstimate,
  }
}

/** @throws SORT_TOO_BROAD */
function refuseSort(sort: Sort): never {
  const field = COLUMNS.find((column) => 'sortBy' in column && column.sortBy === sort)?.displayName ?? sort
  return fail('SORT_TOO_BROAD', { values: { n: MOST_SORTED.toLocaleString('en-US'), field } })
}

/** Counts exactly where the sums of days cover the filter, or where there are few matches. */
async function countMatches(
  ctx: Context,
  search: Search,
  exact?: number,
): Promise<{ count: number; isEstimate: boolean }> {
  const counted = asCounted(search.filter)
  if (!counted) return countFound(ctx, search, exact)
  const counts = await countByStatus(ctx, counted)
  return { count: total(counts.values()), isEstimate: false }
}

/** How many payments are open, closed and cancelled. @throws FILTER_INVALID */
export async function summarizePayments(ctx: Context, scope: ProjectScope, input: DateRange): Promise<PaymentSummary> {
  const counts =
    readDateField(input) === 'paid'
      ? await countStatuses(ctx, await openSearch(ctx, readFilter(input, scope.projectIds)))
      : await countByStatus(ctx, { projectIds: scope.projectIds, created: readSpan(input) })
  const of = (...states: string[]) => total(states.map((state) => counts.get(state) ?? 0))
  return {
    totalCount: total(counts.values()),
    closedCount: of('FILLED', 'OVER_FILLED'),
    openCount: of('OPEN', 'PARTIALLY_FILLED'),
    cancelledCount: of('CANCELLED'),
  }
}

function total(counts: Iterable<number>): number {
  return [...counts].reduce((sum, count) => sum + count, 0)
}

/** Lists the references of the newest payments of a project that match, at most so many. */
export async function findReferences(
  ctx: Context,
  projectId: number,
  input: PaymentSearch,
  limit: number,
): Promise<string[]> {
  return listReferences(ctx, await openSearch(ctx, readFilter(input, [projectId])), limit)
}
