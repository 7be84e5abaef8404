import type { DateRange, PaymentSearch } from '@kassa/contract/payments/inputs.ts'
import type { PaymentPage, PaymentSummary } from '@kassa/contract/payments/schemas.ts'
import { MAX_SEARCH_LIMIT } from '@kassa/contract/kit/paging.ts'

import type { Context } from '../../context.ts'
import type { ProjectScope } from '../../http/handlers.ts'
import { readPage, toPage } from '../../http/paging.ts'
import { rowView } from './row-view.ts'
import { COLUMNS, readFilter, readSpan, SORTS } from './search-rules.ts'
import { countByStatus, countFound, listFound } from './search-store.ts'

/**
 * A page of the payments a caller may see, newest first unless it asks otherwise, with the columns to draw.
 * @throws FILTER_INVALID, SORT_FIELD_UNKNOWN, PAGE_TOO_DEEP, CURSOR_INVALID
 */
export async function searchPayments(ctx: Context, scope: ProjectScope, input: PaymentSearch): Promise<PaymentPage> {
  const filter = readFilter(input, scope.projectIds)
  const rules = { list: 'payments', filter, sorts: SORTS, maxLimit: MAX_SEARCH_LIMIT, masterKey: ctx.config.masterKey }
  const page = readPage(input, rules)
  const { rows, nextCursor, prevCursor } = toPage(await listFound(ctx, filter, page), page, rules)
  const { count, isEstimate } = await countFound(ctx, filter)
  return {
    data: rows.map(rowView),
    totalCount: count,
    attributes: COLUMNS.map((column) => ({ ...column })),
    nextCursor,
    prevCursor,
    totalIsEstimate: isEstimate,
  }
}

/** How many payments are open, closed and cancelled. @throws FILTER_INVALID */
export async function summarizePayments(ctx: Context, scope: ProjectScope, input: DateRange): Promise<PaymentSummary> {
  const counts = await countByStatus(ctx, { projectIds: scope.projectIds, created: readSpan(input) })
  const of = (...states: string[]) => states.reduce((total, state) => total + (counts.get(state) ?? 0), 0)
  return {
    totalCount: of(...counts.keys()),
    closedCount: of('FILLED', 'OVER_FILLED'),
    openCount: of('OPEN', 'PARTIALLY_FILLED'),
    cancelledCount: of('CANCELLED'),
  }
}
