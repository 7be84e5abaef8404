import type {
  BlockFacts,
  BlockRef,
  Chain,
  ChainAdapter,
  ChainReader,
  ChainSession,
  TransferFilter,
} from '@kassa/chains/adapter.ts'
import { isSilence } from '@kassa/chains/errors.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { continueOnError } from '../../../jobs/continue-on-error.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { listAssets } from '../../blockchains/chains/service.ts'
import { checkTransfers } from '../verification/transfer-checks.ts'
import { withoutCredited } from '../matching/uncredited-transfers.ts'
import { fromStrangers, matchTransfers } from '../matching/match-transfers.ts'
import { lockForSettling, settle } from '../settlement/settle.ts'
import { noteQuarantine } from '../../../metrics/chain-metrics.ts'
import { insertQuarantined, listQuarantined, type QuarantinedBlock, updateQuarantined } from './store.ts'
import type { DecodeFailure } from '../blocks/read-blocks.ts'
import { countTransfers } from '../blocks/block-store.ts'
import { type Cursor, lockCursor } from '../blocks/cursor-store.ts'

export { listQuarantined } from './store.ts'

type Retry = { readonly adapter: ChainAdapter; readonly filter: TransferFilter; readonly familyId: number }

type UndecodableBlock = {
  readonly chain: Chain
  readonly blockchainId: number
  readonly block: BlockRef
  readonly nodeId: number
  readonly failure: DecodeFailure
}

/**
 * Quarantines a block that did not decode completely, and raises an alarm; reading continues for all other blocks (money.md
 * 2.7).
 */
export async function quarantineBlock(
  ctx: Context,
  { chain, block, failure, ...source }: UndecodableBlock,
): Promise<void> {
  const { code } = chain.blockchain
  await insertQuarantined(ctx, { ...source, block, failure })
  const { error, concernsUs, transactions } = failure
  const params = { blockchainCode: code, height: block.height, error, missing: transactions.length, concernsUs }
  await raiseAlarm(ctx, { kind: 'block_quarantined', subject: code, params })
}

/**
 * Reads quarantined blocks again when they are due; with `all`, every one of them, because a new version of Kassa may
 * decode them. Their transfers are credited by the usual path without moving the cursor. One that fails does not stop the others.
 */
export async function retryQuarantined(
  ctx: Context,
  session: ChainSession,
  cursor: Cursor,
  { all, ...retry }: Retry & { all: boolean },
): Promise<void> {
  const { attempt, end } = continueOnError(ctx, isSilence)
  for (const block of await listQuarantined(ctx, cursor.blockchainId)) {
    const dueAt = block.firstAt.getTime() + retryAfterMs(block.tries)
    if (!all && dueAt > ctx.now().getTime()) continue
    const about = { blockchain: session.chain.blockchain.code, height: String(block.height) }
    await attempt(about, () => retryBlock(ctx, session, cursor, block, retry))
  }
  await closeAlarm(ctx, session.chain, cursor)
  end()
}

async function retryBlock(
  ctx: Context,
  session: ChainSession,
  cursor: Cursor,
  block: QuarantinedBlock,
  { adapter, filter, familyId }: Retry,
): Promise<void> {
  const { blockchainId } = cursor
  const facts = await readAgain(adapter.reader, session, block, filter)
  const assets = await listAssets(ctx)
  const ask = { session, adapter, headHeight: cursor.height, assets }
  const incoming = fromStrangers(session.chain, filter.matches, facts?.transfers ?? [])
  const checks = await checkTransfers(ctx, ask, incoming)
  await inTransaction(ctx, async (tx) => {
    const { height: tip, finalizedHeight: finalized } = await lockCursor(tx, cursor)
    const isOurs = await updateQuarantined(tx, blockchainId, block, facts !== undefined)
    if (!facts || !isOurs) return
    const { deposits, moves } = await matchTransfers(
      tx,
      { chain: session.chain, familyId, assets, checks },
      facts.transfers,
    )
    const place = { blockchainId, tip, finalized }
    await lockForSettling(tx, { ...place, moves, blocks: [{ block: facts.block, transfers: deposits }] })
    const transfers = await withoutCredited(tx, { blockchainId, nodeId: session.node.id }, facts.block, deposits)
    const recorded = await settle(tx, { ...place, moves, blocks: [{ block: facts.block, transfers }] })
    await countTransfers(tx, blockchainId, block.height, transfers.length + recorded)
  })
}

/** The block with its transfers, or undefined when it still does not decode. */
async function readAgain(
  reader: ChainReader,
  session: ChainSession,
  { height, hash }: QuarantinedBlock,
  filter: TransferFilter,
): Promise<BlockFacts | undefined> {
  try {
    const facts = await reader.blocks(session, { from: height, to: height }, filter)
    return facts.find(({ block }) => block.hash === hash)
  } catch (error) {
    if (session.signal.aborted) throw error
    return undefined
  }
}

async function closeAlarm(ctx: Context, { blockchain }: Chain, { blockchainId }: Cursor): Promise<void> {
  const open = await listQuarantined(ctx, blockchainId)
  noteQuarantine(blockchain.code, open.length)
  if (open.length === 0) await clearAlarm(ctx, { kind: 'block_quarantined', subject: blockchain.code })
}

/**
 * How long after the first failure a quarantined block is due again: 1, 5 and 30 minutes, then hourly (money.md 2.7).
 */
export function retryAfterMs(tries: number): number {
  return ([1, 5, 30][tries - 1] ?? 60 * (tries - 3)) * 60_000
}
