/** The books are checked every hour: after two hours the check has stopped. */
const OLD_MS = 2 * 3_600_000

/** Whether a check of the books is so old that it says little. */
export function isCheckOld(checkedAt: Date, now: Date): boolean {
  return now.getTime() - checkedAt.getTime() > OLD_MS
}
