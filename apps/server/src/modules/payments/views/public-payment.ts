import { confirmationsOf } from '@kassa/contract/deposits/confirmations.ts'
import type { PaymentPublic, PaymentRepair } from '@kassa/contract/payments/schemas.ts'
import type { Context } from '../../../context.ts'
import { listAssets } from '../../blockchains/chains/service.ts'
import { type Deposit, depositsOfPayment, type ShownDeposit } from '../../deposits/service.ts'
import { paymentPolicy } from '../../projects/service.ts'
import { chainFacts } from '../readiness/check-readiness.ts'
import { leastConfirmed } from '../funding/deposit-rules.ts'
import type { Payment } from '../payment/payment.ts'
import { findReference, listTips } from '../payment/store.ts'
import { requireOwnAddress } from '../payment/service.ts'
import { unlistedNotices } from './unlisted-notices.ts'
import { waitsFor } from '../readiness/rules.ts'
import { repairOf } from './repair-rules.ts'
import { canBeSighted } from '../funding/payment-batch.ts'
import { boundsOf } from '../funding/funding-rules.ts'
import { publicView } from './public-view.ts'
import { listOfPayment, type Sighting } from '../sightings/store.ts'
import { linkContextOf } from '../payment/links.ts'

/** A payment as its payer sees it; its own key and operators of its project see the customer's id as well. */
export async function publicPayment(ctx: Context, payment: Payment): Promise<PaymentPublic> {
  return (await shown(ctx, payment)).view
}

export async function shown(
  ctx: Context,
  payment: Payment,
): Promise<{ view: PaymentPublic; deposits: ShownDeposit[] }> {
  await requireOwnAddress(ctx, payment)
  const deposits = await depositsOfPayment(ctx, payment.id)
  const tips = deposits.length > 0 ? await listTips(ctx) : new Map<number, number>()
  const printed = await withAssets(ctx, deposits, tips)
  const sightings = canBeSighted(payment) ? await listOfPayment(ctx, payment.id) : []
  const live = printed.filter(({ deposit }) => deposit.status !== 'reverted')
  const confirmations = live.length > 0 ? leastConfirmed(deposits, tips) : await wantedBy(ctx, sightings)
  const context = await linkContextOf(ctx)
  const view = publicView(payment, {
    ...context,
    sightings,
    unlisted: await unlistedNotices(ctx, payment, context),
    deposits: printed,
    confirmations,
    isForMerchant: isForMerchant(ctx, payment),
    waits: await waitsOf(ctx, payment),
    repair: await repairFor(ctx, payment, live),
    supersededBy: payment.supersededBy === null ? null : ((await findReference(ctx, payment.supersededBy)) ?? null),
  })
  return { view, deposits: printed }
}

/** What transfers that no block holds yet wait for. */
async function wantedBy(ctx: Context, sightings: readonly Sighting[]): Promise<{ current: number; required: number }> {
  const waiting = sightings.find(({ goneAt }) => goneAt === null)
  const asset = waiting && (await listAssets(ctx)).find(({ id }) => id === waiting.assetId)
  return { current: 0, required: asset?.minConfirmations ?? 0 }
}

/** Only a payment that waits for a deposit or its confirmations waits for a network. */
async function waitsOf(ctx: Context, payment: Payment): Promise<PaymentPublic['waits']> {
  const { quote, status } = payment
  if (quote === null || (status !== 'OPEN' && status !== 'PARTIALLY_FILLED')) return null
  const chain = (await chainFacts(ctx)).find(({ code }) => code === quote.asset.blockchainCode)
  return chain ? waitsFor(chain, isForMerchant(ctx, payment)) : null
}

/**
 * What a payer may do about live deposits: nobody holds what a reorganisation took. An unpaid payment needs no repair: skipping it
 * keeps the most frequent page view cheap.
 */
async function repairFor(
  ctx: Context,
  payment: Payment,
  deposits: readonly ShownDeposit[],
): Promise<PaymentRepair | null> {
  if (deposits.length === 0) return null
  const { quote, project } = payment
  const leastUnits = quote && boundsOf(quote, await paymentPolicy(ctx, project.id)).least
  return repairOf({ payment, deposits, leastUnits, now: ctx.now() })
}

async function withAssets(
  ctx: Context,
  deposits: readonly Deposit[],
  tips: ReadonlyMap<number, number>,
): Promise<ShownDeposit[]> {
  if (deposits.length === 0) return []
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  return deposits.flatMap((deposit) => {
    const asset = assets.get(deposit.assetId)
    return asset ? [{ deposit, asset, confirmations: confirmationsOf(deposit, tips.get(deposit.blockchainId)) }] : []
  })
}

function isForMerchant({ caller }: Context, { project }: Payment): boolean {
  if (caller.kind === 'key') return caller.projectId === project.id && caller.scopes.has('payment:read')
  if (caller.kind !== 'operator') return caller.kind === 'system'
  const { install, projects } = caller.grants
  return install.has('payment:read') || (projects.get(project.id)?.has('payment:read') ?? false)
}
