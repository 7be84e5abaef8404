import type { Backup } from '@kassa/contract/backups/schemas.ts'
import type { ColumnType, Selectable } from 'kysely'

import type { SerialId } from '../../db/columns.ts'

/** bigint in the code, a number on the wire. */
type Count = ColumnType<bigint, number, never>

export type BackupTables = {
  backups: {
    id: SerialId
    kind: Backup['kind']
    taken_at: Date
    recorded_at: Date
    rows: Count
    bytes: Count
    has_master_key: boolean
    version: string
    /** Where its file was written; null in rows of an older version. */
    host: string | null
    path: string | null
  }
}

export type BackupRow = Selectable<BackupTables['backups']>
