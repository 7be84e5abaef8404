/** An operator sets up an authenticator app and backup codes, and sees what is set up (api.md A18–A22). */
import { randomBytes } from 'node:crypto'

import type { CodeRefusal } from '@kassa/contract/auth/factor-refusals.ts'
import type { OwnFactors, TotpSecret } from '@kassa/contract/auth/factor-schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { findOperator } from '../../operators/accounts/service.ts'
import { factorPolicy } from '../../settings/service.ts'
import { forget, seal } from '../../vaults/service.ts'
import { type Attempted, counted } from '../attempts/counted.ts'
import { sessionCodeCounts } from '../attempts/rules.ts'
import { checkAuthenticator, dropAuthenticator, refreshFactors, refuseCode } from '../factors/service.ts'
import {
  countBackupCodes,
  findAuthenticator,
  listPasskeys,
  moveToConfirmed,
  upsertAuthenticator,
} from '../factors/store.ts'
import type { AuthenticatorRow } from '../factors/tables.ts'
import { otpauthUri, secretText } from '../factors/totp.ts'
import { afterAdding, afterRemoving, callingOperator, lockCaller, makeBackupCodes } from './changes.ts'
import { qrSvg } from './qr.ts'

export { mailFactorChangedJob } from './changes.ts'
export { removeFactorsByEmail } from './removal.ts'

/** 160 bits, as RFC 4226 asks. */
const SECRET_BYTES = 20

/** A secret waits this long for its first code. */
const PENDING_MS = 10 * 60_000

/** The second factors of the calling operator, and those that the install requires. */
export async function readOwnFactors(ctx: Context): Promise<OwnFactors> {
  const { operatorId } = callingOperator(ctx)
  const operator = (await findOperator(ctx, operatorId)) ?? fail('UNAUTHORIZED')
  const passkeys = await listPasskeys(ctx, operatorId)
  return {
    enrolled: operator.second_factors.length > 0,
    policy: await factorPolicy(ctx),
    totp: operator.second_factors.includes('totp'),
    passkeys: passkeys.map(({ id, name, created_at: createdAt, last_used_at: lastUsedAt }) => ({
      ...{ id, name, createdAt, lastUsedAt },
    })),
    backupCodesLeft: await countBackupCodes(ctx, operatorId),
  }
}

/**
 * Creates the secret of an app, in place of one that was never confirmed; it counts once a code has confirmed it. @throws
 * TOTP_ALREADY_ENROLLED
 */
export async function beginTotp(ctx: Context): Promise<TotpSecret> {
  const secret = randomBytes(SECRET_BYTES)
  const expiresAt = new Date(ctx.now().getTime() + PENDING_MS)
  const email = await inTransaction(ctx, async (tx) => {
    const operator = await lockCaller(tx)
    const former = await findAuthenticator(tx, operator.id)
    if (former?.confirmed_at) return fail('TOTP_ALREADY_ENROLLED')
    const secretId = await seal(tx, {
      kind: 'totp',
      label: `Authenticator app of member ${operator.id}`,
      value: secret,
    })
    const pending = { operator_id: operator.id, secret_id: secretId, expires_at: expiresAt, created_at: tx.now() }
    await upsertAuthenticator(tx, pending)
    if (former) await forget(tx, former.secret_id)
    return operator.email
  })
  const otpauthURI = otpauthUri(secret, email)
  const shown = { secret: secretText(secret), otpauthURI, qrSvg: qrSvg(otpauthURI), expiresAt }
  secret.fill(0)
  return shown
}

/** An app with the step of the code that it showed. */
export type CheckedApp = { readonly pending: AuthenticatorRow; readonly step: number }

/**
 * Checks the code of an app that is not confirmed yet. Failures count for this session alone. Call it before a transaction.
 * @throws SECOND_FACTOR_INVALID, CHALLENGE_EXPIRED, SIGN_IN_THROTTLED
 */
export async function checkApp(ctx: Context, code: string): Promise<CheckedApp> {
  const { operatorId, sessionId } = callingOperator(ctx)
  const pending = await findAuthenticator(ctx, operatorId)
  if (!pending || pending.confirmed_at !== null || pending.expires_at <= ctx.now()) return fail('CHALLENGE_EXPIRED')
  const checked = await counted(
    ctx,
    sessionCodeCounts(sessionId),
    async (): Promise<Attempted<number, CodeRefusal>> => {
      const result = await checkAuthenticator(ctx, pending, { code, isOwner: true })
      return 'step' in result ? { right: result.step } : { wrong: result.refused }
    },
  )
  return 'right' in checked ? { pending, step: checked.right } : refuseCode(checked.wrong)
}

/**
 * Confirms an app whose code was checked; other sessions end. Returns backup codes when it is the first factor, else null. Of two
 * confirmations at once one counts. @throws CHALLENGE_EXPIRED
 */
export async function confirmTotp(ctx: Context, { pending, step }: CheckedApp): Promise<string[] | null> {
  return inTransaction(ctx, async (tx) => {
    const operator = await lockCaller(tx)
    if (!(await moveToConfirmed(tx, pending, BigInt(step)))) return fail('CHALLENGE_EXPIRED')
    return afterAdding(tx, operator, 'totp')
  })
}

/** Removes the app and ends other sessions; does nothing without an app. @throws SECOND_FACTOR_POLICY */
export async function removeTotp(ctx: Context): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { id, second_factors: former } = await lockCaller(tx)
    const wasThere = former.includes('totp')
    if (!(await dropAuthenticator(tx, id)) || !wasThere) return
    await afterRemoving(tx, 'totp')
  })
}

/**
 * Creates new backup codes; the old ones stop working. @throws SECOND_FACTOR_SETUP_REQUIRED when there is no factor they could
 * replace
 */
export async function renewBackupCodes(ctx: Context): Promise<string[]> {
  return inTransaction(ctx, async (tx) => {
    const { id, second_factors: methods } = await lockCaller(tx)
    if (methods.length === 0) return fail('SECOND_FACTOR_SETUP_REQUIRED')
    const codes = await makeBackupCodes(tx, id)
    await refreshFactors(tx, id)
    return codes
  })
}
