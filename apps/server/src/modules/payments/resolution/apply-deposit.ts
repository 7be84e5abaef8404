import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Reason, withText } from '@kassa/contract/kit/reason.ts'
import { ACTION_BLOCKS, type ActionBlock } from '@kassa/contract/payments/action-blocks.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { getAsset } from '../../blockchains/chains/service.ts'
import { lockCustomers } from '../../customers/service.ts'
import { assignDeposit, type Deposit, getDeposit, recordValue, releaseDeposit } from '../../deposits/service.ts'
import { priceAt } from '../../prices/service.ts'
import { releaseQuarantined } from '../../webhooks/deliveries/service.ts'
import { usdAtSeen } from '../funding/deposit-rules.ts'
import type { Payment } from '../payment/payment.ts'
import { lockPayments } from '../payment/store.ts'
import { paymentIn } from '../funding/payment-batch.ts'
import { recomputePayments } from '../funding/recompute-payment.ts'
import { type AppliedAs, appliedAs, applyBlockedBy, depositBlockedBy } from './rules.ts'
import { emitResolution } from '../funding/payment-events.ts'

export type ManualApplication = {
  readonly depositId: bigint
  /** An unapplied deposit is assigned, a quarantined one released. */
  readonly from: 'unapplied' | 'quarantined'
  readonly action: string
  readonly note: string
}

/**
 * Applies a deposit to a payment on an operator's decision and recomputes the payment, and the one that the deposit leaves. The
 * customer is locked first, in the order that crediting uses.
 * @throws DEPOSIT_NOT_FOUND, DEPOSIT_NOT_UNAPPLIED, RESOLUTION_NOT_POSSIBLE
 */
export async function applyDeposit(
  ctx: Context,
  { id, customer }: Payment,
  application: ManualApplication,
): Promise<Payment> {
  const known = await getDeposit(ctx, application.depositId)
  if (known.customerId !== customer.id) refuse('other_customer')
  return inTransaction(ctx, async (tx) => {
    await lockCustomers(tx, [customer.id])
    const deposit = await getDeposit(tx, application.depositId)
    // The payment that it waited with, or came too late for, goes on without it.
    const touched = await lockPayments(tx, [...new Set([id, deposit.paymentId ?? id])])
    const payment = touched.find((one) => one.id === id) ?? fail('PAYMENT_NOT_FOUND')
    const gone = depositBlockedBy(deposit, application.from)
    if (gone) refuse(gone, application.action === 'assign' ? 'DEPOSIT_NOT_UNAPPLIED' : 'RESOLUTION_NOT_POSSIBLE')
    const plan = await planApplication(tx, payment, deposit)
    if (plan.blockedBy !== null) return refuse(plan.blockedBy)
    const { reason, late, value } = plan
    if (value !== null) await recordValue(tx, deposit.id, value)
    const move = application.from === 'unapplied' ? assignDeposit : releaseDeposit
    const moved = await move(tx, deposit.id, { paymentId: payment.id, reason, late })
    await emitResolution(tx, payment, { action: application.action, note: application.note, deposit: moved })
    const after = await recomputePayments(tx, touched)
    for (const { reference } of touched) await releaseQuarantined(tx, reference)
    return paymentIn(after, id).now
  })
}

/** How a deposit would count for a payment, or why an operator cannot apply it. */
export type Plan =
  | { readonly blockedBy: ActionBlock }
  /** `value`: its value when received, which is known only now; null where it is stored, or not needed. */
  | (Pick<AppliedAs, 'reason' | 'late'> & { readonly blockedBy: null; readonly value: string | null })

/**
 * Plans how an unapplied or quarantined deposit of the payment's customer would count for it, without changing anything.
 * `offersOf` uses the same plan, so that an offer never differs from the action.
 */
export async function planApplication(ctx: Context, payment: Payment, deposit: Deposit): Promise<Plan> {
  // A deposit on hold for this payment counts for it whatever its state is now, because it was allocated to the payment on
  // arrival.
  const isItsOwn = deposit.status === 'quarantined' && deposit.paymentId === payment.id && payment.quote !== null
  const blockedBy = isItsOwn ? null : applyBlockedBy(payment)
  if (blockedBy !== null) return { blockedBy }
  const asset = await getAsset(ctx, deposit.assetId)
  const { reason, late, needsValue } = appliedAs(deposit, asset, payment)
  if (!needsValue || deposit.usdAtSeen !== null) return { blockedBy: null, reason, late, value: null }
  const facts = await priceAt(ctx, asset, deposit.blockTime)
  const value = usdAtSeen(deposit.units, facts?.price ?? null, asset.decimals)
  return value ? { blockedBy: null, reason, late, value: value.text } : { blockedBy: 'no_price_known' }
}

/** Refuses an operator's action with the code of its reason, and what to do instead. @throws the given code always */
export function refuse(
  block: ActionBlock,
  code: 'RESOLUTION_NOT_POSSIBLE' | 'DEPOSIT_NOT_UNAPPLIED' | 'DEPOSIT_NOT_HELD' = 'RESOLUTION_NOT_POSSIBLE',
): never {
  const blockedBy = blockView(block)
  return fail(code, { details: blockedBy.text, data: { blockedBy } })
}

/** A block as the contract shows it. */
export function blockView(code: ActionBlock): Reason<typeof ACTION_BLOCKS> {
  return withText(ACTION_BLOCKS, { code, params: {} })
}
