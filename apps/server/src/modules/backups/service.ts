/**
 * Backups: when the install was last backed up, as the commands `npm run backup` and `npm run restore` note it once they have
 * read the whole file. The server takes none itself: it must not hold the passphrase.
 */
import type { Backup, BackupState } from '@kassa/contract/backups/schemas.ts'

import type { Context } from '../../context.ts'
import { numberSetting } from '../settings/service.ts'
import { isBackupDue } from './rules.ts'
import { findNewestBackup, findRestored, insertBackup } from './store.ts'
import { backupView } from './view.ts'

/** Notes a backup that was read whole, and notifies open pages. */
export async function recordBackup(ctx: Context, backup: Omit<Backup, 'recordedAt'>): Promise<void> {
  const { kind, takenAt, rows, bytes, hasMasterKey, version } = backup
  await insertBackup(ctx, {
    kind,
    taken_at: takenAt,
    recorded_at: ctx.now(),
    rows,
    bytes,
    has_master_key: hasMasterKey,
    version,
  })
  ctx.events.announce(ctx, { name: 'backup.recorded', projectId: null, data: {} })
}

/** Returns when the install was last backed up and restored, and whether a backup is due. */
export async function readBackupState(ctx: Context): Promise<BackupState> {
  const last = await findNewestBackup(ctx)
  const restored = await findRestored(ctx)
  const remindAfterDays = await numberSetting(ctx, 'backups.remind_after_days')
  const { network } = ctx.config
  return {
    isDue: isBackupDue({ network, remindAfterDays, takenAt: last?.taken_at ?? null, now: ctx.now() }),
    remindAfterDays,
    last: last ? backupView(last) : null,
    restored: restored ? backupView(restored) : null,
  }
}
