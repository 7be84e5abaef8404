/**
 * Counting: every log meets the reward rule once per campaign that counts its event. A job counts a log when it is stored; a sweep
 * finds what a crash left.
 */
import { type Context, inTransaction } from '../../../context.ts'
import { listFilledWaiting, listForgotten, lockLogsOfPayments, moveLogs } from '../logs/store.ts'
import { logsToCount } from '../logs/service.ts'
import { countLog } from './count-log.ts'

export { countLog } from './count-log.ts'
export { followPayments } from './follow-payments.ts'

/** A log that is older has been forgotten: its job runs within a second. */
const FORGOTTEN_MS = 15_000

/** Logs counted in one pass. */
const BATCH = 1_000

/** Counts the logs whose jobs were lost, the oldest first, and wakes those whose payments are filled. */
export async function countForgotten(ctx: Context): Promise<void> {
  const waiting = await listFilledWaiting(ctx, BATCH)
  await inTransaction(ctx, (tx) => wakeLogs(tx, waiting))
  const before = new Date(ctx.now().getTime() - FORGOTTEN_MS)
  for (const id of await listForgotten(ctx, { before, most: BATCH })) {
    await countLog(ctx, id).catch((err: unknown) =>
      ctx.log.error({ err, log: String(id) }, 'an event log was not counted'),
    )
  }
}

/** Has the logs counted that waited for these filled payments. */
export async function wakeLogs(tx: Context, paymentIds: readonly bigint[]): Promise<void> {
  if (paymentIds.length === 0) return
  const waiting = (await lockLogsOfPayments(tx, paymentIds)).filter(({ status }) => status === 'waiting')
  const ids = waiting.map(({ id }) => id)
  for (const id of await moveLogs(tx, ids, { from: 'waiting', to: 'pending' })) {
    await logsToCount.send(tx, { logId: String(id) })
  }
}
