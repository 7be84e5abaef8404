import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import { type Context, inTransaction } from '../../context.ts'
import {
  type Deposit,
  ownersAbove,
  placeFinal,
  type Placement,
  revertAbove,
  type Standing,
} from '../deposits/service.ts'
import { isKept } from './deposit-rules.ts'
import {
  type HeldPayments,
  holdMore,
  noPayments,
  type Recomputation,
  recomputeHeld,
  replaceDeposits,
  tellHeld,
  writeHeld,
} from './held-payments.ts'
import { lockMoney } from './lock-money.ts'
import { listConfirming, listTips, lockPayments } from './read-store.ts'
import { moveConfirming } from './store.ts'
import type { Tips } from './tell-event.ts'

/** Open screens hear of confirmations at most this often per blockchain. */
const PROGRESS_SECONDS = 5

/**
 * Places every deposit of these customers that became final and makes the payments it is for what they are then; they are
 * held, not written. The caller holds the locks of the blockchain and of the customers.
 */
export async function settleDeposits(
  ctx: Context,
  standing: Standing,
  { owners, held }: { owners: readonly number[]; held: HeldPayments },
): Promise<void> {
  const placed = await placeFinal(ctx, standing, { decide: placementOf, owners })
  if (placed.length === 0) return
  const tips = new Map([...(await listTips(ctx)), [standing.blockchainId, standing.tip]])
  replaceDeposits(held, placed, (before, now) => before.id === now.id)
  await recomputeAll(ctx, held, placed, { tips })
  tellKept(ctx, held, placed, tips)
}

/** Takes back every deposit above a height, newest block first, and makes their payments what is left. */
export async function takeBack(
  ctx: Context,
  { blockchainId, toHeight }: { blockchainId: number; toHeight: number },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockMoney(tx, blockchainId, () => ownersAbove(tx, { blockchainId, toHeight }))
    const reverted = await revertAbove(tx, { blockchainId, toHeight })
    if (reverted.length === 0) return
    const tips = new Map([...(await listTips(tx)), [blockchainId, toHeight]])
    const held = noPayments()
    await recomputeAll(tx, held, reverted, { tips, isReopened: true })
    await writeHeld(tx, held)
  })
}

/** Tells open screens that confirmations went on; nothing is delivered (money.md 2.6). */
export async function refreshConfirmations(
  ctx: Context,
  { blockchainId, tip }: { blockchainId: number; tip: number },
): Promise<void> {
  await moveConfirming(ctx, blockchainId, tip)
  const blockSeconds = findBlockchain(blockchainId)?.blockSeconds ?? PROGRESS_SECONDS
  if (tip % Math.ceil(PROGRESS_SECONDS / blockSeconds) !== 0) return
  const confirming = await listConfirming(ctx, blockchainId)
  await ctx.events.announceAll(
    ctx,
    confirming.map(({ reference, projectId }) => ({
      name: 'payment.progress',
      projectId,
      referenceId: reference,
      data: { reference_id: reference },
    })),
  )
}

/** What was decided when the deposit was seen holds: later events do not change whose money it is. */
function placementOf({ paymentId, reason, late, doubt }: Deposit): Placement {
  if (reason === 'below_minimum' || reason === 'own') return { status: 'ignored', paymentId, reason, late }
  if (doubt) return { status: 'quarantined', paymentId, reason: doubt, late }
  const isCounted = paymentId !== null && !isKept(reason)
  return { status: isCounted ? 'applied' : 'unapplied', paymentId, reason, late }
}

async function recomputeAll(
  ctx: Context,
  held: HeldPayments,
  deposits: readonly Deposit[],
  options: Recomputation,
): Promise<void> {
  const ids = paymentIds(deposits).toSorted((a, b) => (a < b ? -1 : 1))
  const missing = ids.filter((id) => !held.payments.has(id))
  await holdMore(ctx, held, await lockPayments(ctx, missing))
  for (const id of ids) recomputeHeld(ctx, held, id, options)
}

/** Money after the grace period is kept for the customer; the merchant hears of it (money.md 3.5, row 14). */
function tellKept(ctx: Context, held: HeldPayments, deposits: readonly Deposit[], tips: Tips): void {
  const kept = paymentIds(deposits.filter(({ reason }) => reason === 'late'))
  for (const id of kept.toSorted((a, b) => (a < b ? -1 : 1))) {
    tellHeld(ctx, held, id, { type: 'payment.late_deposit', tips })
  }
}

function paymentIds(deposits: readonly Deposit[]): bigint[] {
  return [...new Set(deposits.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId])))]
}
