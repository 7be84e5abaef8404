import { fail } from '@kassa/contract/kit/api-error.ts'
import type { RefundKind, WithdrawalType } from '@kassa/contract/withdrawals/machine.ts'
import { PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'

import { type Context, inTransaction } from '../../../context.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import { currentPrice } from '../../prices/service.ts'
import type { Payee } from '../addresses/service.ts'
import { lockPolicy, type PayoutPolicy } from '../policy/service.ts'
import { announcePayout } from '../record/announce.ts'
import { digestOfPayout, holdNew, type WithdrawalRow } from '../record/service.ts'
import {
  findByClientReference,
  findPaymentId,
  insertWithdrawal,
  isActive,
  listRefundParts,
  type NewWithdrawal,
  nextWithdrawalId,
} from '../record/store.ts'
import { convertReward, dollars, type Priced, type RewardClaim } from './convert-reward.ts'
import { type Judged, judge } from './question.ts'
import { refuseBlocked } from './refuse-blocked.ts'
import { requirementOf } from '../record/rules.ts'
import { facts } from './decision-facts.ts'

/** Who is paid, as the payout stores it. */
export type Beneficiary = {
  readonly recipientId: number | null
  readonly name: string | null
  readonly email: string
  readonly mobileNumber: string | null
  readonly residentialAddress: string | null
  readonly customerId: number | null
}

export type RefundRequest = {
  readonly reference: string
  readonly kind: RefundKind
  readonly depositId: bigint | null
  /** The payer's claim that it pays. */
  readonly claimId: bigint | null
}

export type PayoutRequest = {
  readonly projectId: number
  readonly type: WithdrawalType
  readonly asset: Asset
  /** Decimal text. */
  readonly amount: string
  readonly payee: Payee
  readonly beneficiary: Beneficiary
  readonly note: string
  readonly clientReference: string | null
  readonly refund: RefundRequest | null
  /** Whose rewards it pays out, and how much of them; the amount is converted from that. */
  readonly reward?: (RewardClaim & { readonly ready: bigint }) | undefined
}

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
    const policy = await lockPolicy(tx, request.projectId)
    if (!(await isActive(tx, request.projectId))) return fail('PROJECT_ARCHIVED')
    await requireNewReference(tx, request)
    const { asset, projectId } = request
    const { units, price, amountUsd } = await pricedNow(tx, request)
    const now = tx.now()
    const judged = await judge(tx, policyForRequests(policy), {
      ...{ id: null, projectId, asset, units, amountUsd, askedAt: now, decidedAt: now },
      ...{ address: request.payee.address, key: request.payee.key, alwaysByPeople: request.type === 'withdrawal' },
      isRefund: request.refund !== null,
    })
    const { decision } = judged
    if (decision.kind === 'block') return refuseBlocked(decision, asset)
    const { needed, fourEyes } = requirementOf(decision)
    const values = await valuesOf(tx, request, { policy, units, price, amountUsd, judged })
    const draft = { ...values, approvals_needed: needed, four_eyes: fourEyes }
    const inserted = await insertWithdrawal(tx, {
      ...draft,
      digest: digestOfPayout({ ...draft, units: String(units) }),
    })
    if (request.refund) await takeRefund(tx, inserted, request.refund)
    const row = needed === 0 ? { ...(await holdNew(tx, inserted.id)) } : inserted
    await announcePayout(tx, row)
    tx.change(null, changeOf(row, asset), { projectId })
    return row
  })
}

async function pricedNow(tx: Context, { asset, amount, reward }: PayoutRequest): Promise<Priced> {
  if (reward !== undefined) return convertReward(tx, reward, asset)
  const units = unitsOf(asset, amount)
  const { price } = (await currentPrice(tx, asset)) ?? fail('RATE_UNAVAILABLE')
  return { units, price, amountUsd: dollars(units, price, asset) }
}

/** The policy without its pause and its delay for new addresses: these stop the signing of a payout, not its request. */
export function policyForRequests(policy: PayoutPolicy): PayoutPolicy {
  return { ...policy, paused: false, recipientDelayHours: 0 }
}

async function requireNewReference(tx: Context, { projectId, clientReference }: PayoutRequest): Promise<void> {
  if (clientReference === null) return
  const known = await findByClientReference(tx, projectId, clientReference)
  if (known !== undefined)
    fail('CLIENT_REFERENCE_EXISTS', { values: { id: String(known) }, data: { id: Number(known) } })
}

type Decided = Priced & { readonly policy: PayoutPolicy; readonly judged: Judged }

async function valuesOf(
  tx: Context,
  request: PayoutRequest,
  { policy, units, price, amountUsd, judged }: Decided,
): Promise<Omit<NewWithdrawal, 'digest' | 'approvals_needed' | 'four_eyes' | 'units'> & Fixed> {
  const { asset, payee, beneficiary, refund, projectId } = request
  return {
    id: await nextWithdrawalId(tx),
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
    decision: JSON.stringify(facts(policy, judged, amountUsd)),
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
