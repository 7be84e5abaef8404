import type { Context } from '../../../context.ts'
import { assignDeposit, listRefundable, unappliedOfCustomer } from '../../deposits/service.ts'
import { paymentPolicy } from '../../projects/service.ts'
import { isOnTime } from '../funding/deposit-rules.ts'
import type { Payment } from '../payment/payment.ts'
import { lockPayments } from '../payment/store.ts'
import { paymentIn } from '../funding/payment-batch.ts'
import { recomputePayments } from '../funding/recompute-payment.ts'
import { emitResolution } from '../funding/payment-events.ts'

/** A deposit that an operator unassigned waits for an operator again. */
const BY_PERSON = 'unassigned'

/**
 * Applies the customer's unapplied deposits of the asset that a payment was just pinned to, oldest first, until the payment
 * is covered, if the project's policy says so (`applyUnappliedToNext`). Those that a refund was promised or has taken stay
 * where they are. The caller has locked customer and payment. They count in units of the asset, at the rate that is locked
 * from now on.
 */
export async function applyUnapplied(ctx: Context, payment: Payment): Promise<Payment> {
  const { quote, project, customer } = payment
  if (!quote || !(await paymentPolicy(ctx, project.id)).applyUnappliedToNext) return payment
  const unapplied = (await unappliedOfCustomer(ctx, customer.id)).filter(
    ({ status, assetId, reason }) => status === 'unapplied' && assetId === quote.asset.id && reason !== BY_PERSON,
  )
  if (unapplied.length === 0) return payment
  const promised = await promisedToRefunds(ctx, payment)
  let missing = quote.dueUnits
  const left = new Set<bigint>()
  for (const { id, units, blockTime, paymentId } of unapplied.toReversed()) {
    if (missing <= 0n) break
    if (promised.has(id)) continue
    const late = !isOnTime(payment, blockTime)
    const deposit = await assignDeposit(ctx, id, { paymentId: payment.id, reason: 'applied_by_policy', late })
    await emitResolution(ctx, payment, { action: 'apply_unapplied', note: 'by the payment policy', deposit })
    missing -= units
    if (paymentId !== null && paymentId !== payment.id) left.add(paymentId)
  }
  if (missing === quote.dueUnits) return payment
  // The payments that they came too late for go on without them. Whoever holds one of these waits for no payment of the customer.
  const touched = [payment, ...(await lockPayments(ctx, [...left]))]
  return paymentIn(await recomputePayments(ctx, touched), payment.id).now
}

async function promisedToRefunds(ctx: Context, { id, customer }: Payment): Promise<ReadonlySet<bigint>> {
  const deposits = await listRefundable(ctx, { paymentId: id, customerId: customer.id }, { isLocked: false })
  return new Set(deposits.filter(({ committed }) => committed > 0n).map((deposit) => deposit.id))
}
