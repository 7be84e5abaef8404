/**
 * Refunds: a payout that names its payment. Deposits set the bound of a refund, because a payment may have been paid in several
 * assets; the transaction that requests the payout commits what it takes on these deposits (money.md 3.6).
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { RefundKind } from '@kassa/contract/withdrawals/machine.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context, StoredEvent } from '../../../context.ts'
import { getAsset } from '../../blockchains/chains/service.ts'
import { lockCustomers } from '../../customers/service.ts'
import { commitRefund, listRefundable, releaseRefund } from '../../deposits/service.ts'
import { admitted, bound, cut, type Refundable, type Sources } from './rules.ts'
import { findAsked, findRefunded, insertParts, listParts, type RefundRow } from './store.ts'

export type { Refundable } from './rules.ts'

/** Subscriber: commits deposits to a refund that is requested. @throws REFUND_TOO_LARGE with the most that is possible */
export async function takeRefund(tx: Context, { payload }: StoredEvent): Promise<void> {
  const payoutId = BigInt(payload.payout_id as number)
  const paymentId = BigInt(payload.payment_id as string)
  const kind = payload.kind as RefundKind
  const depositId = payload.deposit_id === null ? null : BigInt(payload.deposit_id as string)
  const payment = (await findRefunded(tx, paymentId, payoutId)) ?? fail('PAYMENT_NOT_FOUND')
  await lockCustomers(tx, [payment.customer_id])
  const { asset_id: assetId, units: wanted } = (await findAsked(tx, payoutId)) ?? fail('WITHDRAWAL_NOT_FOUND')
  const units = BigInt(wanted)
  const sources = await sourcesOf(tx, payment, { isLocked: true })
  const asked = { kind, depositId, assetId }
  const most = bound(sources, asked)
  if (units > most) return refuseTooLarge(tx, assetId, most)
  const parts = cut(admitted(sources, asked), units)
  for (const part of parts) await commitRefund(tx, part.deposit.id, part.units)
  await insertParts(
    tx,
    parts.map((part) => ({
      withdrawalId: payoutId,
      depositId: part.deposit.id,
      units: part.units,
      claim: part.deposit.status === 'unapplied' ? 'customer:unapplied' : 'project:balance',
    })),
  )
}

/** Subscriber: releases the deposits of a refund that ended without paying. */
export async function releaseParts(tx: Context, { payload }: StoredEvent): Promise<void> {
  const payoutId = BigInt(payload.payout_id as number)
  for (const part of await listParts(tx, payoutId)) await releaseRefund(tx, part.deposit_id, BigInt(part.units))
}

/** Lists how much of a payment can be refunded, by asset. */
export async function refundable(ctx: Context, paymentId: bigint): Promise<Refundable[]> {
  const payment = await findRefunded(ctx, paymentId, null)
  if (!payment) return []
  const sources = await sourcesOf(ctx, payment, { isLocked: false })
  const assetIds = new Set(sources.deposits.map((one) => one.assetId))
  return [...assetIds].flatMap((assetId) => {
    const asked = { depositId: null, assetId }
    const units = bound(sources, { ...asked, kind: 'full' })
    return units === 0n ? [] : [{ assetId, units, overUnits: bound(sources, { ...asked, kind: 'overpaid' }) }]
  })
}

/** Lists how much of the deposits of a payment that count for nothing can be refunded, by asset. */
export async function refundableUnmatched(
  ctx: Context,
  paymentId: bigint,
): Promise<Pick<Refundable, 'assetId' | 'units'>[]> {
  const payment = await findRefunded(ctx, paymentId, null)
  if (!payment) return []
  const { deposits } = await sourcesOf(ctx, payment, { isLocked: false })
  return deposits
    .filter((one) => one.status === 'unapplied' && one.paymentId === paymentId && one.units > one.committed)
    .map(({ assetId, units, committed }) => ({ assetId, units: units - committed }))
}

async function sourcesOf(ctx: Context, payment: RefundRow, lock: { readonly isLocked: boolean }): Promise<Sources> {
  const owner = { paymentId: payment.payment_id, customerId: payment.customer_id }
  const over = BigInt(payment.over_units) - BigInt(payment.refunded_over)
  return {
    deposits: await listRefundable(ctx, owner, lock),
    paymentId: payment.payment_id,
    assetId: payment.asset_id,
    overUnits: over > 0n ? over : 0n,
  }
}

async function refuseTooLarge(ctx: Context, assetId: number, most: bigint): Promise<never> {
  const asset = await getAsset(ctx, assetId)
  const amount = `${formatUnits(most, asset.decimals)} ${asset.currencyCode}`
  return fail('REFUND_TOO_LARGE', { values: { amount }, data: { amount: formatUnits(most, asset.decimals) } })
}
