import { createHash, randomBytes } from 'node:crypto'

import { STEP_UP_LINES, type StepUpLines } from '@kassa/contract/auth/step-up-lines.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Reason, withText } from '@kassa/contract/kit/reason.ts'
import { uuidv7 } from '@kassa/primitives/ids.ts'

import type { Caller, Context } from '../../../context.ts'
import { proofMethods } from '../../../http/access.ts'
import { canonicalJson } from '../../../http/step-up/canonical-json.ts'
import { type DescribeAction, digestOf } from '../../../http/step-up/step-up.ts'
import { stepUpWindow } from '../sessions/rules.ts'
import { updateStepUp } from '../sessions/store.ts'
import type { ProofMethod } from '../sessions/tables.ts'
import { passkeyQuestion, type Proof, withProof } from './proofs.ts'
import { createToken } from './service.ts'
import { deleteChallenge, deleteChallengesBefore, findChallenge, insertChallenge } from './store.ts'

/** A described action waits this long for its confirmation, like every challenge (api.md A4). */
const CHALLENGE_MS = 5 * 60_000

export type Challenge = {
  readonly id: string
  readonly digest: string
  readonly title: string
  readonly lines: readonly Reason<StepUpLines>[]
  readonly methods: readonly ProofMethod[]
  /** What a passkey is asked with, where the operator has one. */
  readonly publicKey: Readonly<Record<string, unknown>> | undefined
}

/**
 * Describes the action that is about to be confirmed: the digest covers what the person sees. Actions are rows of the catalogue
 * that need proof of presence, such as `I2`; where one moves money, the server says what will happen.
 * @throws STEP_UP_ACTION_UNKNOWN, and what the following call would be refused with
 */
export async function prepareStepUp(
  ctx: Context,
  describe: DescribeAction,
  { action, subject }: { readonly action: string; readonly subject: Readonly<Record<string, unknown>> },
): Promise<Challenge> {
  const caller = callingOperator(ctx)
  const { title, description } = await describe(ctx, { action, subject })
  const digest = description
    ? digestOf(action, description)
    : createHash('sha256').update(canonicalJson({ action, subject })).digest()
  const now = ctx.now()
  const id = uuidv7(now.getTime(), randomBytes(10))
  await insertChallenge(ctx, {
    id,
    session_id: caller.sessionId,
    action,
    digest,
    binds: description !== null,
    expires_at: new Date(now.getTime() + CHALLENGE_MS),
    created_at: now,
  })
  const lines = (description?.lines ?? []).map((line) => withText(STEP_UP_LINES, line))
  const publicKey = await passkeyQuestion(ctx, caller, { id, digest })
  return { id, digest: digest.toString('hex'), title, lines, methods: proofMethods(caller), publicKey }
}

/** What a proof allows. */
export type Proved = { readonly windowUntil: Date; readonly stepUpToken?: string }

/**
 * Accepts a proof of presence and opens the step-up window of this session: for 30 minutes after a password, for 10 after a
 * second factor, which replaces the password once there is one. For a described action it returns the token too.
 * @throws CHALLENGE_EXPIRED, STEP_UP_METHOD_NOT_ALLOWED, CURRENT_PASSWORD_WRONG, SECOND_FACTOR_INVALID, SIGN_IN_THROTTLED
 */
export async function stepUp(
  ctx: Context,
  { challengeId, ...proof }: Proof & { readonly challengeId?: string | undefined },
): Promise<Proved> {
  const caller = callingOperator(ctx)
  const { sessionId } = caller
  const challenge = challengeId === undefined ? undefined : await findChallenge(ctx, { id: challengeId, sessionId })
  if (challengeId !== undefined && challenge === undefined) return fail('CHALLENGE_EXPIRED')
  const { method } = proof
  const claim = async (tx: Context) => challenge !== undefined && deleteChallenge(tx, challenge.id)
  return withProof(ctx, { caller, proof, challenge, claim }, async (tx) => {
    const windowUntil = stepUpWindow(tx.now(), { withFactor: method !== 'password' })
    await updateStepUp(tx, sessionId, { until: windowUntil, method })
    const stepUpToken = challenge && (await createToken(tx, challenge, proof))
    return { windowUntil, ...(stepUpToken !== undefined && { stepUpToken }) }
  })
}

/** Removes challenges that ran out before the time. */
export async function forgetChallenges(ctx: Context, time: Date): Promise<void> {
  await deleteChallengesBefore(ctx, time)
}

function callingOperator(ctx: Context): Extract<Caller, { kind: 'operator' }> {
  return ctx.caller.kind === 'operator' ? ctx.caller : fail('UNAUTHORIZED')
}
