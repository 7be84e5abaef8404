import { ERRORS } from '@kassa/contract/errors.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Context, inTransaction, type RequestFacts } from '../../../context.ts'
import { findOperator, replacePassword } from '../../operators/accounts/service.ts'
import { checkPassword } from '../attempts/check-password.ts'
import { isSamePassword } from '../attempts/password-hash.ts'
import { sessionCounts } from '../attempts/rules.ts'
import { endOtherSessions, endSession } from '../sessions/store.ts'
import { hashNewPassword } from './new-password.ts'
import { endTokensOf } from './store.ts'

export type PasswordChange = {
  readonly oldPassword: string
  readonly password: string
  readonly request: RequestFacts
}

/** The hashes of a checked password and of its successor. */
export type CheckedChange = { readonly from: string; readonly to: string }

/**
 * Checks the current password of the operator who calls, and hashes the next one. Failures count for this session alone.
 * Call it before a transaction. @throws CURRENT_PASSWORD_WRONG, PASSWORD_UNCHANGED, VALIDATION_FAILED, SIGN_IN_THROTTLED
 */
export async function checkChange(
  ctx: Context,
  { oldPassword, password, request }: PasswordChange,
): Promise<CheckedChange> {
  const { caller } = ctx
  if (caller.kind !== 'operator') return fail('UNAUTHORIZED')
  const operator = await findOperator(ctx, caller.operatorId)
  if (!operator) return fail('UNAUTHORIZED')
  const { password_hash: from } = operator
  const { network } = request
  const attempt = { password: oldPassword, hash: from, network, counts: sessionCounts(caller.sessionId) }
  if (!(await checkPassword(ctx, attempt)) || from === null) return refuseCurrent()
  if (isSamePassword(oldPassword, password)) {
    return fail('PASSWORD_UNCHANGED', { fields: { password: ERRORS.PASSWORD_UNCHANGED.message } })
  }
  return { from, to: await hashNewPassword(ctx, { password, email: operator.email, network }) }
}

/**
 * Gives the calling operator another password, ends their other sessions and emits operator.password_changed; returns how many
 * of those were in use. A restricted session ends too: its operator signs in again. When two changes meet, one wins; the other
 * fails because its current password is no longer current.
 * @throws CURRENT_PASSWORD_WRONG
 */
export async function changePassword(
  ctx: Context,
  { from, to }: CheckedChange,
  { ip }: Pick<RequestFacts, 'ip'>,
): Promise<{ endedSessions: number }> {
  const { caller } = ctx
  if (caller.kind !== 'operator') return fail('UNAUTHORIZED')
  const { operatorId, sessionId } = caller
  return inTransaction(ctx, async (tx) => {
    if (!(await replacePassword(tx, { operatorId, from, to }))) return refuseCurrent()
    await endTokensOf(tx, operatorId)
    const endedSessions = await endOtherSessions(tx, { operatorId, sessionId, by: 'password' })
    if (caller.restricted) await endSession(tx, sessionId)
    await tx.events.emit(tx, {
      type: 'operator.password_changed',
      projectId: null,
      payload: { memberID: operatorId, sessionID: sessionId, ipAddress: ip },
    })
    return { endedSessions }
  })
}

function refuseCurrent(): never {
  return fail('CURRENT_PASSWORD_WRONG', { fields: { oldPassword: ERRORS.CURRENT_PASSWORD_WRONG.message } })
}
