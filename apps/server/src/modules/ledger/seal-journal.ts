import type { Context } from '../../context.ts'
import { closeSeal, markSeal } from './seal-store.ts'

/**
 * Seals the entries that came since: closes the seal that was marked before, as soon as nothing can come before its end any
 * more, and marks the next. No writer waits for it; what is written meanwhile is sealed a turn later. Returns how many
 * seals were closed.
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
