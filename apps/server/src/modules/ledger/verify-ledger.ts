import { type Context, inTransaction } from '../../context.ts'
import { allowLong } from '../../db/database.ts'
import { type Breach, EVERYTHING, INVARIANTS, touchedSince } from './invariants.ts'
import { findBreach } from './books-store.ts'

/** Reading every entry of ten million payments takes minutes on a small machine. */
const CHECK_MS = 30 * 60_000

/** The rules that the books break, without asking any blockchain. */
export async function verifyLedger(ctx: Context, since: bigint | null = null): Promise<Breach[]> {
  const broken: Breach[] = []
  const touched = since === null ? EVERYTHING : touchedSince(since)
  for (const invariant of INVARIANTS.filter(({ isFullOnly }) => since === null || !isFullOnly)) {
    const breach = await unhurried(ctx, (inner) => findBreach(inner, invariant, touched))
    if (breach) broken.push(breach)
  }
  return broken
}

export function unhurried<T>(ctx: Context, read: (ctx: Context) => Promise<T>): Promise<T> {
  return inTransaction(ctx, async (inner) => {
    await allowLong(inner.db, CHECK_MS)
    return read(inner)
  })
}
