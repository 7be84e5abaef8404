/** An operator adds, names and removes passkeys (api.md A23–A25). */
import { randomBytes } from 'node:crypto'

import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { findOperator } from '../../operators/accounts/service.ts'
import { deleteChallenge, findChallenge } from '../factors/challenge-store.ts'
import { newChallenge } from '../factors/challenges.ts'
import { dropPasskey } from '../factors/service.ts'
import { insertPasskey, listPasskeys, updatePasskeyName } from '../factors/store.ts'
import { creationOptions, type MadePasskey, type PasskeyJson, verifyCreation } from '../factors/webauthn.ts'
import { afterAdding, afterRemoving, callingOperator, lockCaller } from './changes.ts'

/** More than anybody's devices, and few enough to be named in one question. */
const MOST_PASSKEYS = 20

export type PasskeyQuestion = { readonly challengeId: string; readonly publicKey: PasskeyJson }

/** Asks for a new passkey, within this session. @throws PASSKEYS_NOT_POSSIBLE */
export async function beginPasskey(ctx: Context): Promise<PasskeyQuestion> {
  const { operatorId, sessionId } = callingOperator(ctx)
  const owner = (await findOperator(ctx, operatorId)) ?? fail('UNAUTHORIZED')
  const challenge = randomBytes(32)
  const publicKey = await creationOptions(ctx, { owner, challenge, known: await listPasskeys(ctx, operatorId) })
  const id = await newChallenge(ctx, { purpose: 'enrolment', session_id: sessionId, value: challenge })
  return { challengeId: id, publicKey }
}

/**
 * Verifies a passkey that was created for the question of this session. Call it before a transaction.
 * @throws CHALLENGE_EXPIRED, PASSKEY_INVALID, PASSKEYS_NOT_POSSIBLE
 */
export async function checkMade(
  ctx: Context,
  { challengeId, attestation }: { readonly challengeId: string; readonly attestation: PasskeyJson },
): Promise<MadePasskey> {
  const { sessionId } = callingOperator(ctx)
  const asked = { id: challengeId, purpose: 'enrolment', sessionId } as const
  const challenge = (await findChallenge(ctx, asked)) ?? fail('CHALLENGE_EXPIRED')
  return (await verifyCreation(ctx, { attestation, challenge: challenge.value })) ?? fail('PASSKEY_INVALID')
}

/**
 * Stores a verified passkey and uses its question up. Returns backup codes when it is the first factor, else null.
 * @throws CHALLENGE_EXPIRED, PASSKEY_INVALID
 */
export async function addPasskey(
  ctx: Context,
  { challengeId, name, made }: { readonly challengeId: string; readonly name: string; readonly made: MadePasskey },
): Promise<{ readonly id: number; readonly name: string; readonly backupCodes: string[] | null }> {
  return inTransaction(ctx, async (tx) => {
    if (!(await deleteChallenge(tx, challengeId))) return fail('CHALLENGE_EXPIRED')
    const operator = await lockCaller(tx)
    if ((await listPasskeys(tx, operator.id)).length >= MOST_PASSKEYS) {
      return fail('PASSKEY_INVALID', { details: `You have ${MOST_PASSKEYS} passkeys. Remove one first.` })
    }
    const passkey = await insertPasskey(tx, { ...made, operator_id: operator.id, name, created_at: tx.now() })
    if (!passkey) return fail('PASSKEY_INVALID', { details: 'This passkey is registered already.' })
    return { id: passkey.id, name, backupCodes: await afterAdding(tx, operator, 'passkey') }
  })
}

/** Gives a passkey of the operator who calls another name. @throws PASSKEY_NOT_FOUND */
export async function renamePasskey(ctx: Context, id: number, name: string): Promise<void> {
  const { operatorId } = callingOperator(ctx)
  if (!(await updatePasskeyName(ctx, { operatorId, id }, name))) return fail('PASSKEY_NOT_FOUND')
}

/** Removes a passkey; other sessions end. @throws PASSKEY_NOT_FOUND, SECOND_FACTOR_POLICY */
export async function removePasskey(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const operator = await lockCaller(tx)
    if (!(await dropPasskey(tx, operator.id, id))) return fail('PASSKEY_NOT_FOUND')
    await afterRemoving(tx, 'passkey')
  })
}
