import type { Context } from '../context.ts'
import { Killed, mortal } from './mortal.ts'

/** Set by `npm run kill-in-turn`: every await of every test, as often as there are lives; otherwise a share of the awaits, once. */
const IS_WHOLE = process.env['KASSA_DEATHS'] !== undefined

export type Deaths = {
  readonly ctx: Context
  /** What a life finds, made by somebody who does not die. */
  readonly prepare?: () => Promise<void>
  /** All of the work, by a process that may die at any step of it. */
  readonly live: (process: Context) => Promise<void>
  /** Another process carries on, after a death and after none; then the test checks what became of it. */
  readonly carryOn: (hasDied: boolean) => Promise<void>
  /** Which part of the awaits is enough for every change: each so-many-th of them. */
  readonly stride?: number
  /** How often the whole run does it all at least. */
  readonly lives?: number
}

/**
 * Kills the work at its first await, then at its second, and so on until it ends by itself; in the whole run again from
 * the first, until so many lives were lived. Returns how many awaits there are.
 */
export async function dieInTurn({ ctx, prepare, live, carryOn, stride = 1, lives: most = 1 }: Deaths): Promise<number> {
  const [step, least] = IS_WHOLE ? [1, most] : [stride, 1]
  let killAt = 1
  for (let lives = 1; ; lives += 1) {
    await prepare?.()
    const process = mortal(ctx)
    process.killAt = killAt
    const [outcome] = await Promise.allSettled([live(process.ctx)])
    const hasDied = process.steps >= killAt
    if (outcome.status === 'rejected' && !(hasDied && outcome.reason instanceof Killed)) throw outcome.reason
    await carryOn(hasDied)
    if (!hasDied && lives >= least) return process.steps
    killAt = hasDied ? killAt + step : 1
  }
}
