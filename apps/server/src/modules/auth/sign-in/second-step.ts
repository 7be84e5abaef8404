/** The second step of a sign-in, and the passkey that is both steps (api.md 2.6, A4–A6). */
import { createHash, randomBytes } from 'node:crypto'

import type { SecondStep } from '@kassa/contract/auth/factor-schemas.ts'
import type { CodeRefusal } from '@kassa/contract/auth/factor-refusals.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Context, inTransaction, type RequestFacts } from '../../../context.ts'
import { hashCredential } from '../../../credentials.ts'
import { findOperator } from '../../operators/accounts/service.ts'
import type { OperatorRow } from '../../operators/accounts/service.ts'
import { passkeyHost } from '../../settings/service.ts'
import { type Attempted, counted } from '../attempts/counted.ts'
import { codeCounts } from '../attempts/rules.ts'
import { chargeTry, deleteChallenge, findChallenge } from '../factors/challenge-store.ts'
import { challengeEnd, newChallenge } from '../factors/challenges.ts'
import { checkCode, refuseCode, type TypedCode, refusalOfUsed, withPasskey } from '../factors/service.ts'
import { listPasskeys } from '../factors/store.ts'
import type { ChallengeRow } from '../factors/tables.ts'
import { type PasskeyJson, requestOptions } from '../factors/webauthn.ts'
import { newChallengeToken } from '../sessions/credentials.ts'
import { hasSessionFrom } from '../sessions/store.ts'
import { enter, type Shown } from './enter.ts'
import type { OpenedSession } from './open-session.ts'

/** Wrong codes that one sign-in allows (api.md A4). */
const MOST_TRIES = 5

const CHALLENGE_BYTES = 32

const PASSKEY_REFUSED: CodeRefusal = { code: 'passkey', params: {} }

/** Asks for the second factor of an operator whose password was right. @throws SECOND_FACTOR_REQUIRED always */
export async function askSecondFactor(ctx: Context, operator: OperatorRow, request: RequestFacts): Promise<never> {
  const { text, hash } = newChallengeToken()
  const value = randomBytes(CHALLENGE_BYTES)
  const known = (await passkeyHost(ctx)) === null ? [] : await listPasskeys(ctx, operator.id)
  const methods = operator.second_factors.filter((method) => method !== 'passkey' || known.length > 0)
  const data: SecondStep = {
    challengeToken: text,
    methods,
    expiresAt: challengeEnd(ctx).toISOString(),
    ...(methods.includes('passkey') && { publicKey: await requestOptions(ctx, { challenge: value, known }) }),
  }
  await newChallenge(ctx, {
    purpose: 'sign_in',
    operator_id: operator.id,
    password_digest: digestOf(operator),
    token_hash: hash,
    network: request.network,
    user_agent: request.userAgent,
    value,
  })
  return fail('SECOND_FACTOR_REQUIRED', { data })
}

function digestOf({ password_hash: hash }: OperatorRow): Buffer {
  return createHash('sha256')
    .update(hash ?? '')
    .digest()
}

/** Signs in an operator whose password was right and who sent the code along. @throws SECOND_FACTOR_INVALID, SIGN_IN_THROTTLED */
export async function signInWithCode(
  ctx: Context,
  operator: OperatorRow,
  { typed, request }: { readonly typed: TypedCode; readonly request: RequestFacts },
): Promise<OpenedSession> {
  return tryCode(ctx, { operator, typed, request, stale: 'INVALID_CREDENTIALS', claim: async () => true })
}

export type SecondProof = {
  readonly challengeToken: string
  readonly method: 'totp' | 'passkey' | 'backup'
  readonly code?: string | undefined
  readonly assertion?: PasskeyJson | undefined
  readonly request: RequestFacts
}

/**
 * Completes a sign-in, from the network and program where it began. Failures count for the account and the network, apart from
 * those of the password; no one is locked out for good.
 * @throws CHALLENGE_EXPIRED, SECOND_FACTOR_INVALID, SIGN_IN_THROTTLED
 */
export async function finishSignIn(ctx: Context, proof: SecondProof): Promise<OpenedSession> {
  const { request, method } = proof
  const challenge = await chargeTry(ctx, hashCredential(proof.challengeToken), MOST_TRIES)
  if (!challenge || !isSamePlace(challenge, request)) return fail('CHALLENGE_EXPIRED')
  const operator = await findOperator(ctx, challenge.operator_id ?? 0)
  // After a change of the password, the sign-in must start again.
  if (operator?.state !== 'active' || !challenge.password_digest?.equals(digestOf(operator))) {
    return fail('CHALLENGE_EXPIRED')
  }
  const claim = (tx: Context) => deleteChallenge(tx, challenge.id)
  const stale = 'CHALLENGE_EXPIRED'
  if (method !== 'passkey') {
    return tryCode(ctx, { operator, typed: { method, code: proof.code ?? '' }, request, stale, claim })
  }
  const answer = { assertion: proof.assertion ?? {}, challenge: challenge.value, operatorId: operator.id, claim }
  const opened = await withPasskey(ctx, answer, (tx) =>
    enter(tx, operator, { factors: ['password', method], request, stale }),
  )
  return opened === null ? refuseCode(PASSKEY_REFUSED) : opened.value
}

function isSamePlace({ network, user_agent: userAgent }: ChallengeRow, request: RequestFacts): boolean {
  return network === request.network && userAgent === request.userAgent
}

type CodeTry = {
  readonly operator: OperatorRow
  readonly typed: TypedCode
  readonly request: RequestFacts
  readonly stale: Shown['stale']
  readonly claim: (tx: Context) => Promise<boolean>
}

async function tryCode(ctx: Context, { operator, typed, request, stale, claim }: CodeTry): Promise<OpenedSession> {
  const { network } = request
  const isKnown = await hasSessionFrom(ctx, { operatorId: operator.id, network })
  const counts = codeCounts({ operatorId: operator.id, network, isKnown })
  const attempted = await counted(ctx, counts, async (): Promise<Attempted<OpenedSession, CodeRefusal>> => {
    const check = await checkCode(ctx, operator.id, typed)
    if ('refused' in check) return { wrong: check.refused }
    const opened = await inTransaction(ctx, async (tx) => {
      if (!(await check.use(tx))) return null
      if (!(await claim(tx))) return fail('CHALLENGE_EXPIRED')
      return enter(tx, operator, { factors: ['password', typed.method], request, stale })
    })
    return opened === null ? { wrong: refusalOfUsed(typed) } : { right: opened }
  })
  return 'right' in attempted ? attempted.right : refuseCode(attempted.wrong)
}

export type PasskeyQuestion = { readonly challengeId: string; readonly publicKey: PasskeyJson }

/** Asks for any passkey a person may choose, and reveals nothing about accounts. @throws PASSKEYS_NOT_POSSIBLE */
export async function askPasskey(ctx: Context): Promise<PasskeyQuestion> {
  const value = randomBytes(CHALLENGE_BYTES)
  const publicKey = await requestOptions(ctx, { challenge: value, known: [] })
  return { challengeId: await newChallenge(ctx, { purpose: 'passkey', value }), publicKey }
}

/**
 * Signs in the owner of the passkey that answered: it has verified its owner, and so counts as both factors. @throws
 * SECOND_FACTOR_INVALID, CHALLENGE_EXPIRED
 */
export async function signInWithPasskey(
  ctx: Context,
  proof: { readonly challengeId: string; readonly assertion: PasskeyJson; readonly request: RequestFacts },
): Promise<OpenedSession> {
  const asked = { id: proof.challengeId, purpose: 'passkey', sessionId: null } as const
  const challenge = (await findChallenge(ctx, asked)) ?? fail('CHALLENGE_EXPIRED')
  const answer = {
    assertion: proof.assertion,
    challenge: challenge.value,
    claim: (tx: Context) => deleteChallenge(tx, challenge.id),
  }
  const opened = await withPasskey(ctx, answer, async (tx, passkey) => {
    const operator = await findOperator(tx, passkey.operator_id)
    if (operator?.state !== 'active') return null
    return enter(tx, operator, { factors: ['passkey'], request: proof.request, stale: 'CHALLENGE_EXPIRED' })
  })
  return opened?.value ?? refuseCode(PASSKEY_REFUSED)
}
