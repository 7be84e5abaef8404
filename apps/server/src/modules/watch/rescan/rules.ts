/** A rescan that has no result after this long has failed. */
const RESCAN_TIMEOUT_MS = 24 * 3_600_000

/** Whether a rescan has passed its timeout. */
export function isOld({ now }: { now: () => Date }, { createdAt }: { createdAt: Date }): boolean {
  return now().getTime() - createdAt.getTime() > RESCAN_TIMEOUT_MS
}
