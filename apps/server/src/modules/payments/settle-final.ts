import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import { type Context, inTransaction } from '../../context.ts'
import { type Deposit, place, type Placement, revertAbove, takeFinal } from '../deposits/service.ts'
import { isKept } from './deposit-rules.ts'
import { recomputePayment } from './recompute-payment.ts'
import { listConfirming, listTips, lockPayments } from './read-store.ts'
import { lockCustomer, moveConfirming } from './store.ts'
import { tellEvent, type Tips } from './tell-event.ts'

/** Open screens hear of confirmations at most this often per blockchain. */
const PROGRESS_SECONDS = 5

/** Places every deposit that became final and moves the payments it is for. */
export async function settleFinal(
  ctx: Context,
  { blockchainId, tip, finalized }: { blockchainId: number; tip: number; finalized: number },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const final = await takeFinal(tx, { blockchainId, tip, finalized })
    if (final.length === 0) return
    await lockCustomers(tx, final)
    const tips = new Map([...(await listTips(tx)), [blockchainId, tip]])
    const placed: Deposit[] = []
    for (const deposit of final) placed.push(await place(tx, deposit, placementOf(deposit)))
    await recomputeAll(tx, placed, { tips })
    await tellKept(tx, placed, tips)
  })
}

/** Takes back every deposit above a height, newest block first, and makes their payments what is left. */
export async function takeBack(
  ctx: Context,
  { blockchainId, toHeight }: { blockchainId: number; toHeight: number },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const reverted = await revertAbove(tx, { blockchainId, toHeight })
    if (reverted.length === 0) return
    await lockCustomers(tx, reverted)
    const tips = new Map([...(await listTips(tx)), [blockchainId, toHeight]])
    await recomputeAll(tx, reverted, { tips, isReopened: true })
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
  for (const { reference, projectId } of await listConfirming(ctx, blockchainId)) {
    await ctx.events.announce(ctx, {
      name: 'payment.progress',
      projectId,
      referenceId: reference,
      data: { reference_id: reference },
    })
  }
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
  deposits: readonly Deposit[],
  options: { tips: Tips; isReopened?: boolean },
): Promise<void> {
  for (const payment of await lockPayments(ctx, paymentIds(deposits))) await recomputePayment(ctx, payment, options)
}

/** Money after the grace period is kept for the customer; the merchant hears of it (money.md 3.5, row 14). */
async function tellKept(ctx: Context, deposits: readonly Deposit[], tips: Tips): Promise<void> {
  const kept = paymentIds(deposits.filter(({ reason }) => reason === 'late'))
  for (const payment of await lockPayments(ctx, kept)) await tellEvent(ctx, payment, 'payment.late_deposit', { tips })
}

function paymentIds(deposits: readonly Deposit[]): bigint[] {
  return [...new Set(deposits.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId])))]
}

/** In order of their ids, so that two transactions never wait for each other in a circle. */
async function lockCustomers(ctx: Context, deposits: readonly Deposit[]): Promise<void> {
  const ids = [...new Set(deposits.map(({ customerId }) => customerId))].toSorted((a, b) => a - b)
  for (const id of ids) await lockCustomer(ctx, id)
}
