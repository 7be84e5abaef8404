import type { ColumnType } from 'kysely'

import type { CreatedAt, UpdatedAt } from '../../../db/columns.ts'

/** How an operator arranged a group; `filters` by project or `all`, then by the id of the filter. */
export type StoredFilters = Readonly<Record<string, Readonly<Record<string, string>>>>

export type AnalyticsTables = {
  analytics_choices: {
    operator_id: number
    group_id: number
    visible: boolean | null
    sequence: number | null
    filters: ColumnType<StoredFilters, string, string>
    created_at: CreatedAt
    updated_at: UpdatedAt
  }
}
