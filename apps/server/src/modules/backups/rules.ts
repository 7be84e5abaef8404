import type { Config } from '../../config/config.ts'

const DAY_MS = 86_400_000

/**
 * Whether a backup is due: the newest is older than the reminder allows, or there is none. The money of the sandbox is worth
 * nothing, and 0 days switch the reminder off for installs that are backed up in another way.
 */
export function isBackupDue({
  network,
  remindAfterDays,
  takenAt,
  now,
}: {
  readonly network: Config['network']
  readonly remindAfterDays: number
  readonly takenAt: Date | null
  readonly now: Date
}): boolean {
  if (network === 'sandbox' || remindAfterDays === 0) return false
  return takenAt === null || now.getTime() - takenAt.getTime() > remindAfterDays * DAY_MS
}
