/**
 * Second factors (api.md 2.6): what an operator shows besides the password. A code or an answer is used up in the transaction
 * of the action it allows, so that it counts once even when a process dies.
 */
import { CODE_REFUSALS, type CodeRefusal } from '@kassa/contract/auth/factor-refusals.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { textOf } from '@kassa/contract/kit/reason.ts'
import type { FactorMethod } from '@kassa/contract/operators/schemas.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { storeSecondFactors, lockOperator } from '../../operators/accounts/service.ts'
import { forget, openIfPresent } from '../../vaults/service.ts'
import { hashTypedCode } from '../sessions/typed-codes.ts'
import { deleteChallengesBefore } from './challenge-store.ts'
import {
  countBackupCodes,
  deleteAuthenticator,
  deletePasskey,
  findAuthenticator,
  findPasskey,
  listPasskeys,
  moveCounter,
  moveToUsed,
  replaceBackupCodes,
  takeStep,
} from './store.ts'
import type { AuthenticatorRow, PasskeyRow } from './tables.ts'
import { checkTotp } from './totp.ts'
import { credentialIdOf, type PasskeyJson, verifyAssertion } from './webauthn.ts'

/** A code as it was typed, and which factor it belongs to. */
export type TypedCode = { readonly method: 'totp' | 'backup'; readonly code: string }

/** Returns which factor a code without a method belongs to: six digits belong to an app. */
export function readCode(code: string): TypedCode {
  return { method: /^[\d\s]*$/.test(code) ? 'totp' : 'backup', code }
}

/** How to use the code up in the transaction of the action it allows, or why it is invalid. */
export type CodeCheck = { readonly use: (tx: Context) => Promise<boolean> } | { readonly refused: CodeRefusal }

const USED: CodeRefusal = { code: 'used', params: {} }
const BACKUP_UNKNOWN: CodeRefusal = { code: 'backup_unknown', params: {} }
const UNKNOWN: CodeRefusal = { code: 'unknown', params: {} }

/** Checks a code of an operator; `use` returns false when another call has used it first. */
export async function checkCode(ctx: Context, operatorId: number, { method, code }: TypedCode): Promise<CodeCheck> {
  if (method === 'backup') {
    return { use: (tx) => useBackupCode(tx, operatorId, code) }
  }
  const authenticator = await findAuthenticator(ctx, operatorId)
  if (!authenticator?.confirmed_at) return { refused: UNKNOWN }
  const checked = await checkAuthenticator(ctx, authenticator, { code, isOwner: false })
  if ('refused' in checked) return checked
  return {
    use: async (tx) => {
      await lockOperator(tx, operatorId)
      return takeStep(tx, authenticator, BigInt(checked.step))
    },
  }
}

/**
 * Checks a code against the secret of an app, confirmed or not. The code is unknown when the app was replaced or removed
 * meanwhile.
 */
export async function checkAuthenticator(
  ctx: Context,
  { secret_id: secretId, last_step: lastStep }: AuthenticatorRow,
  { code, isOwner }: { readonly code: string; readonly isOwner: boolean },
) {
  const secret = await openIfPresent(ctx, secretId)
  if (!secret) return { refused: UNKNOWN }
  try {
    return checkTotp(secret, code, { now: ctx.now(), lastStep: Number(lastStep), isOwner })
  } finally {
    secret.fill(0)
  }
}

async function useBackupCode(tx: Context, operatorId: number, code: string): Promise<boolean> {
  // Every transaction locks the operator before the operator's factors.
  await lockOperator(tx, operatorId)
  if (!(await moveToUsed(tx, operatorId, hashTypedCode(code)))) return false
  if ((await countBackupCodes(tx, operatorId)) === 0) await refreshFactors(tx, operatorId)
  return true
}

/** Why a code that was checked could not be used. */
export function refusalOfUsed({ method }: TypedCode): CodeRefusal {
  return method === 'backup' ? BACKUP_UNKNOWN : USED
}

/** Refuses a code with the reason, as a sentence and as data. @throws SECOND_FACTOR_INVALID */
export function refuseCode(refusal: CodeRefusal): never {
  return fail('SECOND_FACTOR_INVALID', {
    details: textOf(CODE_REFUSALS, refusal),
    data: { reason: refusal.code, ...refusal.params },
  })
}

/** The answer of a passkey, and the question it must answer. */
export type PasskeyAnswer = {
  readonly assertion: PasskeyJson
  readonly challenge: Buffer
  /** Whose passkey it must be; absent for anybody's. */
  readonly operatorId?: number
  /** Uses the question up; of two simultaneous answers one gets true. */
  readonly claim: (tx: Context) => Promise<boolean>
}

/**
 * Does the work in the transaction in which a passkey's answer is used up; null when the answer is invalid. A counter that did
 * not rise is refused and raises an alarm. @throws CHALLENGE_EXPIRED, PASSKEYS_NOT_POSSIBLE
 */
export async function withPasskey<T>(
  ctx: Context,
  { assertion, challenge, operatorId, claim }: PasskeyAnswer,
  work: (tx: Context, passkey: PasskeyRow) => Promise<T>,
): Promise<{ readonly value: T } | null> {
  const credentialId = credentialIdOf(assertion)
  const passkey = credentialId && (await findPasskey(ctx, credentialId))
  if (!passkey || (operatorId !== undefined && passkey.operator_id !== operatorId)) return null
  const counter = await verifyAssertion(ctx, { passkey, assertion, challenge })
  if (counter === null) return null
  const done = await inTransaction(ctx, async (tx) => {
    // The question is checked first: the same answer twice is a repeat, not a copy of the passkey.
    if (!(await claim(tx))) return fail('CHALLENGE_EXPIRED')
    await lockOperator(tx, passkey.operator_id)
    if (!(await moveCounter(tx, passkey.id, counter))) return null
    return { value: await work(tx, passkey) }
  })
  if (done === null) await noteCopy(ctx, passkey)
  return done
}

/** A passkey that was removed since it was found has no counter either: that is no copy, and its alarm would never end. */
async function noteCopy(ctx: Context, passkey: PasskeyRow): Promise<void> {
  const { id, operator_id: memberID, name, credential_id: credentialId } = passkey
  await inTransaction(ctx, async (tx) => {
    await lockOperator(tx, memberID)
    if ((await findPasskey(tx, credentialId))?.id !== id) return
    await raiseAlarm(tx, { kind: 'passkey_copied', subject: alarmSubject(id), params: { memberID, passkey: name } })
  })
}

function alarmSubject(passkeyId: number): string {
  return `passkey ${passkeyId}`
}

/**
 * Stores which factors an operator has, for every request to read. Call it in the transaction of each change, which holds the
 * lock of the operator.
 */
export async function refreshFactors(ctx: Context, operatorId: number): Promise<FactorMethod[]> {
  const authenticator = await findAuthenticator(ctx, operatorId)
  const passkeys = await listPasskeys(ctx, operatorId)
  const real: FactorMethod[] = [
    ...(authenticator?.confirmed_at ? (['totp'] as const) : []),
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
  ]
  // Backup codes replace a factor; alone they are none.
  const hasCodes = real.length > 0 && (await countBackupCodes(ctx, operatorId)) > 0
  const methods: FactorMethod[] = hasCodes ? [...real, 'backup'] : real
  await storeSecondFactors(ctx, operatorId, methods)
  return methods
}

/** Removes the app of an operator with its secret; false when there is none. Joins the open transaction. */
export async function dropAuthenticator(ctx: Context, operatorId: number): Promise<boolean> {
  const secretId = await deleteAuthenticator(ctx, operatorId)
  if (secretId === undefined) return false
  await forget(ctx, secretId)
  return true
}

/** Removes a passkey of an operator; false when there is none. Joins the open transaction. */
export async function dropPasskey(ctx: Context, operatorId: number, id: number): Promise<boolean> {
  if (!(await deletePasskey(ctx, { operatorId, id }))) return false
  await clearAlarm(ctx, { kind: 'passkey_copied', subject: alarmSubject(id) })
  return true
}

/** Removes all second factors of an operator. Joins the open transaction, which holds the lock of the operator. */
export async function dropFactors(ctx: Context, operatorId: number): Promise<void> {
  await dropAuthenticator(ctx, operatorId)
  for (const { id } of await listPasskeys(ctx, operatorId)) await dropPasskey(ctx, operatorId, id)
  await replaceBackupCodes(ctx, operatorId, [])
  await refreshFactors(ctx, operatorId)
}

/** Removes questions that ran out before the time. */
export async function forgetFactorChallenges(ctx: Context, time: Date): Promise<void> {
  await deleteChallengesBefore(ctx, time)
}
