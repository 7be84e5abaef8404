import type { RolePlace } from '@kassa/contract/permissions.ts'
import type { Selectable } from 'kysely'

import type { CreatedAt, SerialId, UpdatedAt } from '../../../db/columns.ts'

/** Rows of built-in roles hold a name only; the contract says what they permit. */
export type RoleTable = {
  id: SerialId
  name: string
  display_name: string | null
  description: string | null
  /** Where a custom role may be assigned. */
  place: RolePlace | null
  permissions: string[] | null
  created_at: CreatedAt
  updated_at: UpdatedAt
}

export type OperatorRoleTable = {
  operator_id: number
  /** Null: for the whole install. */
  project_id: number | null
  role_id: number
  created_at: CreatedAt
}

export type RoleRow = Selectable<RoleTable>

/** A role of an operator; its permissions when it is a custom one. */
export type OperatorRoleRow = Selectable<OperatorRoleTable> & { readonly permissions: string[] | null }

export type RoleTables = { operator_roles: OperatorRoleTable; roles: RoleTable }
