import { type Cause, readCause, withText } from '@kassa/contract/kit/reason.ts'
import type { FoundPayout as FoundPayoutShape } from '@kassa/contract/search/schemas.ts'
import type { PayoutApproval, Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { PAYOUT_WAITS, type PayoutWaits } from '@kassa/contract/withdrawals/waits.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { findCurrency } from '@kassa/primitives/chains/currencies.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type * as z from 'zod/mini'

import type { Asset } from '../../blockchains/chains/service.ts'
import { approvalPermission } from '../policy/service.ts'
import { trimmed } from '../record/announce.ts'
import { wordsOf } from '../record/service.ts'
import type { WithdrawalRow } from '../record/tables.ts'
import { countLeft } from './left-approvers.ts'
import type { FoundPayout } from './store.ts'

type Given = z.output<typeof PayoutApproval>

/** What a payout's view needs beside its row. */
export type ShownPayout = {
  readonly found: FoundPayout
  readonly asset: Asset
  /** Why it will wait once it is approved, as far as that is known now. */
  readonly waitsNext: Cause<PayoutWaits> | null
  /** How many decimals the native coin has, in which fees are paid. */
  readonly nativeDecimals: number
  readonly approvals: readonly Given[]
  /** The operators who may approve it, apart from four eyes. */
  readonly approvers: ReadonlySet<number>
  /** The operator who asks; null for a key. */
  readonly askedBy: number | null
  readonly explorerTransaction: string | null
}

/** A payout as the search over everything shows it. */
export function foundView(row: WithdrawalRow, { currencyCode, blockchainCode, decimals }: Asset): FoundPayoutShape {
  return {
    id: Number(row.id),
    externalPlatformID: row.project_id,
    status: row.status,
    amount: formatUnits(BigInt(row.units), decimals),
    currencyCode,
    blockchainCode,
    toAddress: row.to_address,
    recipientName: row.recipient_name,
    recipientEmail: row.recipient_email,
    createdAt: row.created_at,
  }
}

/** A payout as the contract shows it. */
export function withdrawalView(shown: ShownPayout): Withdrawal {
  const { found, asset, waitsNext, explorerTransaction, nativeDecimals } = shown
  const depth = depthOf(found, asset)
  return {
    id: Number(found.id),
    currencyCode: asset.currencyCode,
    blockchainCode: asset.blockchainCode,
    amount: formatUnits(BigInt(found.units), asset.decimals),
    priceInUSD: trimmed(found.price_usd),
    amountInUSD: trimmed(found.amount_usd),
    fee: found.fee_units === null ? null : formatUnits(BigInt(found.fee_units), nativeDecimals),
    fromAddress: found.from_address,
    toAddress: found.to_address,
    recipientEmail: found.recipient_email,
    tokenAddress: found.contract === '' ? null : found.contract,
    txHash: found.tx_id,
    uniqueTxHash: found.tx_id,
    txIndex: null,
    blockHash: found.block_hash,
    blockNumber: found.block_number === null ? null : Number(found.block_number),
    status: found.status,
    type: found.type,
    currencyType: asset.standard === 'native' ? 'coin' : 'token',
    timestamp: found.sent_at,
    attributes: attributesOf(found),
    failureReason: found.failure_reason ?? (found.end_note || null),
    webhookStatus: found.webhook_status,
    retryCount: found.retry_count,
    lastRetryAt: found.last_retry_at,
    ...peopleOf(found),
    currencyID: asset.currencyId,
    blockchainID: asset.blockchainId,
    currency: { id: asset.currencyId, code: asset.currencyCode, name: findCurrency(asset.currencyId)?.name ?? '' },
    blockchain: {
      id: asset.blockchainId,
      code: asset.blockchainCode,
      name: findBlockchain(asset.blockchainId)?.name ?? '',
    },
    externalPlatform: { id: found.project_id, name: found.project_name },
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    deletedAt: null,
    approvals: approvalsOf(shown),
    ...waitsView(waitsOf(shown), waitsNext),
    confirmations: depth.current,
    confirmationRequired: depth.required,
    explorerTransaction,
    clientReference: found.client_reference,
    refundOfReferenceID: found.payment_reference,
    refundKind: found.refund_kind,
    recipientID: found.recipient_id,
    recipientName: found.recipient_name,
    earlierPayouts: found.earlier_payouts,
    note: found.note,
    digest: found.digest.toString('hex'),
    words: wordsOf(found.digest),
  }
}

function waitsView(waits: Withdrawal['waits'], next: ShownPayout['waitsNext']) {
  return { waitReason: waits && waits.code, waits, waitsNext: next && withText(PAYOUT_WAITS, next) }
}

function approvalsOf({ found, approvals, askedBy }: ShownPayout): Withdrawal['approvals'] {
  const isOwn = askedBy !== null && found.created_by_operator === askedBy
  return { required: found.approvals_needed, given: [...approvals], byOthersOnly: found.four_eyes && isOwn }
}

function peopleOf(found: FoundPayout) {
  const isByKey = found.created_by === 'merchant_api'
  return {
    memberID: found.customer_id,
    createdByMemberID: isByKey ? null : found.created_by_operator,
    createdByProjectID: isByKey ? found.project_id : null,
    approvedByMemberID: found.approved_by,
    rejectedByMemberID: found.rejected_by,
    externalPlatformID: found.project_id,
    createdBy: found.created_by,
    member: found.customer,
    createdByMember: isByKey ? null : found.creator,
    createdByProject: isByKey ? { id: found.project_id, name: found.project_name } : null,
    approvedByMember: found.approver,
    rejectedByMember: found.rejecter,
  }
}

function attributesOf({ mobile_number, residential_address }: FoundPayout): Record<string, unknown> | null {
  if (!mobile_number && !residential_address) return null
  return { mobileNumber: mobile_number, residentialAddress: residential_address }
}

/** How deep its block is; the required depth once it is final. */
function depthOf({ status, mined_height: mined, tip }: FoundPayout, { minConfirmations: required }: Asset) {
  if (status === 'processed') return { current: required, required }
  const depth = mined === null || tip === null ? 0 : Number(tip - mined) + 1
  return { current: Math.max(0, Math.min(depth, required - 1)), required }
}

/** A signed payout waits for its block, and then for confirmations. */
function waitsOnChain(found: FoundPayout, asset: Asset): Withdrawal['waits'] {
  if (found.stuck_at !== null) return withText(PAYOUT_WAITS, { code: 'STUCK', params: {} })
  if (found.mined_height === null) return null
  return withText(PAYOUT_WAITS, { code: 'CONFIRMATIONS', params: depthOf(found, asset) })
}

/** It says how many people are left: where they are too few, nobody can decide until a member gets the permission. */
function waitsForPeople({ found, approvals, approvers }: ShownPayout): Withdrawal['waits'] {
  const given = approvals.filter((one) => one.counts).length
  const { four_eyes: fourEyes, created_by_operator: requester } = found
  const able = countLeft({ fourEyes, requester, approvers, given: approvals })
  const permission = approvalPermission(found.type)
  return withText(PAYOUT_WAITS, {
    code: 'APPROVAL',
    params: { given, needed: found.approvals_needed, able, permission },
  })
}

function waitsOf(shown: ShownPayout): Withdrawal['waits'] {
  const { found, asset } = shown
  if (found.status === 'pending-approval') return waitsForPeople(shown)
  if (found.status === 'initiated' || found.status === 'sent') return waitsOnChain(found, asset)
  if (found.status !== 'pending') return null
  const cause = found.wait_code && readCause(PAYOUT_WAITS, found.wait_code, found.wait_params)
  return cause ? withText(PAYOUT_WAITS, cause) : null
}
