/**
 * Movements: transfers that are no deposits, because an address of ours sent them or a wallet of ours received them
 * (money.md W-12, W-13). They stand below payments and never touch one.
 */
import type { Context } from '../../context.ts'
import type { Intent } from './movement.ts'
import { clearSpentOutside } from './outside-spends.ts'
import {
  countSeen,
  insertIntent,
  isShort,
  listUnacknowledged,
  updateAcknowledged,
  updateClaimed,
  updateDisowned,
} from './store.ts'

export { bookByBalance, bookDrawn, drawnFrom } from './book-movements.ts'
export { finalizeMovements, lockForReverting, revertMovements } from './finalize-movements.ts'
export type { Movement, ObservedMove, Side } from './movement.ts'
export { linesTo } from './postings.ts'
export { lockForMovements, recordMovements } from './record-movements.ts'

/**
 * Notes what a transaction is for, in the transaction that stores its bytes: what it moves is then a payout, a top-up or a
 * sweep, and otherwise money that somebody else moved (W-13). Harmless to repeat.
 */
export function intendMovement(tx: Context, intent: Intent): Promise<void> {
  return insertIntent(tx, intent)
}

/**
 * Says that a transaction which no wallet of the server signed is of a sweep: what it moved to a collector, and will move
 * once it is mined, is the sweep's. Joins the open transaction.
 */
export async function claimMovements(
  tx: Context,
  claim: { readonly blockchainId: number; readonly txId: string; readonly sweepId: bigint },
): Promise<void> {
  await insertIntent(tx, { ...claim, kind: 'sweep', sendId: null })
  await updateClaimed(tx, claim)
}

/** Says that movements are not of the sweep that was meant to make them. They become final with the next block. */
export function disownMovements(tx: Context, ids: readonly bigint[]): Promise<void> {
  return updateDisowned(tx, ids)
}

/** How many movements of a blockchain are not final yet. */
export function countWaitingMovements(ctx: Context, blockchainId: number): Promise<number> {
  return countSeen(ctx, blockchainId)
}

/** A hot wallet on one of its blockchains. */
type HotWallet = { readonly walletId: number; readonly blockchainId: number }

/**
 * Whether somebody else spends from a hot wallet, and no person has seen to it: then nothing is sent from it. True from the
 * block on in which it was seen, final or not; and while the wallet holds less than our rows say.
 */
export async function isSpentOutside(ctx: Context, { walletId, blockchainId }: HotWallet): Promise<boolean> {
  return (await listUnacknowledged(ctx, blockchainId, walletId)).length > 0 || isShort(ctx, blockchainId, walletId)
}

/**
 * A person has seen to it that somebody else spent from a hot wallet: its alarm ends, and it may send again. False when there
 * was no such spend. Joins the open transaction.
 */
export async function acknowledgeOutsideSpends(tx: Context, { walletId, blockchainId }: HotWallet): Promise<boolean> {
  const spends = await listUnacknowledged(tx, blockchainId, walletId)
  await updateAcknowledged(tx, blockchainId, walletId)
  await clearSpentOutside(tx, blockchainId, spends)
  return spends.length > 0
}
