/**
 * Claims: whoever has the link of a payment names where money of it should be returned. It pays nothing: an operator saves the
 * address as a recipient and refunds, or declines. Each address is a claim of its own, and a refund names the one it pays.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { NewRefundClaim, RefundClaim, RefundClaimState } from '@kassa/contract/refund-claims/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import { actorOf, type Context, inTransaction, type StoredEvent } from '../../../context.ts'
import { adapterOf, listAssets } from '../../blockchains/chains/service.ts'
import { lockCustomers } from '../../customers/service.ts'
import { parsePayee, requirePayable } from '../../withdrawals/addresses/service.ts'
import { payableUntil } from '../funding/deposit-rules.ts'
import type { Payment } from '../payment/payment.ts'
import { lockPayment } from '../payment/store.ts'
import { refundable, refundableUnmatched } from '../refunds/service.ts'
import { announceToCustomer } from './mail-claim.ts'
import { claimableAssets } from './rules.ts'
import { type ClaimRow, findCurrentClaim, moveAccepted, moveDeclined, moveReopened, replaceClaim } from './store.ts'

/** What the payer of a payment may claim now, and has claimed. */
export async function claimStateOf(ctx: Context, payment: Payment): Promise<RefundClaimState> {
  const claim = await findClaim(ctx, payment)
  const isDecided = claim !== null && claim.status !== 'open'
  return { networks: isDecided ? [] : await networksOf(ctx, payment), claim }
}

/** The claim of a payment that was not replaced; null without one. */
export async function findClaim(ctx: Context, { id }: Payment): Promise<RefundClaim | null> {
  const row = await findCurrentClaim(ctx, id)
  return row === undefined ? null : claimView(row)
}

/**
 * Stores the address that money should be returned to, in place of an earlier one; the same address again changes nothing. The
 * lock of the customer keeps refunds out, so that no claim is replaced while a refund accepts it.
 * @throws REFUND_NOT_CLAIMABLE, REFUND_CLAIM_DECIDED, ADDRESS_INVALID, ADDRESS_IS_OURS, ADDRESS_BLOCKED
 */
export async function claimRefund(
  ctx: Context,
  { id, customer }: Payment,
  input: NewRefundClaim,
): Promise<RefundClaimState> {
  return inTransaction(ctx, async (tx) => {
    await lockCustomers(tx, [customer.id])
    const payment = (await lockPayment(tx, id)) ?? fail('PAYMENT_REFERENCE_UNKNOWN')
    const current = await findCurrentClaim(tx, id)
    if (current !== undefined && current.status !== 'open') return fail('REFUND_CLAIM_DECIDED')
    const networks = await networksOf(tx, payment)
    const blockchain = findBlockchain(input.blockchainCode)
    if (!blockchain || !networks.includes(blockchain.code)) return fail('REFUND_NOT_CLAIMABLE')
    const payee = parsePayee(tx, blockchain, input.address)
    await requirePayable(tx, payee)
    const named = { blockchainId: blockchain.id, address: payee.address }
    if (current?.blockchain_id === named.blockchainId && current.address === named.address) {
      return { networks, claim: claimView(current) }
    }
    const claim = claimView(await replaceClaim(tx, { paymentId: id, ...named }))
    const isReplacement = current !== undefined
    await emitClaim(tx, payment, 'payment.refund_claimed', { ...factsOf(claim), replaced: isReplacement })
    await announceToCustomer(tx, payment, { id: claim.id, network: blockchain.name, isReplacement })
    tx.change(isReplacement ? factsOf(claimView(current)) : null, factsOf(claim), {
      projectId: payment.project.id,
    })
    return { networks, claim }
  })
}

/** Declines the claim that the operator looked at, for good. @throws REFUND_CLAIM_CHANGED */
export async function declineClaim(
  ctx: Context,
  payment: Payment,
  { id, note }: { readonly id: bigint; readonly note: string },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockCustomers(tx, [payment.customer.id])
    if (!(await moveDeclined(tx, payment.id, { id, by: actorOf(tx.caller), note }))) return fail('REFUND_CLAIM_CHANGED')
    await emitClaim(tx, payment, 'payment.refund_claim_declined', { note })
    tx.change(null, { referenceID: payment.reference, claimID: Number(id), note }, { projectId: payment.project.id })
  })
}

/** Subscriber: binds the claim that a refund names to it. @throws REFUND_CLAIM_CHANGED when it is not the one that it pays */
export async function acceptClaim(tx: Context, { payload }: StoredEvent): Promise<void> {
  const { claim_id: claimId, payout_id: payoutId } = payload
  if (typeof claimId !== 'string') return
  if (!(await moveAccepted(tx, BigInt(claimId), BigInt(payoutId as number)))) fail('REFUND_CLAIM_CHANGED')
}

/** Subscriber: the claim of a refund that ended without paying is open again. */
export async function reopenClaim(tx: Context, { payload }: StoredEvent): Promise<void> {
  await moveReopened(tx, BigInt(payload.payout_id as number))
}

/** The networks on which money of a payment can be claimed, and this server sends. */
async function networksOf(ctx: Context, payment: Payment): Promise<string[]> {
  const claimable = claimableAssets({
    status: payment.status,
    late: payment.late,
    payableUntil: payableUntil(payment) ?? payment.expiresAt,
    now: ctx.now(),
    counted: await refundable(ctx, payment.id),
    unmatched: await refundableUnmatched(ctx, payment.id),
  })
  if (claimable.length === 0) return []
  const assets = (await listAssets(ctx)).filter(({ id }) => claimable.includes(id))
  const codes = new Set(assets.map(({ blockchainCode }) => blockchainCode))
  return [...codes].filter((code) => {
    const family = findBlockchain(code)?.family
    return family !== undefined && adapterOf(family)?.sender !== undefined
  })
}

function claimView(row: ClaimRow): RefundClaim {
  return {
    id: Number(row.id),
    blockchainCode: findBlockchain(row.blockchain_id)?.code ?? '',
    address: row.address,
    status: row.status,
    claimedAt: row.claimed_at,
    declinedNote: row.declined_note,
  }
}

function factsOf({ id, blockchainCode, address }: RefundClaim) {
  return { claimID: id, blockchainCode, address }
}

async function emitClaim(
  tx: Context,
  { reference, project }: Payment,
  type: 'payment.refund_claimed' | 'payment.refund_claim_declined',
  facts: object,
): Promise<void> {
  await tx.events.emit(tx, {
    type,
    projectId: project.id,
    referenceId: reference,
    payload: { reference_id: reference, ...facts },
  })
}
