import type { Deposit as DepositShape } from '@kassa/contract/deposits/schemas.ts'
import { fail } from '@kassa/contract/kit/refusal.ts'
import { type Context, inTransaction, type ProjectScope } from '../../../context.ts'
import { lockCustomers } from '../../customers/service.ts'
import { depositShapes, getDeposit, releaseDeposit } from '../../deposits/service.ts'
import { releaseQuarantined } from '../../webhooks/deliveries/service.ts'
import { lockPayment } from '../payment/store.ts'
import { recomputePayment } from '../funding/recompute-payment.ts'
import { unassignBlockedBy } from './rules.ts'
import { emitRelease, emitResolution } from '../funding/payment-events.ts'

export type Release = { readonly depositId: number; readonly note: string }

/**
 * Ends the review of held money by keeping it for the customer; a payment that waited for it goes on without. From there it
 * can be given to a payment as any kept money.
 * @throws DEPOSIT_NOT_FOUND, DEPOSIT_NOT_HELD with why
 */
export async function releaseQuarantinedDeposit(
  ctx: Context,
  { projectIds }: ProjectScope,
  { depositId, note }: Release,
): Promise<DepositShape> {
  const id = BigInt(depositId)
  const known = await getDeposit(ctx, id)
  if (projectIds !== 'every' && !projectIds.includes(known.projectId)) return fail('DEPOSIT_NOT_FOUND')
  const kept = await inTransaction(ctx, async (tx) => {
    await lockCustomers(tx, [known.customerId])
    const before = await getDeposit(tx, id)
    const payment = before.paymentId === null ? undefined : await lockPayment(tx, before.paymentId)
    const details = unassignBlockedBy(before, 'quarantined')
    if (details) return fail('DEPOSIT_NOT_HELD', { details })
    const deposit = await releaseDeposit(tx, id, { paymentId: null, reason: 'released', late: false })
    const told = { action: 'release_to_customer', note, deposit }
    if (!payment) await emitRelease(tx, told)
    else {
      await emitResolution(tx, payment, told)
      await recomputePayment(tx, payment)
      await releaseQuarantined(tx, payment.reference)
    }
    return deposit
  })
  const [shape] = await depositShapes(ctx, [kept])
  return shape ?? fail('INTERNAL_ERROR')
}
