import type { Backup } from '@kassa/contract/backups/schemas.ts'

import type { BackupRow } from './tables.ts'

/** A backup as the wire has it. */
export function backupView(row: BackupRow, file: Backup['file']): Backup {
  return {
    kind: row.kind,
    takenAt: row.taken_at,
    recordedAt: row.recorded_at,
    rows: Number(row.rows),
    bytes: Number(row.bytes),
    hasMasterKey: row.has_master_key,
    version: row.version,
    file,
  }
}
