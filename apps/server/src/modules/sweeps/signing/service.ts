/** Signing: the loop of the role `sender` that signs planned sweeps; the module `sends` broadcasts and follows them. */
import type { Context } from '../../../context.ts'
import { SENDER_WORKER } from '../../../config/workers.ts'
import type { ReportRun } from '../../../jobs/jobs.ts'
import { continueOnError } from '../../../jobs/continue-on-error.ts'
import { startRepeating } from '../../../jobs/repeating.ts'
import type { Loop } from '../../../module.ts'
import { holdsChain } from './rules.ts'
import { signSweep } from './sign-sweep.ts'
import { listDue } from './store.ts'

/** How often waiting sweeps are tried again; a new sweep wakes the loop at once. */
const EVERY_MS = 2000

/** Sweeps tried before other work gets its turn. */
const BATCH = 50

/**
 * Signs what can be signed, oldest first. A reason that stops a whole blockchain skips its other sweeps; an error of one sweep
 * does not stop the others and is thrown at the end.
 */
export async function signPlanned(ctx: Context): Promise<number> {
  const held = new Set<number>()
  const { attempt, end } = continueOnError(ctx)
  let [signed, after] = [0, 0n]
  for (;;) {
    const due = await listDue(ctx, BATCH, after)
    for (const { id, blockchain_id } of due) {
      if (held.has(blockchain_id)) continue
      const result = await attempt({ sweepId: String(id) }, () => signSweep(ctx, id))
      if (result?.kind === 'signed') signed += 1
      if (result?.kind === 'waits' && holdsChain(result.wait)) held.add(blockchain_id)
    }
    const last = due.at(-1)?.id
    if (last === undefined || due.length < BATCH) break
    after = last
  }
  end()
  return signed
}

/** Starts to sign sweeps. `stop` waits for the one in progress. */
function startSigningSweeps(ctx: Context, reportRun: ReportRun): { readonly stop: () => Promise<void> } {
  return startRepeating(ctx, {
    name: 'sweeps.sign',
    everyMs: EVERY_MS,
    wakesOn: 'sweep.due',
    run: signPlanned,
    reportRun,
  })
}

export const signingLoop: Loop = { role: 'sender', worker: SENDER_WORKER, start: startSigningSweeps }
