/** Sending: the loop of the role `sender` that signs decided payouts; the module `sends` broadcasts and follows them. */
import type { Context } from '../../../context.ts'
import type { ReportRun } from '../../../jobs/jobs.ts'
import { continueOnError } from '../../../jobs/continue-on-error.ts'
import { startRepeating } from '../../../jobs/repeating.ts'
import type { Running } from '../../../jobs/worker-group.ts'
import { findWithdrawal, listPendingIds } from '../record/store.ts'
import type { WithdrawalRow } from '../record/tables.ts'
import { asksNodes, holdsChain, PLAN_AGAIN_MS } from './rules.ts'
import { sendPayout } from './send-payout.ts'

export { followSend } from './follow-send.ts'

/** How often waiting payouts are looked at; a new decision wakes the loop at once. */
const EVERY_MS = 2000

/** Payouts tried before other work gets its turn. */
const BATCH = 100

/** When payouts that wait for something of their own were planned last, in milliseconds. */
type PlannedAt = Map<bigint, number>

/**
 * Signs what can be signed, oldest first. A reason that stops a whole blockchain skips its other payouts; an error of one
 * payout does not stop the others and is thrown at the end. `plannedAt` is kept between passes: a payout in it is left alone for
 * a while, and newer ones that would take the float it waits for are too.
 */
export async function signPending(ctx: Context, plannedAt: PlannedAt = new Map()): Promise<number> {
  const held = new Set<number>()
  const waiting: PlannedAt = new Map()
  const awaited = new Set<string | null>()
  const { attempt, end } = continueOnError(ctx)
  let [signed, after] = [0, 0n]
  for (;;) {
    const ids = await listPendingIds(ctx, BATCH, after)
    for (const id of ids) {
      const row = await findWithdrawal(ctx, id, 'every')
      if (!row) continue
      const last = row.wait_code === null ? undefined : plannedAt.get(id)
      // A time in the future comes from a clock that was wrong.
      const isPlanned = last !== undefined && Math.abs(ctx.now().getTime() - last) < PLAN_AGAIN_MS
      if (isPlanned) {
        waiting.set(id, last)
        awaited.add(floatAwaited(row))
      }
      const isBehind = awaited.has(`asset ${row.asset_id}`) || awaited.has(`gas ${row.blockchain_id}`)
      if (isPlanned || isBehind || held.has(row.blockchain_id)) continue
      const result = await attempt({ payoutId: String(id) }, () => sendPayout(ctx, id))
      if (result?.kind === 'signed') signed += 1
      if (result?.kind !== 'waits') continue
      if (holdsChain(result.wait)) held.add(row.blockchain_id)
      if (asksNodes(result.wait)) waiting.set(id, ctx.now().getTime())
    }
    const newest = ids.at(-1)
    if (newest === undefined || ids.length < BATCH) break
    after = newest
  }
  plannedAt.clear()
  for (const [id, at] of waiting) plannedAt.set(id, at)
  end()
  return signed
}

/** The float that a payout waits for: of its asset, or the coin for fees of its blockchain. */
function floatAwaited(row: Pick<WithdrawalRow, 'asset_id' | 'blockchain_id' | 'wait_code'>): string | null {
  if (row.wait_code === 'GAS') return `gas ${row.blockchain_id}`
  return row.wait_code === 'INSUFFICIENT_FUNDS' ? `asset ${row.asset_id}` : null
}

/** Starts to sign payouts. `stop` waits for the one in progress. */
export function startSigning(ctx: Context, reportRun: ReportRun): Running {
  const plannedAt: PlannedAt = new Map()
  return startRepeating(ctx, {
    name: 'payouts.sign',
    everyMs: EVERY_MS,
    wakesOn: 'payout.pending',
    run: (system) => signPending(system, plannedAt),
    reportRun,
  })
}
