import { type Context, inTransaction } from '../../../context.ts'
import { allowLong } from '../../../db/database.ts'
import { COMPARISONS, type Difference, listDifferences } from './check-store.ts'

/** Reading ten million payments several times takes minutes on a small machine. */
const CHECK_MS = 60 * 60_000

/** Rows named of each comparison: the first say what is wrong. */
const MOST_NAMED = 20

export type FoundDifference = Difference & { readonly rule: string }

/** Recomputes every figure from deposits, payments and customers; returns those that are stored differently. */
export async function findDifferences(ctx: Context): Promise<FoundDifference[]> {
  const found: FoundDifference[] = []
  for (const comparison of COMPARISONS) {
    const differences = await inTransaction(ctx, async (tx) => {
      await allowLong(tx.db, CHECK_MS)
      return listDifferences(tx, comparison, MOST_NAMED)
    })
    found.push(...differences.map((difference) => ({ ...difference, rule: comparison.rule })))
  }
  return found
}
