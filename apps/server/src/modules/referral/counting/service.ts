/**
 * Counting: every log meets the reward rule once per campaign that counts its event. A log is counted as soon as it is stored,
 * together with others that wait then; a log that names a payment first waits for that payment.
 */
import { type Context, inTransaction } from '../../../context.ts'
import { listFilledWaiting, lockLogsOfPayments, moveLogs } from '../logs/store.ts'
import { LOG_DUE } from './count-pending.ts'

export { countLog } from './count-log.ts'
export { countingLoop, countPending } from './count-pending.ts'
export { followPayments } from './follow-payments.ts'

/** Payments whose logs are woken in one pass. */
const BATCH = 1_000

/** Queues logs whose payments are filled, but which were not queued. */
export async function wakeForgotten(ctx: Context): Promise<void> {
  const waiting = await listFilledWaiting(ctx, BATCH)
  await inTransaction(ctx, (tx) => wakeLogs(tx, waiting))
}

/** Lets the logs be counted that waited for these filled payments. */
export async function wakeLogs(tx: Context, paymentIds: readonly bigint[]): Promise<void> {
  if (paymentIds.length === 0) return
  const waiting = (await lockLogsOfPayments(tx, paymentIds)).filter(({ status }) => status === 'waiting')
  const ids = waiting.map(({ id }) => id)
  await moveLogs(tx, ids, { from: 'waiting', to: 'pending' })
  for (const projectId of new Set(waiting.map(({ project_id }) => project_id)))
    tx.events.announce(tx, { name: LOG_DUE, projectId, data: {} })
}
