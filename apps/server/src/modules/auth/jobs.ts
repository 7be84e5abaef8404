import type { Context } from '../../context.ts'
import { job } from '../../jobs/jobs.ts'
import { forgetFailures } from './attempts/check-password.ts'
import { forgetFactorChallenges } from './factors/service.ts'
import { forgetTokens } from './passwords/service.ts'
import { deleteSessionsBefore } from './sessions/store.ts'
import { forgetTokens as forgetStepUpTokens } from './step-up/service.ts'
import { forgetChallenges } from './step-up/step-up.ts'

/**
 * Who is signed in: the first account, sessions and their keys, and proof of presence (api.md 2). A session key is
 * random, stored as a hash, and looked up on every request; nothing about it is remembered between two requests.
 */

/** Ended sessions and old failures are stored this long, so that their operator can still learn the reason. */
const RETENTION_MS = 30 * 24 * 3_600_000

export const forgetOldJob = job({
  queue: 'auth.forget-old',
  formerly: ['auth.forgetOld'],
  worker: 'account-processor',
  run: forgetOld,
  everySeconds: 3600,
})

/** Deletes sessions, failures, links and challenges that are not needed any more. */
export async function forgetOld(ctx: Context): Promise<void> {
  const time = new Date(ctx.now().getTime() - RETENTION_MS)
  await deleteSessionsBefore(ctx, time)
  await forgetFailures(ctx, time)
  await forgetChallenges(ctx, time)
  await forgetStepUpTokens(ctx, time)
  await forgetTokens(ctx, time)
  // Anybody can create these, so they are deleted as soon as they are useless.
  await forgetFactorChallenges(ctx, ctx.now())
}
