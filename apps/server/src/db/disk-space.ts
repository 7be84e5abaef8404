/** SQLSTATE disk_full. */
export const DISK_FULL = '53100'

/** A database that refused a statement for lack of space this recently counts as full: while it is, something is tried every few seconds. */
const REMEMBERED_MS = 10_000

export type DiskSpace = {
  /** Looks at what a statement failed with. */
  readonly note: (error: unknown) => void
  /** Whether the database had no room for what it was to write, the last time it refused a statement. */
  readonly isFull: () => boolean
}

/** Remembers whether the database's disk is full; `now` counts milliseconds. */
export function watchDiskSpace(now: () => number = () => performance.now()): DiskSpace {
  let refusedAt = -Infinity
  return {
    note: (error) => {
      if (error instanceof Error && 'code' in error && error.code === DISK_FULL) refusedAt = now()
    },
    isFull: () => now() - refusedAt < REMEMBERED_MS,
  }
}
