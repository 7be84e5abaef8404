import type { BlockFacts, BlockRef, Chain, ChainSession, ChainReader, TransferFilter } from '@kassa/chains/adapter.ts'

import { type Context, inTransaction } from '../../context.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import { takeIn } from '../payments/service.ts'
import { checkTransfers } from './checks.ts'
import { onlyFresh } from './known-transfers.ts'
import { matchTransfers } from './match-transfers.ts'
import { noteQuarantine } from './metrics.ts'
import { insertOddBlock, listOddBlocks, type OddBlock, updateOddBlock } from './odd-store.ts'
import type { Oddity } from './read-blocks.ts'
import { retryAfterMs } from './rules.ts'
import { countTransfers } from './block-store.ts'
import { type Cursor, lockCursor } from './store.ts'

type Retry = { readonly reader: ChainReader; readonly want: TransferFilter; readonly familyId: number }

type Aside = {
  readonly chain: Chain
  readonly blockchainId: number
  readonly block: BlockRef
  readonly nodeId: number
  readonly oddity: Oddity
}

/** Puts a block aside that could not be read as a whole, and says so; reading goes on for everybody else (money.md 2.7). */
export async function putAside(ctx: Context, { chain, block, oddity, ...odd }: Aside): Promise<void> {
  const { code } = chain.blockchain
  await insertOddBlock(ctx, { ...odd, block, oddity })
  const missing = oddity.transactions.length
  const what = missing === 0 ? 'It was read piece by piece' : `${missing} of its transactions are missing`
  const whose = oddity.concernsUs ? ' At least one of them names an address of yours.' : ''
  const text = `Block ${block.height} of ${code} could not be read: ${oddity.error} ${what}.${whose} It is read again until it can be; try another node or a newer version of Kassa.`
  await raiseAlarm(ctx, { kind: 'block_quarantined', subject: code, text })
}

/**
 * Reads again the blocks that could not be read, when their time has come; with `all`, every one of them (a new version of
 * Kassa may understand them). What is found is credited by the usual path without moving the cursor.
 */
export async function retryOddBlocks(
  ctx: Context,
  chain: ChainSession,
  cursor: Cursor,
  { all, ...retry }: Retry & { all: boolean },
): Promise<void> {
  for (const odd of await listOddBlocks(ctx, cursor.blockchainId)) {
    const dueAt = odd.firstAt.getTime() + retryAfterMs(odd.tries)
    if (all || dueAt <= ctx.now().getTime()) await retryOddBlock(ctx, chain, cursor, odd, retry)
  }
  await closeAlarm(ctx, chain.chain, cursor)
}

async function retryOddBlock(
  ctx: Context,
  chain: ChainSession,
  cursor: Cursor,
  odd: OddBlock,
  { reader, want, familyId }: Retry,
): Promise<void> {
  const { blockchainId } = cursor
  const facts = await readAgain(reader, chain, odd, want)
  const checks = await checkTransfers(ctx, { chain, reader, headHeight: cursor.height }, facts?.transfers ?? [])
  await inTransaction(ctx, async (tx) => {
    const { height: tip, finalizedHeight: finalized } = await lockCursor(tx, cursor)
    const isOurs = await updateOddBlock(tx, blockchainId, odd, facts !== undefined)
    if (!facts || !isOurs) return
    const matched = await matchTransfers(tx, { chain: chain.chain, familyId, checks }, facts.transfers)
    const transfers = await onlyFresh(tx, { blockchainId, nodeId: chain.node.id }, facts.block, matched)
    await countTransfers(tx, blockchainId, odd.height, transfers.length)
    await takeIn(tx, { blockchainId, blocks: [{ block: facts.block, transfers }], tip, finalized })
  })
}

/** The block with its transfers, or undefined when it still does not decode. */
async function readAgain(
  reader: ChainReader,
  chain: ChainSession,
  { height, hash }: OddBlock,
  want: TransferFilter,
): Promise<BlockFacts | undefined> {
  try {
    const facts = await reader.blocks(chain, { from: height, to: height }, want)
    return facts.find(({ block }) => block.hash === hash)
  } catch (error) {
    if (chain.signal.aborted) throw error
    return undefined
  }
}

async function closeAlarm(ctx: Context, { blockchain }: Chain, { blockchainId }: Cursor): Promise<void> {
  const open = await listOddBlocks(ctx, blockchainId)
  noteQuarantine(blockchain.code, open.length)
  if (open.length === 0) await clearAlarm(ctx, { kind: 'block_quarantined', subject: blockchain.code })
}
