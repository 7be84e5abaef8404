import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context, RequestFacts } from '../../../context.ts'
import { acceptsEmails } from '../../mail/service.ts'
import { findOperator, isStillManaged, markSeen, type OperatorRow } from '../../operators/accounts/service.ts'
import { hasSessionFrom } from '../sessions/store.ts'
import type { ProofMethod } from '../sessions/tables.ts'
import { mailNewDeviceJob } from './emails.ts'
import { openSession, type OpenedSession } from './open-session.ts'

export type Shown = {
  readonly factors: readonly ProofMethod[]
  readonly request: RequestFacts
  /** The error when it is not enough any more. */
  readonly stale: 'INVALID_CREDENTIALS' | 'CHALLENGE_EXPIRED'
}

/**
 * Opens the session of an operator who has shown these factors, emits operator.signed_in, and queues a mail where the device
 * is a new one. Joins the open transaction.
 * @throws INVALID_CREDENTIALS or CHALLENGE_EXPIRED when what was shown is not enough any more
 */
export async function enter(
  tx: Context,
  operator: OperatorRow,
  { factors, request, stale }: Shown,
): Promise<OpenedSession> {
  // Waits for a change of the password or of a factor in progress: a session that such a change could not end must not be
  // opened.
  await markSeen(tx, operator.id)
  const current = await findOperator(tx, operator.id)
  const isStale = current?.state !== 'active' || current.password_hash !== operator.password_hash
  const isShort = factors.every((factor) => factor === 'password') && current?.second_factors.length !== 0
  if (isStale || isShort) return fail(stale)
  // The administrator who set the password knows it too, so it counts only while that person may manage the operator.
  const { password_given_by: giver } = current
  if (giver !== null && !(await isStillManaged(tx, current.id, giver))) return fail(stale)
  const isNew = await isNewDevice(tx, operator, request)
  const opened = await openSession(tx, current, { ...request, factors })
  await tx.events.emit(tx, {
    type: 'operator.signed_in',
    projectId: null,
    payload: { memberID: operator.id, sessionID: opened.session.id, ipAddress: request.ip },
  })
  if (isNew && (await acceptsEmails(tx))) {
    const { ip, userAgent } = request
    await mailNewDeviceJob.send(tx, { operatorId: operator.id, at: tx.now().toISOString(), ip, userAgent })
  }
  return opened
}

/** Whether this program signs in from this network for the first time; never true at an operator's very first sign-in. */
async function isNewDevice(
  tx: Context,
  { id, last_seen_at: seen }: OperatorRow,
  request: RequestFacts,
): Promise<boolean> {
  const { network, userAgent } = request
  return seen !== null && !(await hasSessionFrom(tx, { operatorId: id, network, userAgent }))
}
