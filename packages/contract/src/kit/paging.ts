/** Inputs and answers of lists (api.md 1.5). */
import * as z from 'zod/mini'

import { int } from './codecs.ts'

/** Rows a list gives when the caller names no number, and the most it gives. */
export const DEFAULT_LIMIT = 50
export const MAX_LIMIT = 200
/** Merchant lists and searches give more, as existing clients expect. */
export const MAX_SEARCH_LIMIT = 500
/** A larger offset costs more than a cursor does, so it is refused (api.md 1.5). */
export const MAX_OFFSET = 10_000

/** The most alternatives of one filter: more than anything there is to choose from, and fewer than a statement can take. */
const MOST_ALTERNATIVES = 500

/** The alternatives of one filter: any of them matches. */
export function alternatives<Item extends z.ZodMiniType>(item: Item) {
  return z.optional(
    z.array(item).check(z.maxLength(MOST_ALTERNATIVES, { error: `At most ${MOST_ALTERNATIVES} can be listed` })),
  )
}

export const pageInput = {
  limit: z.optional(int),
  offset: z.optional(int),
  cursor: z.optional(z.string()),
  sortBy: z.optional(z.string()),
  sortDirection: z.optional(z.string()),
  order: z.optional(z.string()),
}

const moment = z.optional(z.string())

/** The span of a list, each end under all of its names (api.md 1.5), and the zone in which days and local times are read (1.1). */
export const spanInput = {
  dateFrom: moment,
  dateTo: moment,
  startDate: moment,
  endDate: moment,
  createdAfter: moment,
  createdBefore: moment,
  /** IANA name; UTC when absent. */
  timezone: moment,
}

/** A page whose body names its total: `{data, total, limit, offset, nextCursor}`. */
export function page<Row extends z.ZodMiniType>(row: Row) {
  return z.object({ data: z.array(row), total: int, limit: int, offset: int, nextCursor: z.nullable(z.string()) })
}
