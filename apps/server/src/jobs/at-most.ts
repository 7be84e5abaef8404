import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for work, but no longer than this: it is then left to itself. */
export async function withTimeout(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(ms, undefined, { ref: false })])
}
