import { type Context, inTransaction } from '../../context.ts'
import { recomputePayments } from './recompute-payment.ts'
import { lockPayments } from './read-store.ts'
import { SLACK_MS } from './deposit-rules.ts'
import type { Payment } from './payment.ts'
import { lockExpired, moveEnd } from './store.ts'

/** Small enough that a transaction stays short; the rest follows at once. */
const BATCH = 100

/** Ends the payments whose time is up; returns how many. Several processes share the work. */
export async function expirePayments(ctx: Context): Promise<number> {
  let count = 0
  for (;;) {
    const moved = await inTransaction(ctx, async (tx) => {
      const payments = await lockPayments(tx, await lockExpired(tx, BATCH))
      await recomputePayments(tx, payments)
      return payments.length
    })
    count += moved
    if (moved < BATCH) return count
  }
}

/**
 * Makes a payment's time be over for so long that money is late for it: for trying that out on the sandbox.
 * @throws Error on real networks
 */
export async function lapsePayment(ctx: Context, { id }: Payment): Promise<void> {
  if (ctx.config.network !== 'sandbox') throw new Error('Only the sandbox moves the end of a payment')
  await inTransaction(ctx, async (tx) => {
    await moveEnd(tx, id, new Date(tx.now().getTime() - SLACK_MS - 60_000))
    await recomputePayments(tx, await lockPayments(tx, [id]))
  })
}
