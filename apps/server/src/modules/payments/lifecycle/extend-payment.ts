import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Extension } from '@kassa/contract/payments/inputs.ts'
import { LINK_LIFETIME_MINUTES } from '@kassa/contract/projects/payment-policy.ts'

import { type Context, inTransaction } from '../../../context.ts'
import type { Payment } from '../payment/payment.ts'
import { lockPayment } from '../payment/store.ts'
import { blockView } from '../resolution/apply-deposit.ts'
import { extendBlockedBy } from '../resolution/rules.ts'
import { moveLater } from './store.ts'

const MINUTE_MS = 60_000

/**
 * Moves the end of an open payment to a later time. Its rate lock and the worth of what came stay: the payer takes a new rate
 * once the lock has ended. An end that it has already changes nothing, so that a repetition is harmless.
 * @throws PAYMENT_NOT_OPEN, PAYMENT_HAS_FUNDS, VALIDATION_FAILED
 */
export async function extendPayment(ctx: Context, { id }: Payment, extension: Extension): Promise<Payment> {
  return inTransaction(ctx, async (tx) => {
    const payment = (await lockPayment(tx, id)) ?? fail('PAYMENT_NOT_FOUND')
    const expiresAt = endOf(extension, tx.now())
    requireExtendable(payment, tx.now())
    if (expiresAt.getTime() === payment.expiresAt.getTime()) return payment
    if (expiresAt < payment.expiresAt) return refuseEnd(extension, 'Choose a time after the present end')
    if (!(await moveLater(tx, id, expiresAt))) return fail('PAYMENT_NOT_OPEN')
    const { reference, project } = payment
    const facts = { reference_id: reference, expires_at: expiresAt.toISOString() }
    await tx.events.emit(tx, {
      type: 'payment.extended',
      projectId: project.id,
      referenceId: reference,
      payload: facts,
    })
    tx.change({ expiresAt: payment.expiresAt }, { referenceID: reference, expiresAt }, { projectId: project.id })
    return { ...payment, expiresAt, updatedAt: tx.now() }
  })
}

function requireExtendable(payment: Payment, now: Date): void {
  const block = extendBlockedBy(payment, now)
  if (block === null) return
  const blockedBy = blockView(block)
  fail(block === 'rate_not_held' ? 'PAYMENT_HAS_FUNDS' : 'PAYMENT_NOT_OPEN', {
    details: blockedBy.text,
    data: { blockedBy },
  })
}

/** The time that is asked for: no link can be paid longer than a week from now. */
function endOf(extension: Extension, now: Date): Date {
  const { expiresInMinutes: minutes, expiresAt } = extension
  if ((minutes === undefined) === (expiresAt === undefined)) {
    return refuseEnd(extension, 'Choose either expiresInMinutes or expiresAt')
  }
  const end = expiresAt ?? new Date(now.getTime() + (minutes ?? 0) * MINUTE_MS)
  const latest = now.getTime() + LINK_LIFETIME_MINUTES.max * MINUTE_MS
  if (end.getTime() > latest) return refuseEnd(extension, 'Choose a time at most 7 days from now')
  return end
}

function refuseEnd({ expiresInMinutes }: Extension, message: string): never {
  const field = expiresInMinutes === undefined ? 'expiresAt' : 'expiresInMinutes'
  return fail('VALIDATION_FAILED', { message, fields: { [field]: message } })
}
