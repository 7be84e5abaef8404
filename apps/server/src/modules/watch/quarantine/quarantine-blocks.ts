import type { BlockFacts, BlockRef, Chain, ChainSession, ChainReader, TransferFilter } from '@kassa/chains/adapter.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { creditBlocks } from '../../payments/crediting/service.ts'
import { checkTransfers } from '../verification/transfer-checks.ts'
import { withoutCredited } from '../matching/uncredited-transfers.ts'
import { matchTransfers } from '../matching/match-transfers.ts'
import { noteQuarantine } from '../../../metrics/chain-metrics.ts'
import { insertQuarantined, listQuarantined, type QuarantinedBlock, updateQuarantined } from './store.ts'
import type { DecodeFailure } from '../blocks/read-blocks.ts'
import { countTransfers } from '../blocks/block-store.ts'
import { type Cursor, lockCursor } from '../blocks/cursor-store.ts'

export { listQuarantined } from './store.ts'

type Retry = { readonly reader: ChainReader; readonly want: TransferFilter; readonly familyId: number }

type Aside = {
  readonly chain: Chain
  readonly blockchainId: number
  readonly block: BlockRef
  readonly nodeId: number
  readonly oddity: DecodeFailure
}

/** Puts a block aside that could not be read as a whole, and says so; reading goes on for everybody else (money.md 2.7). */
export async function quarantineBlock(ctx: Context, { chain, block, oddity, ...odd }: Aside): Promise<void> {
  const { code } = chain.blockchain
  await insertQuarantined(ctx, { ...odd, block, oddity })
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
export async function retryQuarantined(
  ctx: Context,
  chain: ChainSession,
  cursor: Cursor,
  { all, ...retry }: Retry & { all: boolean },
): Promise<void> {
  for (const odd of await listQuarantined(ctx, cursor.blockchainId)) {
    const dueAt = odd.firstAt.getTime() + retryAfterMs(odd.tries)
    if (all || dueAt <= ctx.now().getTime()) await retryOddBlock(ctx, chain, cursor, odd, retry)
  }
  await closeAlarm(ctx, chain.chain, cursor)
}

async function retryOddBlock(
  ctx: Context,
  chain: ChainSession,
  cursor: Cursor,
  odd: QuarantinedBlock,
  { reader, want, familyId }: Retry,
): Promise<void> {
  const { blockchainId } = cursor
  const facts = await readAgain(reader, chain, odd, want)
  const checks = await checkTransfers(ctx, { chain, reader, headHeight: cursor.height }, facts?.transfers ?? [])
  await inTransaction(ctx, async (tx) => {
    const { height: tip, finalizedHeight: finalized } = await lockCursor(tx, cursor)
    const isOurs = await updateQuarantined(tx, blockchainId, odd, facts !== undefined)
    if (!facts || !isOurs) return
    const matched = await matchTransfers(tx, { chain: chain.chain, familyId, checks }, facts.transfers)
    const transfers = await withoutCredited(tx, { blockchainId, nodeId: chain.node.id }, facts.block, matched)
    await countTransfers(tx, blockchainId, odd.height, transfers.length)
    await creditBlocks(tx, { blockchainId, blocks: [{ block: facts.block, transfers }], tip, finalized })
  })
}

/** The block with its transfers, or undefined when it still does not decode. */
async function readAgain(
  reader: ChainReader,
  chain: ChainSession,
  { height, hash }: QuarantinedBlock,
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
  const open = await listQuarantined(ctx, blockchainId)
  noteQuarantine(blockchain.code, open.length)
  if (open.length === 0) await clearAlarm(ctx, { kind: 'block_quarantined', subject: blockchain.code })
}

/**
 * How long after the first failure a block that could not be read is due again: 1, 5 and 30 minutes, then hourly
 * (money.md 2.7).
 */
export function retryAfterMs(tries: number): number {
  return ([1, 5, 30][tries - 1] ?? 60 * (tries - 3)) * 60_000
}
