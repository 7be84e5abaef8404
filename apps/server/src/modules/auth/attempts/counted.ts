import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { chargeAttempt, type FailureCount } from './rules.ts'
import { deleteFailures, lockFailures, undoFailure, updateFailures } from './store.ts'

/** The result of an attempt: what the right answer returns, or why it was wrong. */
export type Attempted<T, Why> = { readonly right: T } | { readonly wrong: Why }

/**
 * Tries something that can be guessed. After the free failures of a count, each further one makes the next attempt wait longer;
 * a right one clears the count. The attempt is charged before it is tried, so that simultaneous attempts cannot share one
 * failure; one that could not be tried is not charged. @throws SIGN_IN_THROTTLED
 */
export async function counted<T, Why>(
  ctx: Context,
  counts: readonly FailureCount[],
  attempt: () => Promise<Attempted<T, Why>>,
): Promise<Attempted<T, Why>> {
  const retryAfter = await inTransaction(ctx, (tx) => charge(tx, counts))
  if (retryAfter !== null) {
    return fail('SIGN_IN_THROTTLED', {
      values: { seconds: retryAfter },
      retryAfter,
      data: { seconds: retryAfter },
    })
  }
  const attempted = await attempt().catch(async (thrown: unknown) => {
    await undoFailure(
      ctx,
      counts.map(({ subject }) => subject),
    )
    throw thrown
  })
  if ('right' in attempted) await forgiveFailures(ctx, counts)
  return attempted
}

/** Charges the attempt in every count, or in none and returns the seconds to wait. Counts are locked in one order. */
async function charge(ctx: Context, counts: readonly FailureCount[]): Promise<number | null> {
  const charged = []
  for (const { subject, free } of counts) {
    const row = await lockFailures(ctx, subject)
    const known = { failures: row.failures, waitUntil: row.wait_until, updatedAt: row.updated_at }
    const next = chargeAttempt(known, free, ctx.now())
    if ('retryAfter' in next) return next.retryAfter
    charged.push({ subject, next })
  }
  for (const { subject, next } of charged) await updateFailures(ctx, subject, next)
  return null
}

/** Clears the failures of these counts. */
export async function forgiveFailures(ctx: Context, counts: readonly FailureCount[]): Promise<void> {
  await deleteFailures(
    ctx,
    counts.map(({ subject }) => subject),
  )
}
