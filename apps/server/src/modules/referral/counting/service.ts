/**
 * Counting: every log meets the reward rule once per campaign that counts its event. What waits to be counted is counted as
 * soon as it is stored, together with what else waits then; a log that names a payment waits for it first.
 */
import { type Context, inTransaction } from '../../../context.ts'
import { listFilledWaiting, lockLogsOfPayments, moveLogs } from '../logs/store.ts'
import { LOG_DUE } from './count-pending.ts'

export { countLog } from './count-log.ts'
export { countingLoop, countPending } from './count-pending.ts'
export { followPayments } from './follow-payments.ts'

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
