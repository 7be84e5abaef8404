import type { Display } from '@kassa/contract/operators/display.ts'
import type { FactorMethod } from '@kassa/contract/operators/schemas.ts'
import type { ColumnType, Generated, Selectable } from 'kysely'

import type { CreatedAt, SerialId, UpdatedAt } from '../../../db/columns.ts'
import type { RoleTables } from '../roles/tables.ts'

/** A column that a new row need not name. */
type Chosen<T> = ColumnType<T, T | undefined, T>

export type OperatorTable = {
  id: SerialId
  email: string
  name: Generated<string>
  username: string | null
  /** The language of the dashboard that they chose. */
  locale: Chosen<string | null>
  /** Display settings of the dashboard; null where the operator has chosen nothing. */
  theme: Chosen<Display['theme']>
  time_zone: Chosen<Display['timeZone']>
  density: Chosen<Display['density']>
  single_keys: Chosen<Display['singleKeys']>
  setup_guide: Chosen<Display['setupGuide']>
  /** `root` for the first account. */
  customer_id: string
  state: Generated<'invited' | 'active' | 'inactive'>
  password_hash: string | null
  reset_password_required: Generated<boolean>
  /** Who chose the password for them; null once they have chosen their own. */
  password_given_by: number | null
  /** Which second factors the operator has; empty for none. */
  second_factors: Generated<FactorMethod[]>
  last_seen_at: Date | null
  deleted_at: Date | null
  created_at: CreatedAt
  updated_at: UpdatedAt
}

export type OperatorRow = Selectable<OperatorTable>
export type OperatorTables = RoleTables & { operators: OperatorTable }

/** What lists read of the projects that operators work in. */
export type NeighbourTables = { projects: { id: number; name: string; status: 'active' | 'archived' } }
