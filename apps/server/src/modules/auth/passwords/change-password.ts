import { ERRORS } from '@kassa/contract/errors.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Context, inTransaction, type RequestFacts } from '../../../context.ts'
import { findOperator, replacePassword } from '../../operators/accounts/service.ts'
import { checkPassword } from '../attempts/check-password.ts'
import { hashPassword, isSamePassword } from '../attempts/password-hash.ts'
import { sessionCounts } from '../attempts/rules.ts'
import { endOtherSessions, endSession } from '../sessions/store.ts'
import { endTokensOf } from './store.ts'

export type PasswordChange = {
  readonly oldPassword: string
  readonly password: string
  readonly request: RequestFacts
}

/**
 * Gives the operator who calls another password, ends their other sessions and emits operator.password_changed; returns
 * how many of those were still in use. A restricted session ends too: its operator signs in again. Failures count for
 * this session alone. Of two changes at once one wins, the other's current password is no longer the current one.
 * @throws CURRENT_PASSWORD_WRONG, PASSWORD_UNCHANGED, SIGN_IN_THROTTLED
 */
export async function changePassword(
  ctx: Context,
  { oldPassword, password, request }: PasswordChange,
): Promise<{ endedSessions: number }> {
  const { caller } = ctx
  if (caller.kind !== 'operator') return fail('UNAUTHORIZED')
  const { operatorId, sessionId } = caller
  const operator = await findOperator(ctx, operatorId)
  if (!operator) return fail('UNAUTHORIZED')
  const { password_hash: hash } = operator
  const { network } = request
  const attempt = { password: oldPassword, hash, network, counts: sessionCounts(sessionId) }
  if (!(await checkPassword(ctx, attempt)) || hash === null) return refuseCurrent()
  if (isSamePassword(oldPassword, password)) {
    return fail('PASSWORD_UNCHANGED', { fields: { password: ERRORS.PASSWORD_UNCHANGED.message } })
  }
  const next = await hashPassword(ctx, { password, network })
  return inTransaction(ctx, async (tx) => {
    if (!(await replacePassword(tx, { operatorId, from: hash, to: next }))) return refuseCurrent()
    await endTokensOf(tx, operatorId)
    const endedSessions = await endOtherSessions(tx, { operatorId, sessionId, by: 'password' })
    if (caller.restricted) await endSession(tx, sessionId)
    await tx.events.emit(tx, {
      type: 'operator.password_changed',
      projectId: null,
      payload: { memberID: operatorId, sessionID: sessionId, ipAddress: request.ip },
    })
    return { endedSessions }
  })
}

function refuseCurrent(): never {
  return fail('CURRENT_PASSWORD_WRONG', { fields: { oldPassword: ERRORS.CURRENT_PASSWORD_WRONG.message } })
}
