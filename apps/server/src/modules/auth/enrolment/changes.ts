/** The parts of every change of second factors: backup codes, sessions, event and mail. */
import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Caller, Context } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { sendEmail, acceptsEmails } from '../../mail/service.ts'
import { findOperator, lockOperator, type OperatorRow } from '../../operators/accounts/service.ts'
import { factorPolicy } from '../../settings/service.ts'
import { newTypedCode } from '../sessions/typed-codes.ts'
import { BACKUP_CODES } from '@kassa/contract/auth/factor-schemas.ts'
import { refreshFactors } from '../factors/service.ts'
import { replaceBackupCodes } from '../factors/store.ts'
import { stepUpWindow } from '../sessions/rules.ts'
import { endOtherSessions, updateStepUp } from '../sessions/store.ts'
import { type FactorChange, factorChanged } from './emails.ts'

type FactorMail = { readonly operatorId: number; readonly change: FactorChange }

export const mailFactorChangedJob = job({
  queue: 'auth.mail-factor-changed',
  worker: 'email-processor',
  run: mailFactorChanged,
  concurrency: 2,
})

async function mailFactorChanged(ctx: Context, { operatorId, change }: FactorMail): Promise<void> {
  const operator = await findOperator(ctx, operatorId)
  if (operator && (await acceptsEmails(ctx)))
    await sendEmail(ctx, { to: operator.email, message: factorChanged(change) })
}

/** Returns the operator whose session calls. @throws UNAUTHORIZED */
export function callingOperator({ caller }: Context): Extract<Caller, { kind: 'operator' }> {
  return caller.kind === 'operator' ? caller : fail('UNAUTHORIZED')
}

/** Reads and locks the operator who calls, until the transaction ends. @throws UNAUTHORIZED for one who has no access any more */
export async function lockCaller(ctx: Context): Promise<OperatorRow> {
  const operator = await lockOperator(ctx, callingOperator(ctx).operatorId)
  return operator?.state === 'active' ? operator : fail('UNAUTHORIZED')
}

/**
 * Completes the addition of a factor. Its owner has just shown it, so the step-up window is now that of a factor. The first
 * factor brings backup codes and ends the other sessions. Returns the codes, or null. Joins the open transaction.
 */
export async function afterAdding(
  tx: Context,
  operator: OperatorRow,
  method: 'totp' | 'passkey',
): Promise<string[] | null> {
  const { operatorId, sessionId } = callingOperator(tx)
  const isFirst = operator.second_factors.length === 0
  const codes = isFirst ? await makeBackupCodes(tx, operatorId) : null
  await refreshFactors(tx, operatorId)
  await updateStepUp(tx, sessionId, { until: stepUpWindow(tx.now(), { withFactor: true }), method })
  if (isFirst || method === 'totp') await endOtherSessions(tx, { operatorId, sessionId })
  await recordChange(tx, operatorId, `${method}_added`)
  return codes
}

/** Completes the removal of a factor: without another factor, the backup codes are removed too. Joins the open transaction. */
export async function afterRemoving(tx: Context, method: 'totp' | 'passkey'): Promise<void> {
  const { operatorId, sessionId } = callingOperator(tx)
  const left = await refreshFactors(tx, operatorId)
  if (left.length === 0) {
    if ((await factorPolicy(tx)) !== 'optional') return fail('SECOND_FACTOR_POLICY')
    await replaceBackupCodes(tx, operatorId, [])
  }
  await endOtherSessions(tx, { operatorId, sessionId })
  await recordChange(tx, operatorId, `${method}_removed`)
}

/** Replaces all backup codes by new ones and returns them: only now are they known as text. Joins the open transaction. */
export async function makeBackupCodes(tx: Context, operatorId: number): Promise<string[]> {
  const codes = Array.from({ length: BACKUP_CODES }, newTypedCode)
  await replaceBackupCodes(
    tx,
    operatorId,
    codes.map(({ hash }) => hash),
  )
  return codes.map(({ text }) => text)
}

/** Emits operator.second_factor_changed and queues a mail to the operator; a shell command queues none. */
export async function recordChange(tx: Context, operatorId: number, change: FactorChange): Promise<void> {
  await tx.events.emit(tx, {
    type: 'operator.second_factor_changed',
    projectId: null,
    payload: { memberID: operatorId, change },
  })
  if (tx.caller.kind === 'operator' && (await acceptsEmails(tx)))
    await mailFactorChangedJob.send(tx, { operatorId, change })
}
