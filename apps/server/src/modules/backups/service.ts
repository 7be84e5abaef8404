/**
 * Backups: when the install was last backed up, as the commands `npm run backup` and `npm run restore` note it once they have
 * read the whole file. The server takes none itself: it must not hold the passphrase.
 */
import { hostname } from 'node:os'

import type { Backup, BackupState } from '@kassa/contract/backups/schemas.ts'

import type { Context } from '../../context.ts'
import { numberSetting } from '../settings/service.ts'
import { fileState } from './file-state.ts'
import { isBackupDue } from './rules.ts'
import { findNewestBackup, findRestored, insertBackup } from './store.ts'
import { backupView } from './view.ts'

/** A backup whose file lies at this absolute path of this machine. */
export type WrittenBackup = Omit<Backup, 'recordedAt' | 'file'> & { readonly path: string }

/** Notes a backup that was read whole, and notifies open pages. */
export async function recordBackup(ctx: Context, backup: WrittenBackup): Promise<void> {
  const { kind, takenAt, rows, bytes, hasMasterKey, version, path } = backup
  await insertBackup(ctx, {
    kind,
    taken_at: takenAt,
    recorded_at: ctx.now(),
    rows,
    bytes,
    has_master_key: hasMasterKey,
    version,
    host: hostname(),
    path,
  })
  ctx.events.announce(ctx, { name: 'backup.recorded', projectId: null, data: {} })
}

/** Returns whether a backup is due, and the moment that the newest one holds. */
export async function readBackupDue(ctx: Context): Promise<{ isDue: boolean; lastTakenAt: Date | null }> {
  const { isDue, last } = await readDue(ctx)
  return { isDue, lastTakenAt: last?.taken_at ?? null }
}

/** Returns when the install was last backed up and restored, whether a backup is due, and whether the files are still there. */
export async function readBackupState(ctx: Context): Promise<BackupState> {
  const { last, ...due } = await readDue(ctx)
  const restored = await findRestored(ctx)
  return {
    ...due,
    last: last ? backupView(last, await fileState(ctx, last)) : null,
    restored: restored ? backupView(restored, await fileState(ctx, restored)) : null,
  }
}

async function readDue(ctx: Context) {
  const last = await findNewestBackup(ctx)
  const remindAfterDays = await numberSetting(ctx, 'backups.remind_after_days')
  const { network } = ctx.config
  return {
    isDue: isBackupDue({ network, remindAfterDays, takenAt: last?.taken_at ?? null, now: ctx.now() }),
    remindAfterDays,
    last,
  }
}
