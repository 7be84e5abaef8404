import type { Context } from '../../../context.ts'
import { assignDeposit, unappliedOfCustomer } from '../../deposits/service.ts'
import { paymentPolicy } from '../../projects/service.ts'
import { isOnTime } from '../funding/deposit-rules.ts'
import type { Payment } from '../payment/payment.ts'
import { recomputePayment } from '../funding/recompute-payment.ts'
import { emitResolution } from '../funding/payment-events.ts'

/** Money a person took away from a payment waits for a person again. */
const BY_PERSON = 'unassigned'

/**
 * Lets money that is kept for the customer, of the very asset a payment was just pinned to, count for it, oldest first and
 * until it is enough: when the project wants that (P8 `applyUnappliedToNext`). The caller holds the locks of customer and
 * payment. Coins count as coins, at the price that is held from now on.
 */
export async function applyUnapplied(ctx: Context, payment: Payment): Promise<Payment> {
  const { terms, project, customer } = payment
  if (!terms || !(await paymentPolicy(ctx, project.id)).applyUnappliedToNext) return payment
  const kept = (await unappliedOfCustomer(ctx, customer.id)).filter(
    ({ status, assetId, reason }) => status === 'unapplied' && assetId === terms.asset.id && reason !== BY_PERSON,
  )
  let missing = terms.dueUnits
  for (const { id, units, blockTime } of kept.toReversed()) {
    if (missing <= 0n) break
    const late = !isOnTime(payment, blockTime)
    const deposit = await assignDeposit(ctx, id, { paymentId: payment.id, reason: 'kept_money', late })
    await emitResolution(ctx, payment, { action: 'apply_kept_money', note: 'by the payment policy', deposit })
    missing -= units
  }
  return missing === terms.dueUnits ? payment : recomputePayment(ctx, payment)
}
