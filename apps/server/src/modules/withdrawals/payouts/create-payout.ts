import { fail } from '@kassa/contract/kit/api-error.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'

import { type Context, inTransaction } from '../../../context.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import { lockCustomers } from '../../customers/service.ts'
import { currentPrice } from '../../prices/service.ts'
import { lockPolicy, type PayoutPolicy } from '../policy/service.ts'
import type { WithdrawalRow } from '../record/service.ts'
import { findByClientReference, isActive, listCustomersOf, nextWithdrawalId } from '../record/store.ts'
import { convertReward, dollars, type Priced } from './convert-reward.ts'
import type { PayoutRequest } from './payout-request.ts'
import { type Draft, judge } from './question.ts'
import { storeRequest } from './store-request.ts'

/** Reads an amount of an asset. @throws VALIDATION_FAILED for more decimals than the asset has */
export function unitsOf(asset: Asset, amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  const digits = fraction.replace(/0+$/, '')
  if (digits.length > asset.decimals) {
    const message = `Amount must have at most ${asset.decimals} decimals`
    return fail('VALIDATION_FAILED', { message, fields: { amount: message } })
  }
  return parseUnits(digits === '' ? whole : `${whole}.${digits}`, asset.decimals)
}

/**
 * Requests a payout: the policy decides, and where it needs no approval the money is held, all under the lock of the project's
 * policy, so that parallel requests cannot exceed a window together.
 * @throws CLIENT_REFERENCE_EXISTS, RATE_UNAVAILABLE, PAYMENT_NOT_FOUND, REFUND_TOO_LARGE, REFUND_CLAIM_CHANGED,
 * INSUFFICIENT_FUNDS, and as `refuseBlocked`
 */
export async function createPayout(ctx: Context, request: PayoutRequest): Promise<WithdrawalRow> {
  return inTransaction(ctx, async (tx) => {
    const policy = await lockForRequests(tx, request.projectId)
    await lockRefunded(tx, request.projectId, [request])
    await requireNewReference(tx, request)
    const priced = await pricedNow(tx, request)
    const judged = await judge(tx, policyForRequests(policy), draftOf(tx, request, priced))
    return storeRequest(tx, request, { ...priced, policy, judged, id: await nextWithdrawalId(tx) })
  })
}

/** Locks the policy of a project that takes writes, so that nothing else is requested of it meanwhile. @throws PROJECT_ARCHIVED */
export async function lockForRequests(tx: Context, projectId: number): Promise<PayoutPolicy> {
  const policy = await lockPolicy(tx, projectId)
  return (await isActive(tx, projectId)) ? policy : fail('PROJECT_ARCHIVED')
}

/**
 * Locks the customers whose money is refunded, before the rows of payouts, which hold their payments: whoever credits or moves a
 * deposit locks the customer first (money.md 4.3).
 */
export async function lockRefunded(
  tx: Context,
  projectId: number,
  requests: readonly Pick<PayoutRequest, 'refund'>[],
): Promise<void> {
  const references = requests.flatMap(({ refund }) => refund?.reference ?? [])
  if (references.length > 0) await lockCustomers(tx, await listCustomersOf(tx, projectId, references))
}

/** A request at current prices. @throws VALIDATION_FAILED, RATE_UNAVAILABLE, and as `convertReward` */
export async function pricedNow(ctx: Context, { asset, amount, reward }: PayoutRequest): Promise<Priced> {
  if (reward !== undefined) return convertReward(ctx, reward, asset)
  const units = unitsOf(asset, amount)
  const { price } = (await currentPrice(ctx, asset)) ?? fail('RATE_UNAVAILABLE')
  return { units, price, amountUsd: dollars(units, price, asset) }
}

/** A request as the policy sees it now. */
export function draftOf(ctx: Context, request: PayoutRequest, { units, amountUsd }: Priced): Draft {
  const { projectId, asset, payee } = request
  return {
    ...{ id: null, projectId, asset, units, amountUsd, askedAt: ctx.now(), decidedAt: null },
    ...{ address: payee.address, key: payee.key, alwaysByPeople: request.type === 'withdrawal' },
    isRefund: request.refund !== null,
  }
}

/** The policy without its pause and its delay for new addresses: these stop the signing of a payout, not its request. */
export function policyForRequests(policy: PayoutPolicy): PayoutPolicy {
  return { ...policy, paused: false, recipientDelayHours: 0 }
}

/** Refuses a reference that a payout of the project has already. @throws CLIENT_REFERENCE_EXISTS */
export async function requireNewReference(tx: Context, { projectId, clientReference }: PayoutRequest): Promise<void> {
  if (clientReference === null) return
  const known = await findByClientReference(tx, projectId, clientReference)
  if (known !== undefined)
    fail('CLIENT_REFERENCE_EXISTS', { values: { id: String(known) }, data: { id: Number(known) } })
}
