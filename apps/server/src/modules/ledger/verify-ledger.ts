import { type Context, inTransaction } from '../../context.ts'
import { allowLong } from '../../db/database.ts'
import { type Breach, EVERYTHING, INVARIANTS, touchedSince } from './invariants.ts'
import { findBreach } from './invariants-store.ts'

/** The timeout: reading every entry of ten million payments takes minutes on a small machine. */
const CHECK_MS = 30 * 60_000

/** The invariants that the ledger breaks, without reading any blockchain. */
export async function verifyLedger(ctx: Context, since: bigint | null = null): Promise<Breach[]> {
  const broken: Breach[] = []
  const touched = since === null ? EVERYTHING : touchedSince(since)
  for (const invariant of INVARIANTS.filter(({ isFullOnly }) => since === null || !isFullOnly)) {
    const breach = await unhurried(ctx, (tx) => findBreach(tx, invariant, touched))
    if (breach) broken.push(breach)
  }
  return broken
}

export function unhurried<T>(ctx: Context, read: (ctx: Context) => Promise<T>): Promise<T> {
  return inTransaction(ctx, async (tx) => {
    await allowLong(tx.db, CHECK_MS)
    return read(tx)
  })
}
