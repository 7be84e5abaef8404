import { fail } from '@kassa/contract/kit/refusal.ts'

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
  /** Kept money is assigned, held money released. */
  readonly from: 'unapplied' | 'quarantined'
  readonly action: string
  readonly note: string
}

/**
 * Lets money that a person decides about count for a payment, and makes the payment what it is then. The customer is locked
 * first, as by the reader of blocks.
 * @throws DEPOSIT_NOT_FOUND, DEPOSIT_NOT_UNAPPLIED, RESOLUTION_NOT_POSSIBLE
 */
export async function applyDeposit(ctx: Context, { id, customer }: Payment, gift: ManualApplication): Promise<Payment> {
  const known = await getDeposit(ctx, gift.depositId)
  if (known.customerId !== customer.id) refuse('This money is another customer’s. Choose a request of theirs.')
  return inTransaction(ctx, async (tx) => {
    await lockCustomers(tx, [customer.id])
    const payment = (await lockPayment(tx, id)) ?? fail('PAYMENT_NOT_FOUND')
    const deposit = await getDeposit(tx, gift.depositId)
    const gone = unassignBlockedBy(deposit, gift.from)
    if (gone && gift.action === 'assign') fail('DEPOSIT_NOT_UNAPPLIED', { details: gone })
    if (gone) refuse(gone)
    const isItsOwn = gift.from === 'quarantined' && deposit.paymentId === payment.id && payment.terms !== null
    const why = isItsOwn ? null : applyBlockedBy(payment)
    if (why) refuse(why)
    const { reason, late } = await manner(tx, deposit, payment)
    const move = gift.from === 'unapplied' ? assignDeposit : releaseDeposit
    const moved = await move(tx, deposit.id, { paymentId: payment.id, reason, late })
    await emitResolution(tx, payment, { action: gift.action, note: gift.note, deposit: moved })
    const after = await recomputePayment(tx, payment)
    await releaseQuarantined(tx, payment.reference)
    return after
  })
}

/** Says how the money counts; what must be valued and cannot be is not counted. */
async function manner(ctx: Context, deposit: Deposit, payment: Payment): Promise<AppliedAs> {
  const asset = await getAsset(ctx, deposit.assetId)
  const given = appliedAs(deposit, asset, payment)
  if (!given.needsWorth || deposit.usdAtSeen !== null) return given
  const facts = await priceAt(ctx, asset, deposit.blockTime)
  const worth = usdAtSeen(deposit.units, facts?.price ?? null, asset.decimals)
  if (!worth) return refuse('No trustworthy price is known for the time this money came. Refund it instead.')
  await recordValue(ctx, deposit.id, worth.text)
  return given
}

/** @throws RESOLUTION_NOT_POSSIBLE with what to do instead */
export function refuse(details: string): never {
  return fail('RESOLUTION_NOT_POSSIBLE', { details })
}
