/** What callers send about analytics (api.md 8.2). */
import * as z from 'zod/mini'

import type { DatePreset, Grouping } from './groups.ts'

/**
 * A filter as it arrives. Its own rule reads it, so that ill-formed input is refused by the filter's name (`FILTER_INVALID`)
 * and not by a type.
 */
const filter = <T>() => z.optional(z.custom<T>(() => true))

/** Groups by `code`; of those only `code_filters`, when it names any. As text: the code, or the object as JSON. */
export type GroupBy = { readonly code: Grouping; readonly code_filters?: readonly string[] }

export type CustomSpan = { readonly start_date: string; readonly end_date: string }

/** Filters of a graph. An unknown key is kept, and refused by its name. */
export const GraphFilters = z.looseObject({
  analytics_date_filter: filter<DatePreset>(),
  date_filter: filter<DatePreset>(),
  custom: filter<CustomSpan | string>(),
  start_date: filter<string>(),
  end_date: filter<string>(),
  custom_start_date: filter<string>(),
  custom_end_date: filter<string>(),
  in_query_currency_filter: filter<readonly string[]>(),
  currency_codes: filter<readonly string[]>(),
  group_by_network_currency_filter: filter<GroupBy | Grouping>(),
  group_by_only_network_currency_filter: filter<GroupBy | Grouping>(),
  limit: filter<number>(),
  externalPlatformIds: filter<readonly number[]>(),
  timezone: filter<string>(),
  compare: filter<'previous'>(),
})

export type GraphFilters = z.output<typeof GraphFilters>

/** How one operator sees a group. */
export const GroupChoice = z.object({
  visible: z.optional(z.boolean()),
  sequence: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  /** Replaces those of the project in the path (or of `all`). */
  customFilters: z.optional(
    z.array(z.object({ filterID: z.int(), value: z.string().check(z.maxLength(2000)) })).check(z.maxLength(4)),
  ),
})

export type GroupChoice = z.output<typeof GroupChoice>
