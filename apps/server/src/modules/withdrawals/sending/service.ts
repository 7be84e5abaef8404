/** Sending: the loop of the role `sender` that signs decided payouts; the module `sends` broadcasts and follows them. */
import type { Context } from '../../../context.ts'
import type { ReportRun } from '../../../jobs/jobs.ts'
import { continueOnError } from '../../../jobs/continue-on-error.ts'
import { startRepeating } from '../../../jobs/repeating.ts'
import type { Running } from '../../../jobs/worker-group.ts'
import { findWithdrawal, listPendingIds } from '../record/store.ts'
import { holdsChain } from './rules.ts'
import { sendPayout } from './send-payout.ts'

export { followSend } from './follow-send.ts'

/** How often waiting payouts are tried again; a new decision wakes the loop at once. */
const EVERY_MS = 2000

/** Payouts tried before other work gets its turn. */
const BATCH = 100

/**
 * Signs what can be signed, oldest first. A reason that stops a whole blockchain skips its other payouts; an error of one
 * payout does not stop the others and is thrown at the end.
 */
export async function signPending(ctx: Context): Promise<number> {
  const held = new Set<number>()
  const { attempt, end } = continueOnError(ctx)
  let [signed, after] = [0, 0n]
  for (;;) {
    const ids = await listPendingIds(ctx, BATCH, after)
    for (const id of ids) {
      const row = await findWithdrawal(ctx, id, 'every')
      if (!row || held.has(row.blockchain_id)) continue
      const result = await attempt({ payoutId: String(id) }, () => sendPayout(ctx, id))
      if (result?.kind === 'signed') signed += 1
      if (result?.kind === 'waits' && holdsChain(result.wait)) held.add(row.blockchain_id)
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < BATCH) break
    after = last
  }
  end()
  return signed
}

/** Starts to sign payouts. `stop` waits for the one in progress. */
export function startSigning(ctx: Context, reportRun: ReportRun): Running {
  return startRepeating(ctx, {
    name: 'payouts.sign',
    everyMs: EVERY_MS,
    wakesOn: 'payout.pending',
    run: signPending,
    reportRun,
  })
}
