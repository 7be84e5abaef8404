import type { BlockFacts, ChainContext, ChainReader, Want } from '@kassa/chains/adapter.ts'

import { type Context, inTransaction } from '../../context.ts'
import { receiveTransfers, settleFinal } from '../payments/service.ts'
import { matchTransfers } from './match-transfers.ts'
import { retryAfterMs } from './rules.ts'
import { countTransfers, type Cursor, holdCursor, listOddBlocks, type OddBlock, updateOddBlock } from './store.ts'

type Retry = { readonly reader: ChainReader; readonly want: Want; readonly familyId: number }

/**
 * Reads again the blocks that could not be read, when their time has come; with `all`, every one of them (a new version of
 * Kassa may understand them). What is found is credited by the usual path without moving the cursor.
 */
export async function retryOddBlocks(
  ctx: Context,
  chain: ChainContext,
  cursor: Cursor,
  { all, ...retry }: Retry & { all: boolean },
): Promise<void> {
  for (const odd of await listOddBlocks(ctx, cursor.blockchainId)) {
    const dueAt = odd.firstAt.getTime() + retryAfterMs(odd.tries)
    if (all || dueAt <= ctx.now().getTime()) await retryOddBlock(ctx, chain, cursor, odd, retry)
  }
}

async function retryOddBlock(
  ctx: Context,
  chain: ChainContext,
  cursor: Cursor,
  odd: OddBlock,
  { reader, want, familyId }: Retry,
): Promise<void> {
  const { blockchainId } = cursor
  const facts = await readAgain(reader, chain, odd, want)
  await inTransaction(ctx, async (tx) => {
    await holdCursor(tx, cursor)
    await updateOddBlock(tx, blockchainId, odd, facts !== undefined)
    if (!facts) return
    const transfers = await matchTransfers(tx, { chain: chain.chain, familyId }, facts.transfers)
    if (transfers.length > 0) await receiveTransfers(tx, { blockchainId, block: facts.block, transfers })
    await countTransfers(tx, blockchainId, odd.height, transfers.length)
    await settleFinal(tx, { blockchainId, tip: cursor.height, finalized: cursor.finalizedHeight })
  })
}

/** The block with its transfers, or undefined when it still does not decode. */
async function readAgain(
  reader: ChainReader,
  chain: ChainContext,
  { height, hash }: OddBlock,
  want: Want,
): Promise<BlockFacts | undefined> {
  try {
    const facts = await reader.blocks(chain, { from: height, to: height }, want)
    return facts.find(({ block }) => block.hash === hash)
  } catch (error) {
    if (chain.signal.aborted) throw error
    return undefined
  }
}
