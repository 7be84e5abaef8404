import { fail } from '@kassa/contract/kit/api-error.ts'
import { PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import type { PayoutPolicy } from '../policy/service.ts'
import { announcePayout } from '../record/announce.ts'
import { facts } from '../record/decision-facts.ts'
import { requirementOf } from '../record/rules.ts'
import { digestOfPayout, holdNew, type WithdrawalRow } from '../record/service.ts'
import { findPaymentId, insertWithdrawal, listRefundParts, type NewWithdrawal } from '../record/store.ts'
import type { Priced } from './convert-reward.ts'
import type { PayoutRequest, RefundRequest } from './payout-request.ts'
import type { Judged, ListTotals } from './question.ts'
import { refuseBlocked } from './refuse-blocked.ts'

/** A request with what the policy decided about it. */
export type DecidedRequest = Priced & {
  readonly id: bigint
  readonly policy: PayoutPolicy
  readonly judged: Judged
  /** The list that it is requested with, and the number of its first payout. */
  readonly listTotals?: ListTotals & { readonly first: bigint }
}

/**
 * Stores a payout as the policy decided, and holds its money where no approval is needed. Call it with the policy locked.
 * @throws PAYMENT_NOT_FOUND, REFUND_TOO_LARGE, REFUND_CLAIM_CHANGED, INSUFFICIENT_FUNDS, and as `refuseBlocked`
 */
export async function storeRequest(
  tx: Context,
  request: PayoutRequest,
  decided: DecidedRequest,
): Promise<WithdrawalRow> {
  const { asset, projectId } = request
  const { decision } = decided.judged
  if (decision.kind === 'block') return refuseBlocked(decision, asset)
  const { needed, fourEyes } = requirementOf(decision)
  const draft = { ...(await valuesOf(tx, request, decided)), approvals_needed: needed, four_eyes: fourEyes }
  const digest = digestOfPayout({ ...draft, units: String(decided.units) })
  const inserted = await insertWithdrawal(tx, { ...draft, digest })
  if (request.refund) await takeRefund(tx, inserted, request.refund)
  const row = needed === 0 ? { ...(await holdNew(tx, inserted.id)) } : inserted
  await announcePayout(tx, row)
  tx.change(null, changeOf(row, asset), { projectId })
  return row
}

async function valuesOf(
  tx: Context,
  request: PayoutRequest,
  { id, policy, units, price, amountUsd, judged, listTotals }: DecidedRequest,
): Promise<Omit<NewWithdrawal, 'digest' | 'approvals_needed' | 'four_eyes' | 'units'> & Fixed> {
  const { asset, payee, beneficiary, refund, projectId } = request
  return {
    id,
    project_id: projectId,
    type: request.type,
    status: judged.decision.kind === 'auto' ? 'pending' : 'pending-approval',
    blockchain_id: asset.blockchainId,
    asset_id: asset.id,
    contract: asset.standard === 'native' ? '' : asset.address,
    units: String(units),
    to_address: payee.address,
    policy_version: policy.version,
    price_usd: formatUnits(price, PRICE_DECIMALS),
    amount_usd: amountUsd,
    decision: JSON.stringify(facts(policy, judged, amountUsd, listTotals)),
    decided_at: tx.now(),
    recipient_id: beneficiary.recipientId,
    recipient_name: beneficiary.name,
    recipient_email: beneficiary.email,
    mobile_number: beneficiary.mobileNumber,
    residential_address: beneficiary.residentialAddress,
    customer_id: beneficiary.customerId,
    client_reference: request.clientReference,
    note: request.note,
    refund_payment_id: refund && ((await findPaymentId(tx, projectId, refund.reference)) ?? fail('PAYMENT_NOT_FOUND')),
    refund_kind: refund && refund.kind,
    referrer_id: request.reward?.referrerId ?? null,
    reward_unit_id: request.reward?.unitId ?? null,
    reward_units: request.reward === undefined ? null : String(request.reward.units),
    reward_ready: request.reward === undefined ? null : String(request.reward.ready),
    ...creatorOf(tx),
  }
}

type Fixed = Pick<WithdrawalRow, 'id' | 'units' | 'referrer_id' | 'reward_unit_id' | 'reward_units'>

/** A request by API key counts as made by the member who was shown the key's value: with four eyes, they cannot approve it. */
function creatorOf({ caller }: Context) {
  if (caller.kind === 'operator') {
    return { created_by: 'user' as const, created_by_operator: caller.operatorId, created_by_key: null }
  }
  if (caller.kind === 'key') {
    return { created_by: 'merchant_api' as const, created_by_operator: caller.knownTo, created_by_key: caller.keyId }
  }
  return { created_by: 'system' as const, created_by_operator: null, created_by_key: null }
}

/** The payments module chooses the deposits of a refund; it throws when they do not suffice, and nothing is written. */
async function takeRefund(tx: Context, row: WithdrawalRow, { kind, depositId, claimId }: RefundRequest): Promise<void> {
  await tx.events.emit(tx, {
    type: 'payout.refund-requested',
    projectId: row.project_id,
    payload: {
      payout_id: Number(row.id),
      payment_id: String(row.refund_payment_id),
      deposit_id: depositId === null ? null : String(depositId),
      claim_id: claimId === null ? null : String(claimId),
      kind,
    },
  })
  const parts = await listRefundParts(tx, row.id)
  const covered = parts.reduce((sum, part) => sum + BigInt(part.units), 0n)
  if (covered !== BigInt(row.units)) fail('REFUND_TOO_LARGE', { values: { amount: '0' } })
}

/** What the activity log shows of a new payout. */
function changeOf(row: WithdrawalRow, asset: Asset): object {
  return {
    payoutID: Number(row.id),
    status: row.status,
    amount: formatUnits(BigInt(row.units), asset.decimals),
    currencyCode: asset.currencyCode,
    blockchainCode: asset.blockchainCode,
    toAddress: row.to_address,
    recipient: row.recipient_name,
    approvalsNeeded: row.approvals_needed,
  }
}
