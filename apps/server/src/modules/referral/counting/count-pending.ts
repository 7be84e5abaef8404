/** The loop that counts logs: its queue are the rows that wait, and a new row wakes it. */
import { type Context, inTransaction } from '../../../context.ts'
import type { ReportRun } from '../../../jobs/jobs.ts'
import { startRepeating } from '../../../jobs/repeating.ts'
import { remembered } from '../../../memory.ts'
import type { Loop } from '../../../module.ts'
import { lockNextPending } from '../logs/store.ts'
import { countLog, countLogs } from './count-log.ts'

/** Announced when a waiting log is to be counted: it wakes the loop, and open screens reload the log. */
export const LOG_DUE = 'referral.log_due'

/** How often the loop looks for logs that another process left behind; a new log wakes it at once. */
const EVERY_MS = 2_000

/** Logs counted in one transaction at most. */
const BATCH = 100

/** How long a log that could not be counted is skipped. */
const AGAIN_MS = 10_000

/** Logs that could not be counted, with the time of the next try. */
const troublesOf = remembered(() => new Map<bigint, number>())

/** Counts every waiting log, oldest first. Several processes share them: none waits for logs that another is counting. */
export async function countPending(ctx: Context): Promise<void> {
  while (await countNext(ctx)) continue
}

/** Counts the next logs; returns whether there may be more. */
async function countNext(ctx: Context): Promise<boolean> {
  let ids: readonly bigint[] = []
  try {
    return await inTransaction(ctx, async (tx) => {
      const logs = await lockNextPending(tx, { most: BATCH, without: inTrouble(tx) })
      ids = logs.map(({ id }) => id)
      const counted = logs.length === 0 ? 0 : await countLogs(tx, logs)
      return counted < logs.length || logs.length === BATCH
    })
  } catch (err) {
    if (ids.length === 0) throw err
    ctx.log.warn({ err, logs: ids.length }, 'event logs were not counted together; each is counted alone')
  }
  for (const id of ids) await countAlone(ctx, id)
  return true
}

async function countAlone(ctx: Context, id: bigint): Promise<void> {
  await countLog(ctx, id).catch((err: unknown) => {
    troublesOf(ctx).set(id, ctx.now().getTime() + AGAIN_MS)
    ctx.log.error({ err, log: String(id) }, 'an event log was not counted')
  })
}

/** The logs that are skipped for now. */
function inTrouble(ctx: Context): bigint[] {
  const troubles = troublesOf(ctx)
  const now = ctx.now().getTime()
  for (const [id, until] of troubles) if (until <= now) troubles.delete(id)
  return [...troubles.keys()]
}

/** Starts to count. `stop` waits for the logs in progress. */
function startCounting(ctx: Context, reportRun: ReportRun): { readonly stop: () => Promise<void> } {
  return startRepeating(ctx, {
    name: 'referral.count',
    everyMs: EVERY_MS,
    wakesOn: ['referral.event_logged', LOG_DUE],
    run: countPending,
    reportRun,
  })
}

export const countingLoop: Loop = { role: 'worker', worker: 'account-processor', start: startCounting }
