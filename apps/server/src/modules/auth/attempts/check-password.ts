import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { findOperator } from '../../operators/accounts/service.ts'
import { verifyPassword } from './password-hash.ts'
import { chargeAttempt, type FailureCount, sessionCounts } from './rules.ts'
import { deleteFailures, deleteFailuresBefore, lockFailures, undoFailure, updateFailures } from './store.ts'

/** A password to be checked, for which network, and what a failure counts for. */
export type Attempt = {
  readonly password: string
  readonly hash: string | null
  readonly network: string
  readonly counts: readonly FailureCount[]
}

/**
 * Checks a password for an account, known or not, in the same time. After the free failures of a count each further one
 * makes the next attempt wait longer; the right password forgives them. Hashes outside of any transaction.
 * @throws SIGN_IN_THROTTLED, SERVICE_UNAVAILABLE
 */
export async function checkPassword(ctx: Context, { password, hash, network, counts }: Attempt): Promise<boolean> {
  const retryAfter = await inTransaction(ctx, (tx) => charge(tx, counts))
  if (retryAfter !== null) {
    return fail('SIGN_IN_THROTTLED', {
      values: { seconds: retryAfter },
      retryAfter,
      data: { seconds: retryAfter },
    })
  }
  const isRight = await verifyPassword(ctx, { password, network }, hash).catch(async (thrown: unknown) => {
    // Nothing was tried, so nothing failed.
    await undoFailure(
      ctx,
      counts.map(({ subject }) => subject),
    )
    throw thrown
  })
  if (isRight) await forgiveFailures(ctx, counts)
  return isRight
}

/**
 * Whether this is the password of the operator who calls, asked for again in a live session.
 * @throws SIGN_IN_THROTTLED, SERVICE_UNAVAILABLE
 */
export async function isOwnPassword(
  ctx: Context,
  { password, network }: Pick<Attempt, 'password' | 'network'>,
): Promise<boolean> {
  const { caller } = ctx
  if (caller.kind !== 'operator') return fail('UNAUTHORIZED')
  const operator = (await findOperator(ctx, caller.operatorId)) ?? fail('UNAUTHORIZED')
  const counts = sessionCounts(caller.sessionId)
  return checkPassword(ctx, { password, hash: operator.password_hash, network, counts })
}

/** Counts the attempt everywhere, or nowhere and returns the seconds to wait. The counts keep one order of locks. */
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

/** Forgives the failures of these counts. */
export async function forgiveFailures(ctx: Context, counts: readonly FailureCount[]): Promise<void> {
  await deleteFailures(
    ctx,
    counts.map(({ subject }) => subject),
  )
}

/** Forgets failures that nobody repeated since the time. */
export async function forgetFailures(ctx: Context, time: Date): Promise<void> {
  await deleteFailuresBefore(ctx, time)
}
