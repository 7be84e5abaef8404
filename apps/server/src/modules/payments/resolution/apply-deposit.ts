import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { getAsset } from '../../blockchains/chains/service.ts'
import { lockCustomers } from '../../customers/service.ts'
import { assignDeposit, type Deposit, getDeposit, recordValue, releaseDeposit } from '../../deposits/service.ts'
import { priceAt } from '../../prices/service.ts'
import { releaseQuarantined } from '../../webhooks/deliveries/service.ts'
import { usdAtSeen } from '../funding/deposit-rules.ts'
import type { Payment } from '../payment/payment.ts'
import { lockPayment } from '../payment/store.ts'
import { recomputePayment } from '../funding/recompute-payment.ts'
import { type AppliedAs, appliedAs, applyBlockedBy, unassignBlockedBy } from './rules.ts'
import { emitResolution } from '../funding/payment-events.ts'

export type ManualApplication = {
  readonly depositId: bigint
  /** An unapplied deposit is assigned, a quarantined one released. */
  readonly from: 'unapplied' | 'quarantined'
  readonly action: string
  readonly note: string
}

/**
 * Applies a deposit to a payment on an operator's decision and recomputes the payment. The customer is locked first, in the
 * order that crediting uses.
 * @throws DEPOSIT_NOT_FOUND, DEPOSIT_NOT_UNAPPLIED, RESOLUTION_NOT_POSSIBLE
 */
export async function applyDeposit(
  ctx: Context,
  { id, customer }: Payment,
  application: ManualApplication,
): Promise<Payment> {
  const known = await getDeposit(ctx, application.depositId)
  if (known.customerId !== customer.id)
    refuse('This deposit belongs to another customer. Choose one of their payments.')
  return inTransaction(ctx, async (tx) => {
    await lockCustomers(tx, [customer.id])
    const payment = (await lockPayment(tx, id)) ?? fail('PAYMENT_NOT_FOUND')
    const deposit = await getDeposit(tx, application.depositId)
    const gone = unassignBlockedBy(deposit, application.from)
    if (gone && application.action === 'assign') fail('DEPOSIT_NOT_UNAPPLIED', { details: gone })
    if (gone) refuse(gone)
    const isItsOwn = application.from === 'quarantined' && deposit.paymentId === payment.id && payment.quote !== null
    const why = isItsOwn ? null : applyBlockedBy(payment)
    if (why) refuse(why)
    const { reason, late } = await applicationOf(tx, deposit, payment)
    const move = application.from === 'unapplied' ? assignDeposit : releaseDeposit
    const moved = await move(tx, deposit.id, { paymentId: payment.id, reason, late })
    await emitResolution(tx, payment, { action: application.action, note: application.note, deposit: moved })
    const after = await recomputePayment(tx, payment)
    await releaseQuarantined(tx, payment.reference)
    return after
  })
}

/** Decides how the deposit counts; one that needs a value and has no price is refused. */
async function applicationOf(ctx: Context, deposit: Deposit, payment: Payment): Promise<AppliedAs> {
  const asset = await getAsset(ctx, deposit.assetId)
  const applied = appliedAs(deposit, asset, payment)
  if (!applied.needsValue || deposit.usdAtSeen !== null) return applied
  const facts = await priceAt(ctx, asset, deposit.blockTime)
  const value = usdAtSeen(deposit.units, facts?.price ?? null, asset.decimals)
  if (!value) return refuse('No trustworthy price is known for the time this deposit arrived. Refund it instead.')
  await recordValue(ctx, deposit.id, value.text)
  return applied
}

/** @throws RESOLUTION_NOT_POSSIBLE with what to do instead */
export function refuse(details: string): never {
  return fail('RESOLUTION_NOT_POSSIBLE', { details })
}
