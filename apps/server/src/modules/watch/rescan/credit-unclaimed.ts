import type { ChainSession } from '@kassa/chains/adapter.ts'
import { isSilence } from '@kassa/chains/errors.ts'

import type { Context } from '../../../context.ts'
import { continueOnError } from '../../../jobs/continue-on-error.ts'
import { adapterOf } from '../../blockchains/chains/service.ts'
import { deleteClaimed, listClaimable, listClaimed, updateDueAt } from './unclaimed-store.ts'
import { rereadTransaction } from './rescan-transaction.ts'

/** Transactions per pass. */
const AT_ONCE = 20

/**
 * Credits transfers that reached an address before a customer had it, once the address is assigned (money.md W-10):
 * each transaction is read again from the chain and credited like a new one. One that fails does not stop the others.
 */
export async function creditUnclaimed(ctx: Context, session: ChainSession): Promise<void> {
  const { id, code } = session.chain.blockchain
  const { attempt, end } = continueOnError(ctx, isSilence)
  for (const txId of await listClaimable(ctx, id, AT_ONCE)) {
    await attempt({ blockchain: code, tx: txId }, () => creditOne(ctx, session, txId))
  }
  end()
}

async function creditOne(ctx: Context, session: ChainSession, txId: string): Promise<void> {
  const { id, code } = session.chain.blockchain
  await updateDueAt(ctx, id, txId)
  // What reached an address that is assigned from here on stays for the next pass: it may not count as a deposit yet.
  const claimed = { blockchainId: id, txId, addressIds: await listClaimed(ctx, id, txId) }
  const { state, found } = await rereadTransaction(ctx, session, txId, (tx, { transfers }) =>
    deleteClaimed(tx, claimed, transfers),
  )
  if (state === 'failed' && (await failsElsewhere(session, txId))) await deleteClaimed(ctx, claimed)
  ctx.log.info({ blockchain: code, tx: txId, state, found }, 'an unclaimed transfer was read again')
}

/**
 * Whether a node of another operator says the same. One node's word is not enough to drop a transfer that was read in a block
 * of ours; without a second node, the transfer stays and is read again.
 */
async function failsElsewhere(session: ChainSession, txId: string): Promise<boolean> {
  const other = await session.another()
  const reader = adapterOf(session.chain.blockchain.family)?.reader
  const facts = other && (await reader?.transaction(other, txId).catch(() => null))
  return facts?.state === 'failed'
}
