/**
 * Payouts: money that leaves a project. A merchant's server or an operator requests it, the policy decides, alone or with
 * people's approval, and from then on the money is held.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { MerchantPayout, RecipientPayout } from '@kassa/contract/withdrawals/inputs.ts'
import { findBlockchain as findDefinition } from '@kassa/primitives/chains/blockchains.ts'

import type { Context } from '../../../context.ts'
import { adapterOf, type Asset, findAsset, listAssets } from '../../blockchains/chains/service.ts'
import { findCustomerByMerchantId } from '../../customers/service.ts'
import { parsePayee } from '../addresses/service.ts'
import { findPayableRecipient } from '../recipients/service.ts'
import type { RewardClaim } from './convert-reward.ts'
import type { PayoutRequest, RefundRequest } from './payout-request.ts'
import { isPayable } from './question.ts'
import { refuseAsset } from './refuse-blocked.ts'

export { createPayout } from './create-payout.ts'
export { approvePayout, cancelPayout, refuseWithOpenPayouts, rejectPayout } from './decide-payout.ts'
export { judgeStored } from './question.ts'
export { describeApproval, describeRequest } from './describe.ts'
export { describeRetry, retryPayout } from './retry-payout.ts'

/** Reads what a merchant's server requests (D1). @throws ASSET_NOT_PAYABLE, ADDRESS_INVALID */
export async function requestOfMerchant(
  ctx: Context,
  projectId: number,
  input: MerchantPayout,
): Promise<PayoutRequest> {
  const asset = await payableAsset(ctx, input.blockchainCode, input.currencyCode)
  const blockchain = findDefinition(asset.blockchainId) ?? fail('BLOCKCHAIN_NOT_FOUND')
  const customer = input.customerID ? await findCustomerByMerchantId(ctx, projectId, input.customerID) : undefined
  return {
    projectId,
    type: 'payout_merchant',
    asset,
    amount: input.amount,
    payee: parsePayee(ctx, blockchain, input.toAddress, 'toAddress'),
    beneficiary: {
      recipientId: null,
      name: null,
      email: input.email,
      mobileNumber: input.mobileNumber || null,
      residentialAddress: input.residentialAddress || null,
      customerId: customer?.id ?? null,
    },
    note: input.note ?? '',
    clientReference: input.clientReference || null,
    refund: refundOf(input),
  }
}

/** Reads what an operator requests for a recipient (D7). @throws RECIPIENT_NOT_FOUND, RECIPIENT_NOT_ACTIVE, ASSET_NOT_PAYABLE */
export async function requestOfRecipient(
  ctx: Context,
  projectId: number,
  input: RecipientPayout & { readonly clientReference?: string },
): Promise<PayoutRequest> {
  const recipient = await findPayableRecipient(ctx, { projectId, recipientId: input.recipientID })
  const { blockchain, address, key } = recipient
  return {
    projectId,
    type: 'payout',
    asset: await payableAsset(ctx, blockchain.code, input.currencyCode),
    amount: input.amount,
    payee: { blockchain, address, key },
    beneficiary: {
      recipientId: recipient.id,
      name: recipient.name,
      email: recipient.email,
      mobileNumber: recipient.mobileNumber,
      residentialAddress: recipient.residentialAddress,
      customerId: null,
    },
    note: input.note ?? '',
    clientReference: input.clientReference ?? null,
    refund: refundOf(input),
  }
}

/** What a promoter requests (U5): their rewards, in a coin. */
export type RewardPayout = {
  readonly blockchainCode: string
  readonly currencyCode: string
  readonly toAddress: string
  readonly promoter: { readonly email: string; readonly code: string }
  /** `ready`: what could be withdrawn before this request. */
  readonly reward: RewardClaim & { readonly ready: bigint }
}

/** Reads what a promoter requests (U5). @throws ASSET_NOT_PAYABLE, ADDRESS_INVALID */
export async function requestOfRewards(ctx: Context, projectId: number, input: RewardPayout): Promise<PayoutRequest> {
  const { blockchainCode: chain, currencyCode: currency } = input
  const asset = await payableAsset(ctx, chain, currency)
  if (!(await isPayable(ctx, asset))) return refuseAsset(asset)
  const blockchain = findDefinition(asset.blockchainId) ?? fail('BLOCKCHAIN_NOT_FOUND')
  return {
    projectId,
    type: 'withdrawal',
    asset,
    amount: '',
    payee: parsePayee(ctx, blockchain, input.toAddress, 'toAddress'),
    beneficiary: {
      recipientId: null,
      name: input.promoter.code,
      email: input.promoter.email,
      mobileNumber: null,
      residentialAddress: null,
      customerId: null,
    },
    note: '',
    clientReference: null,
    refund: null,
    reward: input.reward,
  }
}

/** The assets that can be paid out now. */
export async function payableAssets(ctx: Context): Promise<Asset[]> {
  const payable: Asset[] = []
  for (const asset of await listAssets(ctx)) if (await isPayable(ctx, asset)) payable.push(asset)
  return payable
}

/** An asset that a key of this server could spend. @throws ASSET_NOT_PAYABLE */
async function payableAsset(ctx: Context, chain: string, currency: string): Promise<Asset> {
  const asset = await findAsset(ctx, chain, currency).catch(() =>
    fail('ASSET_NOT_PAYABLE', { values: { currency, chain } }),
  )
  const family = findDefinition(asset.blockchainId)?.family
  return family !== undefined && adapterOf(family)?.sender ? asset : refuseAsset(asset)
}

type RefundInput = Pick<RecipientPayout, 'refundOfReferenceID' | 'refundKind' | 'refundDepositID' | 'refundClaimID'>

function refundOf(input: RefundInput): RefundRequest | null {
  const { refundOfReferenceID: reference, refundKind, refundDepositID, refundClaimID } = input
  if (!reference) return null
  return { reference, kind: refundKind ?? 'custom', depositId: idOf(refundDepositID), claimId: idOf(refundClaimID) }
}

function idOf(number: number | null | undefined): bigint | null {
  return number === undefined || number === null ? null : BigInt(number)
}
