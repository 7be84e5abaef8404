/** Logs that name a payment wait for it; what fills it has them counted. */
import { type Context, inTransaction } from '../../../context.ts'
import { listFilledWaiting, lockLogsOfPayments, moveLogs } from '../logs/store.ts'

/** Announced where a log that waited is to be counted: it wakes the loop, and open screens show the log anew. */
export const LOG_DUE = 'referral.log_due'

/** Payments whose logs are woken in one pass. */
const BATCH = 1_000

/** Wakes logs that nobody woke although their payments are filled. */
export async function wakeForgotten(ctx: Context): Promise<void> {
  const waiting = await listFilledWaiting(ctx, BATCH)
  await inTransaction(ctx, (tx) => wakeLogs(tx, waiting))
}

/** Has the logs counted that waited for these filled payments. */
export async function wakeLogs(tx: Context, paymentIds: readonly bigint[]): Promise<void> {
  if (paymentIds.length === 0) return
  const waiting = (await lockLogsOfPayments(tx, paymentIds)).filter(({ status }) => status === 'waiting')
  const ids = waiting.map(({ id }) => id)
  await moveLogs(tx, ids, { from: 'waiting', to: 'pending' })
  for (const projectId of new Set(waiting.map(({ project_id }) => project_id)))
    tx.events.announce(tx, { name: LOG_DUE, projectId, data: {} })
}
