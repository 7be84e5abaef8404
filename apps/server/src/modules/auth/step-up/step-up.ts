import { createHash, randomBytes } from 'node:crypto'

import { allRoutes } from '@kassa/contract/contract.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { uuidv7 } from '@kassa/primitives/ids.ts'

import type { Caller, Context, RequestFacts } from '../../../context.ts'
import { isOwnPassword } from '../attempts/check-password.ts'
import { stepUpWindow } from '../sessions/rules.ts'
import { updateStepUp } from '../sessions/store.ts'
import { canonicalJson } from './rules.ts'
import { deleteChallenge, deleteChallengesBefore, findChallenge, insertChallenge } from './store.ts'

/** A described action waits this long for its confirmation, like every challenge (api.md A4). */
const CHALLENGE_MS = 5 * 60_000

export type Challenge = {
  readonly id: string
  readonly digest: string
  readonly title: string
  readonly lines: readonly string[]
}

/**
 * Describes the action that is about to be confirmed: what the person sees is what the digest covers. Actions are the
 * catalogue rows that ask for proof of presence, such as `I2`.
 * @throws STEP_UP_ACTION_UNKNOWN
 */
export async function prepareStepUp(
  ctx: Context,
  { action, subject }: { readonly action: string; readonly subject: Readonly<Record<string, unknown>> },
): Promise<Challenge> {
  const route = allRoutes().find((candidate) => candidate.id === action && candidate.access.stepUp !== undefined)
  if (!route) return fail('STEP_UP_ACTION_UNKNOWN')
  const digest = createHash('sha256').update(canonicalJson({ action, subject })).digest()
  const now = ctx.now()
  const id = uuidv7(now.getTime(), randomBytes(10))
  await insertChallenge(ctx, {
    id,
    session_id: callingOperator(ctx).sessionId,
    action,
    digest,
    expires_at: new Date(now.getTime() + CHALLENGE_MS),
    created_at: now,
  })
  const lines = Object.entries(subject).map(([name, value]) => `${name}: ${asText(value)}`)
  return { id, digest: digest.toString('hex'), title: route.summary, lines }
}

export type Proof = {
  readonly challengeId?: string | undefined
  readonly method: 'password' | 'totp' | 'passkey' | 'backup'
  readonly password?: string | undefined
  readonly request: RequestFacts
}

/**
 * Takes proof that it is the operator and opens the step-up window of this session for 30 minutes; returns its end.
 * Nobody can enrol a second factor yet, so the password is the one method. Failures count for this session alone.
 * @throws CHALLENGE_EXPIRED, STEP_UP_METHOD_NOT_ALLOWED, CURRENT_PASSWORD_WRONG, SIGN_IN_THROTTLED
 */
export async function stepUp(ctx: Context, proof: Proof): Promise<Date> {
  const { sessionId } = callingOperator(ctx)
  const { challengeId } = proof
  if (challengeId !== undefined && !(await findChallenge(ctx, { id: challengeId, sessionId }))) {
    return fail('CHALLENGE_EXPIRED')
  }
  if (proof.method !== 'password') {
    return fail('STEP_UP_METHOD_NOT_ALLOWED', { details: 'You have no second factor. Use your password.' })
  }
  if (!(await isOwnPassword(ctx, { password: proof.password ?? '', network: proof.request.network })))
    return fail('CURRENT_PASSWORD_WRONG')
  const until = stepUpWindow(ctx.now())
  await updateStepUp(ctx, sessionId, until)
  if (challengeId !== undefined) await deleteChallenge(ctx, challengeId)
  return until
}

/** Removes challenges that ran out before the time. */
export async function forgetChallenges(ctx: Context, time: Date): Promise<void> {
  await deleteChallengesBefore(ctx, time)
}

function callingOperator(ctx: Context): Extract<Caller, { kind: 'operator' }> {
  return ctx.caller.kind === 'operator' ? ctx.caller : fail('UNAUTHORIZED')
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value)
}
