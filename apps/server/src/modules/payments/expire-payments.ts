import { type Context, inTransaction } from '../../context.ts'
import { recomputePayment } from './recompute-payment.ts'
import { lockPayments } from './read-store.ts'
import { lockExpired } from './store.ts'

/** Small enough that a transaction stays short; the rest follows at once. */
const BATCH = 100

/** Ends the payments whose time is up; returns how many. Several processes share the work. */
export async function expirePayments(ctx: Context): Promise<number> {
  let count = 0
  for (;;) {
    const moved = await inTransaction(ctx, async (tx) => {
      const payments = await lockPayments(tx, await lockExpired(tx, BATCH))
      for (const payment of payments) await recomputePayment(tx, payment)
      return payments.length
    })
    count += moved
    if (moved < BATCH) return count
  }
}
