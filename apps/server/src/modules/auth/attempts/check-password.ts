import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../../context.ts'
import { findOperator } from '../../operators/accounts/service.ts'
import { counted } from './counted.ts'
import { verifyPassword } from './password-hash.ts'
import { type FailureCount, sessionCounts } from './rules.ts'
import { deleteFailuresBefore } from './store.ts'

/** A password to check, the network it comes from, and the counts of its failures. */
export type Attempt = {
  readonly password: string
  readonly hash: string | null
  readonly network: string
  readonly counts: readonly FailureCount[]
}

/**
 * Checks a password for an account; the time is the same for an unknown account. A wrong password counts as a failure, the
 * right one clears the count. It hashes, so call it outside of transactions.
 * @throws SIGN_IN_THROTTLED, SERVICE_UNAVAILABLE
 */
export async function checkPassword(ctx: Context, { password, hash, network, counts }: Attempt): Promise<boolean> {
  const attempted = await counted(ctx, counts, async () =>
    (await verifyPassword(ctx, { password, network }, hash)) ? { right: true } : { wrong: true },
  )
  return 'right' in attempted
}

/**
 * Whether this is the password of the calling operator, who is asked for it again in a live session.
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

/** Deletes failures that were not repeated since the time. */
export async function forgetFailures(ctx: Context, time: Date): Promise<void> {
  await deleteFailuresBefore(ctx, time)
}
