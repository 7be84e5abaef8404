import type { Context } from '../../context.ts'
import { closeSeal, markSeal } from './seal-store.ts'

/**
 * Seals the newest entries: closes the seal that was marked before, as soon as no entry with a smaller id can still be
 * committed, and marks the next. No writer waits for it; an entry written meanwhile is sealed one run later. Returns
 * how many seals were closed.
 */
export async function sealJournal(ctx: Context): Promise<number> {
  let closed = 0
  for (;;) {
    const isClosed = await closeSeal(ctx)
    if (isClosed) closed += 1
    const isMarked = await markSeal(ctx)
    if (!isMarked) return closed
  }
}
