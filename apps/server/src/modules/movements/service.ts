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

export { bookByBalance, bookDrawn, drawnFrom, lockForBooking, revertByBalance } from './book-movements.ts'
export { finalizeMovements, lockForReverting, revertMovements } from './finalize-movements.ts'
export type { Movement, ObservedMove, Side } from './movement.ts'
export { linesTo } from './postings.ts'
export { lockForMovements, recordMovements } from './record-movements.ts'

/**
 * Stores what a transaction is for, in the transaction that stores its bytes. Its transfers then count as a payout, a top-up or
 * a sweep; without an intent they count as money that a third party moved (W-13). Harmless to repeat.
 */
export function intendMovement(tx: Context, intent: Intent): Promise<void> {
  return insertIntent(tx, intent)
}

/**
 * Assigns to a sweep what a transaction moved to a collector, or will move once it is mined, although no wallet of the server
 * signed it. Joins the open transaction.
 */
export async function claimMovements(
  tx: Context,
  claim: { readonly blockchainId: number; readonly txId: string; readonly sweepId: bigint },
): Promise<void> {
  await insertIntent(tx, { ...claim, kind: 'sweep', sendId: null })
  await updateClaimed(tx, claim)
}

/** Takes movements out of the sweep that was expected to make them. They become final with the next block. */
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
 * Whether a third party spends from a hot wallet and no operator has acknowledged it: Kassa then sends nothing from it. True
 * from the block in which the spend was seen, final or not, and while the wallet holds less than our rows say.
 */
export async function isSpentOutside(ctx: Context, { walletId, blockchainId }: HotWallet): Promise<boolean> {
  return (await listUnacknowledged(ctx, blockchainId, walletId)).length > 0 || isShort(ctx, blockchainId, walletId)
}

/**
 * Notes that an operator has acknowledged every foreign spend of a hot wallet: its alarm ends and it may send again. False when
 * there was none. Joins the open transaction.
 */
export async function acknowledgeOutsideSpends(tx: Context, { walletId, blockchainId }: HotWallet): Promise<boolean> {
  const spends = await listUnacknowledged(tx, blockchainId, walletId)
  await updateAcknowledged(tx, blockchainId, walletId)
  await clearSpentOutside(tx, blockchainId, spends)
  return spends.length > 0
}
