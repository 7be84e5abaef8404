import type { ChainSession } from '@kassa/chains/adapter.ts'

import type { Context } from '../../../context.ts'
import { deleteClaimed, listClaimable, updateDueAt } from './unclaimed-store.ts'
import { rereadTransaction } from './rescan-transaction.ts'

/** Transactions per round. */
const AT_ONCE = 20

/** A transaction the node could not show is looked for again after this long. */
const AGAIN_MS = 5 * 60_000

/**
 * Credits money that came to an address before anybody had it, once somebody does (W-10): each transaction is read again
 * from the chain and taken in as if it were new.
 */
export async function creditUnclaimed(ctx: Context, chain: ChainSession): Promise<void> {
  const { id, code } = chain.chain.blockchain
  for (const txId of await listClaimable(ctx, id, AT_ONCE)) {
    await updateDueAt(ctx, id, txId, new Date(ctx.now().getTime() + AGAIN_MS))
    const { state, found } = await rereadTransaction(ctx, chain, txId, (tx, { transfers }) =>
      deleteClaimed(tx, id, txId, transfers),
    )
    if (state === 'failed') await deleteClaimed(ctx, id, txId)
    ctx.log.info({ blockchain: code, tx: txId, state, found }, 'money to a new address was looked for')
  }
}
