import type { Context } from '../../context.ts'
import type { JobDefinition } from '../../jobs/jobs.ts'
import { forgetFailures } from './attempts/check-password.ts'
import {
  forgetTokens,
  MAIL_CHANGED_QUEUE,
  MAIL_RESET_QUEUE,
  mailPasswordChanged,
  mailReset,
} from './passwords/service.ts'
import { deleteSessionsBefore } from './sessions/store.ts'
import { forgetChallenges } from './step-up/step-up.ts'

/**
 * Who is signed in: the first account, sessions and their keys, and proof of presence (api.md 2). A session key is
 * random, stored as a hash, and looked up on every request; nothing about it is remembered between two requests.
 */

/** Ended sessions and old failures are stored this long, so that their operator can still learn the reason. */
const RETENTION_MS = 30 * 24 * 3_600_000

export const authJobs: readonly JobDefinition[] = [
  { queue: 'auth.forgetOld', run: forgetOld, concurrency: 1, heartbeatSeconds: 60, everySeconds: 3600 },
  { queue: MAIL_RESET_QUEUE, run: mailReset, concurrency: 2, heartbeatSeconds: 60 },
  { queue: MAIL_CHANGED_QUEUE, run: mailPasswordChanged, concurrency: 2, heartbeatSeconds: 60 },
]

/** Forgets sessions, failures, links and challenges that nobody will ask about any more. */
export async function forgetOld(ctx: Context): Promise<void> {
  const time = new Date(ctx.now().getTime() - RETENTION_MS)
  await deleteSessionsBefore(ctx, time)
  await forgetFailures(ctx, time)
  await forgetChallenges(ctx, time)
  await forgetTokens(ctx, time)
}
