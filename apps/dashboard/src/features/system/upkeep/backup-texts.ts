import type { Backup } from '@kassa/contract/backups/schemas.ts'
import { plural, t } from '@lingui/core/macro'

const DAY_MS = 86_400_000

/** Returns in a few words why a backup is due, given the moment that the newest one holds. */
export function backupDueTitle(lastTakenAt: Date | null, now: Date): string {
  if (lastTakenAt === null) return t`No backup yet`
  const days = Math.floor((now.getTime() - lastTakenAt.getTime()) / DAY_MS)
  return plural(days, { one: 'Last backup # day ago', other: 'Last backup # days ago' })
}

/** Returns what is at stake until it is taken. */
export function backupDueText(lastTakenAt: Date | null): string {
  return lastTakenAt === null
    ? t`If the disk of the database is lost, everything is lost: payments, ledger, and which address belongs to whom.`
    : t`If the disk of the database is lost, everything since then is lost: payments, ledger, and which address belongs to whom.`
}

/** Returns what is wrong with the file of the last backup; undefined where it is in place, or this machine cannot know. */
export function backupFileText(file: Backup['file']): string | undefined {
  if (file === 'missing') {
    return t`The file of the last backup is not where it was written. If you have not moved it to another place, take a new backup.`
  }
  if (file === 'changed')
    return t`The file of the last backup has another size than when it was written: take a new backup.`
  return undefined
}
