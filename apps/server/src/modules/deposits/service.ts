/**
 * Deposits: one row per incoming transfer, from the block it is seen in until its money is final and placed, or the chain
 * takes it back. The row and its journal entry move together; what the money means is decided by payments.
 */
import { type Context, inTransaction } from '../../context.ts'
import { post, reverseAll } from '../ledger/service.ts'
import type { Deposit, NewDeposit, Placement } from './deposit.ts'
import { posted } from './posted.ts'
import {
  countSeen,
  findLiveDeposit,
  insertDeposit,
  listDepositsOfPayment,
  moveFinal,
  movePlaced,
  moveReverted,
  moveSeenAgain,
} from './store.ts'

export { depositsWithoutOpinion, type Opinion, recordOpinion, type Unproven } from './opinions.ts'
export type { Deposit, Doubt, NewDeposit, Placement } from './deposit.ts'
export { depositShapes, depositsOfTransaction, listDeposits } from './list-deposits.ts'
export { depositView, type ShownDeposit } from './view.ts'
export { assignDeposit, getDeposit, releaseDeposit, unassignDeposit } from './move-by-person.ts'

/**
 * Records a transfer to an address of ours as `seen`, with its entry; null when it is known already. A transfer that a
 * reorganisation had taken back returns as the same row when the chain comes back to its block, else as a new one.
 */
export async function recordTransfer(
  ctx: Context,
  input: NewDeposit,
): Promise<{ deposit: Deposit; isNew: boolean } | null> {
  const identity = {
    blockchainId: input.blockchainId,
    txId: input.transfer.txId,
    leg: input.transfer.leg,
  }
  return inTransaction(ctx, async (tx) => {
    const inserted = await insertDeposit(tx, identity, input)
    const live = inserted ? undefined : await findLiveDeposit(tx, identity)
    if (live) return null
    const deposit = inserted ?? (await moveSeenAgain(tx, identity, input))
    if (!deposit) return null
    await post(tx, { posting: 'deposit.seen', deposit: posted(deposit) })
    return { deposit, isNew: inserted !== undefined }
  })
}

/**
 * Confirms every deposit that became final, lowest block first; the caller places each in the same transaction. `tip` is
 * the newest block we know, `finalized` the newest block that the chain calls final (−1 when it has none).
 */
export function takeFinal(
  ctx: Context,
  input: { blockchainId: number; tip: number; finalized: number },
): Promise<Deposit[]> {
  return moveFinal(ctx, input)
}

const POSTINGS = {
  applied: 'deposit.apply',
  unapplied: 'deposit.unapplied',
  ignored: 'deposit.ignored',
  quarantined: 'deposit.quarantine',
} as const

/**
 * Says what the final money of a confirmed deposit is, and posts it.
 * @throws Error when the deposit is not confirmed: somebody else placed it
 */
export async function place(ctx: Context, deposit: Deposit, placement: Placement): Promise<Deposit> {
  return inTransaction(ctx, async (tx) => {
    const placed = await movePlaced(tx, deposit.id, placement)
    if (!placed) throw new Error(`Deposit ${deposit.id} is not waiting to be placed`)
    await post(tx, { posting: POSTINGS[placement.status], deposit: posted(placed) })
    return placed
  })
}

/** Takes back every deposit above a height with mirrored entries; returns them newest block first, as they are now. */
export async function revertAbove(ctx: Context, input: { blockchainId: number; toHeight: number }): Promise<Deposit[]> {
  return inTransaction(ctx, async (tx) => {
    const reverted = await moveReverted(tx, input)
    await reverseAll(
      tx,
      reverted.map(({ id }) => `deposit:${id}:`),
    )
    return reverted
  })
}

/** The deposits of a payment, oldest first, those taken back included. */
export function depositsOfPayment(ctx: Context, paymentId: bigint): Promise<Deposit[]> {
  return listDepositsOfPayment(ctx, paymentId)
}

/** How many deposits of a blockchain are not final yet. */
export function countWaiting(ctx: Context, blockchainId: number): Promise<number> {
  return countSeen(ctx, blockchainId)
}
