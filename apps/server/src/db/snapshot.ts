import type { Context } from '../context.ts'

/**
 * Reads the database as it is at this moment for as long as the reading takes: what changes meanwhile is not seen, so a
 * list read in pages adds up. Ends when the source does or its reader leaves.
 */
export async function* inSnapshot<Row>(
  ctx: Context,
  read: (ctx: Context) => AsyncIterable<Row>,
): AsyncGenerator<Row, void> {
  const db = await ctx.db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    yield* read({ ...ctx, db })
  } finally {
    // Nothing was written: there is nothing to commit.
    await db.rollback().execute()
  }
}
