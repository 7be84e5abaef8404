/** Sending: the loop of the role `sender` that signs payouts which are decided; what leaves then is the work of `sends`. */
import { asSystem, type Context } from '../../../context.ts'
import type { ReportRun } from '../../../jobs/jobs.ts'
import { findWithdrawal, listPendingIds } from '../record/store.ts'
import { holdsChain } from './rules.ts'
import { sendPayout } from './send-payout.ts'

export { followSend } from './follow-send.ts'

/** A payout that is decided wakes the loop; a sweep at this interval looks again at those that wait. */
const SWEEP_EVERY_MS = 2000

/** Payouts looked at before others get their turn. */
const BATCH = 100

/** The name of a sweep in worker reports. */
const SWEEP = 'payouts.sign'

/** Signs what can be signed, oldest first; what keeps one payout on a blockchain may keep all of them. */
export async function signPending(ctx: Context): Promise<number> {
  const held = new Set<number>()
  let [signed, after] = [0, 0n]
  for (;;) {
    const ids = await listPendingIds(ctx, BATCH, after)
    for (const id of ids) {
      const row = await findWithdrawal(ctx, id, 'every')
      if (!row || held.has(row.blockchain_id)) continue
      const result = await sendPayout(ctx, id)
      if (result.kind === 'signed') signed += 1
      if (result.kind === 'waits' && holdsChain(result.wait)) held.add(row.blockchain_id)
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < BATCH) return signed
    after = last
  }
}

/** Starts to sign payouts. `stop` waits for the one in hand. */
export function startSigning(ctx: Context, reportRun: ReportRun): { readonly stop: () => Promise<void> } {
  const system = asSystem(ctx)
  let running: Promise<void> | undefined
  let isAsked = false
  let isStopped = false
  const sweep = () => {
    isAsked = true
    running ??= work().finally(() => {
      running = undefined
    })
  }
  const work = async () => {
    while (isAsked && !isStopped) {
      isAsked = false
      try {
        await signPending(system)
        reportRun(SWEEP, null)
      } catch (err) {
        ctx.log.error({ err }, 'payouts could not be signed')
        reportRun(SWEEP, err instanceof Error ? err.message : String(err))
      }
    }
  }
  const unsubscribe = ctx.live.subscribe((message) => {
    if (message === null || message.name === 'payout.pending') sweep()
  })
  const timer = setInterval(sweep, SWEEP_EVERY_MS)
  sweep()
  return {
    stop: async () => {
      isStopped = true
      unsubscribe()
      clearInterval(timer)
      await running
    },
  }
}
