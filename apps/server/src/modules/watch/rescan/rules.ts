/** A rescan that comes to nothing for this long has failed. */
const GIVE_UP_MS = 24 * 3_600_000

/** Whether a rescan has been tried for long enough. */
export function isOld({ now }: { now: () => Date }, { createdAt }: { createdAt: Date }): boolean {
  return now().getTime() - createdAt.getTime() > GIVE_UP_MS
}
