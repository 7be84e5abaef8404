import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { verifyPassword } from './password-hash.ts'
import { chargeAttempt } from './rules.ts'
import { deleteFailures, deleteFailuresBefore, lockFailures, updateFailures } from './store.ts'

/**
 * Checks a password for an account, known or not, in the same time. After five failures each further one makes the
 * account wait longer; the right password forgives them. Hashes outside of any transaction.
 * @throws SIGN_IN_THROTTLED
 */
export async function checkPassword(
  ctx: Context,
  attempt: { readonly email: string; readonly password: string; readonly hash: string | null },
): Promise<boolean> {
  const subject = subjectOf(attempt.email)
  const retryAfter = await inTransaction(ctx, (tx) => charge(tx, subject))
  if (retryAfter !== null) {
    return fail('SIGN_IN_THROTTLED', {
      values: { seconds: retryAfter },
      retryAfter,
      data: { seconds: retryAfter },
    })
  }
  const isRight = await verifyPassword(ctx, attempt.password, attempt.hash)
  if (isRight) await deleteFailures(ctx, subject)
  return isRight
}

/** Counts the attempt, or returns the seconds to wait. */
async function charge(ctx: Context, subject: string): Promise<number | null> {
  const row = await lockFailures(ctx, subject)
  const known = { failures: row.failures, waitUntil: row.wait_until, updatedAt: row.updated_at }
  const charged = chargeAttempt(known, ctx.now())
  if ('retryAfter' in charged) return charged.retryAfter
  await updateFailures(ctx, subject, charged)
  return null
}

/** Forgives the failures of an account. */
export async function forgiveFailures(ctx: Context, email: string): Promise<void> {
  await deleteFailures(ctx, subjectOf(email))
}

/** Forgets failures that nobody repeated since the time. */
export async function forgetFailures(ctx: Context, time: Date): Promise<void> {
  await deleteFailuresBefore(ctx, time)
}

function subjectOf(email: string): string {
  return `sign-in:${email}`
}
