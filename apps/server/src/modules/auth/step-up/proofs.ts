/** The ways to prove presence (api.md 2.7): the password, or a second factor in its place once there is one. */
import { createHash } from 'node:crypto'

import type { CodeRefusal } from '@kassa/contract/auth/factor-refusals.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Caller, type Context, inTransaction, type RequestFacts } from '../../../context.ts'
import { proofMethods } from '../../../http/access.ts'
import { passkeyHost } from '../../settings/service.ts'
import { isOwnPassword } from '../attempts/check-password.ts'
import { type Attempted, counted } from '../attempts/counted.ts'
import { sessionCodeCounts } from '../attempts/rules.ts'
import { checkCode, refuseCode, refusalOfUsed, withPasskey } from '../factors/service.ts'
import { listPasskeys } from '../factors/store.ts'
import { type PasskeyJson, requestOptions } from '../factors/webauthn.ts'
import type { ProofMethod, StepUpChallengeRow } from '../sessions/tables.ts'

type Operator = Extract<Caller, { kind: 'operator' }>

export type Proof = {
  readonly method: ProofMethod
  readonly password?: string | undefined
  readonly code?: string | undefined
  readonly assertion?: PasskeyJson | undefined
  readonly request: RequestFacts
}

/** What a passkey signs to confirm an action: its question, and the digest of what the person saw. */
function passkeyChallenge({ id, digest }: Pick<StepUpChallengeRow, 'id' | 'digest'>): Buffer {
  return createHash('sha256').update(`kassa step-up\n${id}\n`).update(digest).digest()
}

/** Returns the question for a passkey of the operator to confirm an action; undefined when there is none. */
export async function passkeyQuestion(
  ctx: Context,
  caller: Operator,
  challenge: Pick<StepUpChallengeRow, 'id' | 'digest'>,
): Promise<PasskeyJson | undefined> {
  if (!caller.secondFactors.includes('passkey') || (await passkeyHost(ctx)) === null) return undefined
  const known = await listPasskeys(ctx, caller.operatorId)
  return requestOptions(ctx, { challenge: passkeyChallenge(challenge), known })
}

export type Proved = {
  readonly caller: Operator
  readonly proof: Proof
  /** The described action, when one is confirmed; a passkey confirms nothing else. */
  readonly challenge: StepUpChallengeRow | undefined
  /** Uses the description up; of two simultaneous proofs of it one gets true. */
  readonly claim: (tx: Context) => Promise<boolean>
}

/**
 * Does the work in the transaction in which the proof is used up. Failures count for this session alone, those of codes apart
 * from those of the password.
 * @throws STEP_UP_METHOD_NOT_ALLOWED, CURRENT_PASSWORD_WRONG, SECOND_FACTOR_INVALID, CHALLENGE_EXPIRED, SIGN_IN_THROTTLED
 */
export async function withProof<T>(ctx: Context, proved: Proved, work: (tx: Context) => Promise<T>): Promise<T> {
  const { caller, proof } = proved
  const { method } = proof
  if (!proofMethods(caller).includes(method)) {
    const details = caller.secondFactors.length > 0 ? undefined : 'You have no second factor. Use your password.'
    return fail('STEP_UP_METHOD_NOT_ALLOWED', { ...(details !== undefined && { details }) })
  }
  if (method === 'password') return withPassword(ctx, proved, work)
  if (method === 'passkey') return withPasskeyProof(ctx, proved, work)
  const typed = { method, code: proof.code ?? '' }
  const attempted = await counted(
    ctx,
    sessionCodeCounts(caller.sessionId),
    async (): Promise<Attempted<T, CodeRefusal>> => {
      const check = await checkCode(ctx, caller.operatorId, typed)
      if ('refused' in check) return { wrong: check.refused }
      const done = await inTransaction(ctx, async (tx) => {
        if (!(await check.use(tx))) return null
        return { value: await claimed(tx, proved, work) }
      })
      return done === null ? { wrong: refusalOfUsed(typed) } : { right: done.value }
    },
  )
  return 'right' in attempted ? attempted.right : refuseCode(attempted.wrong)
}

async function withPassword<T>(ctx: Context, proved: Proved, work: (tx: Context) => Promise<T>): Promise<T> {
  const { password = '', request } = proved.proof
  if (!(await isOwnPassword(ctx, { password, network: request.network }))) return fail('CURRENT_PASSWORD_WRONG')
  return inTransaction(ctx, (tx) => claimed(tx, proved, work))
}

async function withPasskeyProof<T>(ctx: Context, proved: Proved, work: (tx: Context) => Promise<T>): Promise<T> {
  const { challenge, caller, proof, claim } = proved
  // A passkey signs the question of one described action; without one there is nothing to sign.
  if (challenge === undefined) return fail('CHALLENGE_EXPIRED')
  const answer = {
    assertion: proof.assertion ?? {},
    challenge: passkeyChallenge(challenge),
    operatorId: caller.operatorId,
    claim,
  }
  const done = await withPasskey(ctx, answer, work)
  return done === null ? refuseCode({ code: 'passkey', params: {} }) : done.value
}

async function claimed<T>(tx: Context, { challenge, claim }: Proved, work: (tx: Context) => Promise<T>): Promise<T> {
  if (challenge !== undefined && !(await claim(tx))) return fail('CHALLENGE_EXPIRED')
  return work(tx)
}
