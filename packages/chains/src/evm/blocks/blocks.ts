import type { BlockFacts, BlockRef, ChainSession, HeightRange, Transfer, TransferFilter } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { callAll } from '../../node/client.ts'
import { featuresOf, TRACER } from '../network/features.ts'
import { toQuantity } from '../encoding/hex.ts'
import { examineMatches } from './matches.ts'
import { tracesOf } from './old-traces.ts'
import { type Examined, examineAll, outerTransfers, refOf, singleReceipts, WHOLE_AT_ONCE } from './receipts.ts'
import { internalTransfersIn } from './traces.ts'
import { type Sight, sightOf } from './transfers.ts'
import { readBlock, readBlockRef, readHeader, type WireBlock } from '../encoding/wire.ts'

/**
 * Up to here every receipt is fetched. Beyond, the node's index of logs says where to look, which costs far less as long as
 * headers are sparse: a full filter speaks of every contract, and each block that this leaves in doubt is read whole too.
 */
export const HEAD_SPAN = WHOLE_AT_ONCE

/** Gas of a transaction that runs no code (EIP-2 intrinsic gas): nothing moves inside it. */
const PLAIN_TRANSFER_GAS = 21_000n

/** Reads blocks with the wanted transfers in them, ascending and contiguous from `range.from`; see `ChainReader.blocks`. */
export async function readBlocks(ctx: ChainSession, range: HeightRange, filter: TransferFilter): Promise<BlockFacts[]> {
  const sight = sightOf(ctx.chain, filter)
  if (sight.native === null && sight.tokens.size === 0) {
    const refs = await fetchBlocks(ctx, range, false, readBlockRef)
    return refs.map((block) => ({ block, transfers: [] }))
  }
  const features = await featuresOf(ctx)
  const isHead = range.to - range.from < HEAD_SPAN && features.has('block-receipts')
  if (!isHead && sight.native === null) return readTokensOnly(ctx, range, sight)
  const blocks = await fetchBlocks(ctx, range, true, readBlock)
  const examined = isHead
    ? await examineAll(ctx, blocks)
    : await examineMatches(ctx, sight, blocks, ({ transactions }) => transactions)
  const needsTraces = sight.native !== null && sight.systemLog === null
  const isTraced = needsTraces && features.has('traces')
  const { internal, untraced } = isTraced ? await internalTransfers(ctx, sight, examined) : NOTHING_INSIDE
  return examined.map((one) => ({
    block: refOf(one.block),
    transfers: [...outerTransfers(sight, one), ...(internal.get(one.block.hash) ?? [])],
    ...(untraced.has(one.block.hash) && { untraced: 'gone' as const }),
    ...(needsTraces && !isTraced && mayHideCalls(one) && { untraced: 'never' as const }),
  }))
}

/** Where no native money is wanted, headers and logs are enough: bodies are most of the bytes of a long range. */
async function readTokensOnly(ctx: ChainSession, range: HeightRange, sight: Sight): Promise<BlockFacts[]> {
  const headers = await fetchBlocks(ctx, range, false, readHeader)
  const examined = await examineMatches(ctx, sight, headers, () => null)
  return examined.map((one) => ({ block: refOf(one.block), transfers: outerTransfers(sight, one) }))
}

async function fetchBlocks<Block extends BlockRef>(
  ctx: ChainSession,
  { from, to }: HeightRange,
  withTransactions: boolean,
  read: (answer: unknown) => Block | null,
): Promise<Block[]> {
  const heights = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
  const calls = heights.map((height) => ({
    method: 'eth_getBlockByNumber',
    params: [toQuantity(height), withTransactions],
  }))
  const blocks = (await callAll(ctx.node, calls, ctx.signal)).map(read)
  const wrong = blocks.findIndex((block, at) => block !== null && block.height !== heights[at])
  if (wrong < 0) return contiguous(blocks)
  throw new RetryableRpcError('inconsistent', `The node answers for another block than ${heights[wrong]}`)
}

/** Keeps the blocks up to the first that is missing or stands on another parent: the chain moved while it was read. */
function contiguous<Block extends BlockRef>(blocks: readonly (Block | null)[]): Block[] {
  const kept: Block[] = []
  for (const block of blocks) {
    const parent = kept.at(-1)
    if (!block || (parent && block.parentHash !== parent.hash)) break
    kept.push(block)
  }
  return kept
}

/** By the hash of the block; `untraced` are blocks that the node cannot trace any more. */
type Inside = { readonly internal: ReadonlyMap<string, Transfer[]>; readonly untraced: ReadonlySet<string> }

const NOTHING_INSIDE: Inside = { internal: new Map(), untraced: new Set() }

/** Traces the blocks in which code ran, and keeps what lies in successful transactions: of these the receipt decides. */
async function internalTransfers(
  ctx: ChainSession,
  sight: Sight,
  examined: readonly Examined<WireBlock>[],
): Promise<Inside> {
  const blocks = examined.filter(mayHideCalls).map(({ block }) => block)
  const traces = await tracesOf(
    ctx,
    blocks.map((block) => ({ block, call: { method: 'debug_traceBlockByHash', params: [block.hash, TRACER] } })),
  )
  const untraced = new Set(blocks.filter((_, at) => traces[at] === null).map(({ hash }) => hash))
  const found = blocks.flatMap((block, at) =>
    untraced.has(block.hash) ? [] : internalTransfersIn(sight, refOf(block), block.transactions, traces[at]),
  )
  const succeeded = new Set(
    examined.flatMap(({ mined }) => mined.filter(({ receipt }) => receipt.isSuccess).map(({ tx }) => tx.hash)),
  )
  const known = new Set(examined.flatMap(({ mined }) => mined.map(({ tx }) => tx.hash)))
  const unread = [...new Map(found.filter(({ txId }) => !known.has(txId)).map((one) => [one.txId, one.block]))]
  const receipts = await singleReceipts(
    ctx,
    unread.map(([hash, block]) => ({ block, tx: { hash } })),
  )
  for (const receipt of receipts) if (receipt?.isSuccess) succeeded.add(receipt.txHash)
  const moved = found.filter(({ txId }) => succeeded.has(txId))
  return { internal: Map.groupBy(moved, ({ block }) => block.hash), untraced }
}

function mayHideCalls({ block, mined }: Examined<WireBlock>): boolean {
  const plain = mined.filter(({ receipt }) => receipt.gasUsed === PLAIN_TRANSFER_GAS)
  return plain.length < block.transactions.length
}
