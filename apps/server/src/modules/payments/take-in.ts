import { type Context, inTransaction } from '../../context.ts'
import { findBlockchain } from '../blockchains/service.ts'
import { ownersOfFinal, type Standing } from '../deposits/service.ts'
import { noPayments, writeHeld } from './held-payments.ts'
import { lockMoney } from './lock-money.ts'
import { ownersOf, receiveBlocks, type ReceivedBlock } from './receive-transfers.ts'
import { settleDeposits } from './settle-final.ts'

/**
 * Takes in the transfers of blocks, and settles whatever is final where the blockchain stands then. The same blocks again
 * change nothing.
 */
export async function takeIn(
  ctx: Context,
  { blocks, ...standing }: Standing & { readonly blocks: readonly ReceivedBlock[] },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const chain = await findBlockchain(tx, standing.blockchainId)
    if (!chain) throw new Error(`There is no blockchain ${standing.blockchainId}`)
    const owners = await lockMoney(tx, chain.id, async () => [
      ...ownersOf(blocks),
      ...(await ownersOfFinal(tx, standing)),
    ])
    if (owners.length === 0) return
    const held = noPayments()
    await receiveBlocks(tx, chain, { blocks, held })
    await settleDeposits(tx, standing, { owners, held })
    await writeHeld(tx, held)
  })
}

/** Settles whatever is final where the blockchain stands. */
export function settleFinal(ctx: Context, standing: Standing): Promise<void> {
  return takeIn(ctx, { ...standing, blocks: [] })
}
