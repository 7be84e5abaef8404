import { type Context, inTransaction } from '../../context.ts'
import { lockMoney } from '../deposits/service.ts'
import { post, reverse } from '../ledger/service.ts'
import { lockWallets } from '../wallets/own-addresses/service.ts'
import type { Movement } from './movement.ts'
import { drawnEntry, finalEntries, sourcesOf } from './postings.ts'
import { type BalanceMove, insertBalanceMove, listUnbooked, moveBalanceReverted, updateBooked } from './store.ts'

/**
 * Locks and lists the final movements by which the owner of a deposit address took money from it, and which are not booked.
 */
export function drawnFrom(
  tx: Context,
  where: { readonly assetId: number; readonly addressId: bigint },
): Promise<Movement[]> {
  return listUnbooked(tx, where.assetId, where.addressId)
}

/**
 * Books drawn deposits as what an operator says they were (money.md 4.3, `deposit.drawn`).
 * @throws Error when one of them is booked already, Overdrawn when the ledger holds less: the transaction must be rolled back
 */
export async function bookDrawn(tx: Context, movements: readonly Movement[], note: string): Promise<void> {
  for (const movement of movements) {
    if (!(await updateBooked(tx, movement.id, note)))
      throw new Error(`Movement ${movement.id} does not wait to be booked`)
  }
  await post(tx, movements.map(drawnEntry))
}

/**
 * Books a rise or fall that only a balance shows on an address of a wallet, as what an operator says it was: a movement without
 * a transaction, final at once.
 * @throws Overdrawn when the ledger holds less than was lost: the transaction must be rolled back
 */
export async function bookByBalance(ctx: Context, move: BalanceMove): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const movement = await insertBalanceMove(tx, move)
    const entries = finalEntries(movement).map(({ entry }) => entry)
    await post(tx, movement.bookedAt === null ? entries : [drawnEntry(movement)])
  })
}

/** Takes the first locks of a transaction that takes a booking of a wallet back: the blockchain, then the wallet. */
export async function lockForBooking(
  tx: Context,
  { blockchainId, walletId, place }: Pick<BalanceMove, 'blockchainId' | 'walletId' | 'place'>,
): Promise<void> {
  await lockMoney(tx, blockchainId)
  if (place.role !== 'deposit') await lockWallets(tx, [walletId])
}

/**
 * Reverts what `bookByBalance` booked, because a block showed its transaction. Does nothing when a reorganisation has reverted it.
 * @throws Overdrawn when the coins have left and the ledger knows no others: the transaction must be rolled back
 */
export async function revertByBalance(tx: Context, move: Pick<BalanceMove, 'id' | 'blockchainId'>): Promise<void> {
  const reverted = await moveBalanceReverted(tx, move)
  await reverse(tx, reverted.map(sourcesOf))
}
