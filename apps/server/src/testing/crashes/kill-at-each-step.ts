import type { Context } from '../../context.ts'
import { killable, Killed } from './killable-process.ts'

/** Set by `npm run kill-in-turn`: kills at every await and repeats as often as a scenario asks; otherwise at a share of the awaits, once. */
const IS_WHOLE = process.env['KASSA_KILL_EVERY_STEP'] !== undefined

export type KillScenario = {
  readonly ctx: Context
  /** Prepares what the work needs, in a process that is never killed. */
  readonly prepare?: () => Promise<void>
  /** The work, in a process that may be killed at any step. */
  readonly work: (process: Context) => Promise<void>
  /** Another process resumes the work, also after a run without a kill; then the test checks the outcome. */
  readonly resume: (wasKilled: boolean) => Promise<void>
  /** Kills at each so-many-th await, outside of the whole run. */
  readonly stride?: number
  /** How many runs the whole run makes at least. */
  readonly runs?: number
}

/**
 * Kills the work at its first await, then at its second, and so on until a run completes; the whole run begins again until
 * it has made enough runs. Returns how many awaits there are.
 */
export async function killAtEachStep(scenario: KillScenario): Promise<number> {
  const { ctx, prepare, work, resume, stride = 1, runs: most = 1 } = scenario
  const [step, least] = IS_WHOLE ? [1, most] : [stride, 1]
  let killAt = 1
  for (let runs = 1; ; runs += 1) {
    await prepare?.()
    const process = killable(ctx)
    process.killAt = killAt
    const [outcome] = await Promise.allSettled([work(process.ctx)])
    const wasKilled = process.steps >= killAt
    if (outcome.status === 'rejected' && !(wasKilled && outcome.reason instanceof Killed)) throw outcome.reason
    await resume(wasKilled)
    if (!wasKilled && runs >= least) return process.steps
    killAt = wasKilled ? killAt + step : 1
  }
}
