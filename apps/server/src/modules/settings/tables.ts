import type { Selectable } from 'kysely'

import type { CreatedAt, SerialId, UpdatedAt } from '../../db/columns.ts'

export type ConfigurationTable = {
  id: SerialId
  key: string
  /** Null when the value is a secret. */
  value: string | null
  secret_id: number | null
  created_at: CreatedAt
  updated_at: UpdatedAt
}

export type ConfigurationRow = Selectable<ConfigurationTable>

export type SettingTables = { configuration: ConfigurationTable }

/** What else screens show about the install. */
export type SettingReads = { mail_server: { only_row: boolean } }
