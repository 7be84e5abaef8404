import type { Deposit as DepositShape } from '@kassa/contract/deposits/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Context, inTransaction, type ProjectScope } from '../../../context.ts'
import { lockCustomers } from '../../customers/service.ts'
import { depositShapes, getDeposit, releaseDeposit } from '../../deposits/service.ts'
import { releaseQuarantined } from '../../webhooks/deliveries/service.ts'
import { lockPayment } from '../payment/store.ts'
import { recomputePayment } from '../funding/recompute-payment.ts'
import { refuse } from './apply-deposit.ts'
import { depositBlockedBy } from './rules.ts'
import { emitRelease, emitResolution } from '../funding/payment-events.ts'

export type Release = { readonly depositId: number; readonly note: string }

/**
 * Releases a quarantined deposit as unapplied; a payment that waited for it continues without it. It can then be applied to
 * a payment like any unapplied deposit.
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
  const released = await inTransaction(ctx, async (tx) => {
    await lockCustomers(tx, [known.customerId])
    const before = await getDeposit(tx, id)
    const payment = before.paymentId === null ? undefined : await lockPayment(tx, before.paymentId)
    const block = depositBlockedBy(before, 'quarantined')
    if (block) return refuse(block, 'DEPOSIT_NOT_HELD')
    const deposit = await releaseDeposit(tx, id, { paymentId: null, reason: 'released', late: false })
    const decision = { action: 'release_to_customer', note, deposit }
    if (!payment) await emitRelease(tx, decision)
    else {
      await emitResolution(tx, payment, decision)
      await recomputePayment(tx, payment)
      await releaseQuarantined(tx, payment.reference)
    }
    return deposit
  })
  const [shape] = await depositShapes(ctx, [released])
  return shape ?? fail('INTERNAL_ERROR')
}
