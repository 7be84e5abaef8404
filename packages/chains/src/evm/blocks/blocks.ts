import type { BlockFacts, BlockRef, ChainSession, HeightRange, Transfer, TransferFilter } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { callAll, jsonCall } from '../../node/client.ts'
import { featuresOf, TRACER } from '../network/features.ts'
import { toQuantity } from '../encoding/hex.ts'
import { examineMatches } from './matches.ts'
import { tracesOf } from './old-traces.ts'
import { type Examined, examineAll, outerTransfers, refOf, succeededAmong, WHOLE_AT_ONCE } from './receipts.ts'
import { unsettledBlocks } from './settled.ts'
import { internalTransfersIn } from './traces.ts'
import { type ReadScope, readScopeOf } from './transfers.ts'
import { noticeUnlisted } from './unlisted-token.ts'
import { readBlock, readBlockRef, readHeader, type WireBlock } from '../encoding/wire.ts'

/**
 * Up to this many blocks, every receipt is fetched. Beyond, the node's index of logs says where to look, which costs far less
 * while headers are sparse: a full bloom filter matches every contract, and each block that it leaves in doubt is read
 * completely too.
 */
export const HEAD_SPAN = WHOLE_AT_ONCE

/**
 * Whole blocks that one request asks for: a few such requests in flight keep node and reader busy, and a full block of half a
 * megabyte stays far below the limit of an answer.
 */
const WHOLE_PER_REQUEST = 10

/** Gas of a transaction that runs no code (EIP-2 intrinsic gas): nothing moves inside it. */
const PLAIN_TRANSFER_GAS = 21_000n

/** Reads blocks with the wanted transfers in them, ascending and contiguous from `range.from`; see `ChainReader.blocks`. */
export async function readBlocks(
  session: ChainSession,
  range: HeightRange,
  filter: TransferFilter,
): Promise<BlockFacts[]> {
  const scope = readScopeOf(session.chain, filter)
  if (scope.native === null && scope.tokens.size === 0) {
    const refs = await fetchBlocks(session, range, false, readBlockRef)
    return refs.map((block) => ({ block, transfers: [], internalTransfers: 'complete' }))
  }
  const features = await featuresOf(session)
  const isHead = range.to - range.from < HEAD_SPAN && features.has('block-receipts')
  if (!isHead && scope.native === null) return readTokensOnly(session, range, scope, filter)
  const blocks = await fetchBlocks(session, range, true, readBlock)
  const examined = isHead
    ? await examineAll(session, blocks)
    : await examineMatches(session, scope, blocks, ({ transactions }) => transactions)
  const needsTraces = scope.native !== null && scope.systemLog === null
  const isTraced = needsTraces && features.has('traces')
  const hiding = isTraced ? await blocksToTrace(session, scope, { filter, isHead }, examined) : []
  const { internal, pruned } = await internalTransfers(session, scope, examined, hiding)
  const isMissing = (one: Examined<WireBlock>) => needsTraces && !isTraced && mayHideCalls(one)
  return examined.map((one) => ({
    block: refOf(one.block),
    transfers: [...outerTransfers(scope, one), ...(internal.get(one.block.hash) ?? [])],
    ...noticed(session, filter, one),
    internalTransfers: pruned.has(one.block.hash) ? 'pruned' : isMissing(one) ? 'unsupported' : 'complete',
  }))
}

/** Without native money, headers and logs are enough: bodies are most of the bytes of a long range. */
async function readTokensOnly(
  session: ChainSession,
  range: HeightRange,
  scope: ReadScope,
  filter: TransferFilter,
): Promise<BlockFacts[]> {
  const headers = await fetchBlocks(session, range, false, readHeader)
  const examined = await examineMatches(session, scope, headers, () => null)
  return examined.map((one) => ({
    block: refOf(one.block),
    transfers: outerTransfers(scope, one),
    ...noticed(session, filter, one),
    internalTransfers: 'complete',
  }))
}

/** For a head block every receipt is available; for a longer range only those of transactions that may concern us. */
function noticed({ chain }: ChainSession, filter: TransferFilter, one: Examined): Pick<BlockFacts, 'unlisted'> {
  return filter.unlisted === true ? { unlisted: noticeUnlisted(chain, filter, one) } : {}
}

async function fetchBlocks<Block extends BlockRef>(
  session: ChainSession,
  { from, to }: HeightRange,
  withTransactions: boolean,
  read: (answer: unknown) => Block | null,
): Promise<Block[]> {
  const heights = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
  const calls = heights.map((height) => jsonCall('eth_getBlockByNumber', toQuantity(height), withTransactions))
  const answers = await callAll(session, calls, withTransactions ? { perRequest: WHOLE_PER_REQUEST } : {})
  const blocks = answers.map(read)
  const wrong = blocks.findIndex((block, at) => block !== null && block.height !== heights[at])
  if (wrong < 0) return contiguous(blocks)
  throw new RetryableRpcError('inconsistent', `The node answers for another block than ${heights[wrong]}`)
}

/** Returns the blocks up to the first that is missing or has another parent, because the chain moved while it was read. */
function contiguous<Block extends BlockRef>(blocks: readonly (Block | null)[]): Block[] {
  const chain: Block[] = []
  for (const block of blocks) {
    const parent = chain.at(-1)
    if (!block || (parent && block.parentHash !== parent.hash)) break
    chain.push(block)
  }
  return chain
}

/** By the hash of the block; `pruned` are blocks that the node can no longer trace. */
type Inside = { readonly internal: ReadonlyMap<string, Transfer[]>; readonly pruned: ReadonlySet<string> }

/** The blocks in which code ran; in a long range only those whose money the balances do not explain. */
async function blocksToTrace(
  session: ChainSession,
  scope: ReadScope,
  { filter, isHead }: { readonly filter: TransferFilter; readonly isHead: boolean },
  examined: readonly Examined<WireBlock>[],
): Promise<readonly WireBlock[]> {
  const marked = examined.map((one) => ({ ...one, mayHide: mayHideCalls(one) }))
  const hiding = marked.filter(({ mayHide }) => mayHide).map(({ block }) => block)
  if (isHead || hiding.length === 0) return hiding
  const unsettled = await unsettledBlocks(session, scope, filter, marked)
  return hiding.filter(({ hash }) => unsettled.has(hash))
}

/** Traces these blocks, and keeps transfers inside successful transactions only, as their receipts say. */
async function internalTransfers(
  session: ChainSession,
  scope: ReadScope,
  examined: readonly Examined<WireBlock>[],
  blocks: readonly WireBlock[],
): Promise<Inside> {
  const traces = await tracesOf(
    session,
    blocks.map((block) => ({ block, call: jsonCall('debug_traceBlockByHash', block.hash, TRACER) })),
  )
  const pruned = new Set(blocks.filter((_, at) => traces[at] === null).map(({ hash }) => hash))
  const found = blocks.flatMap((block, at) =>
    pruned.has(block.hash) ? [] : internalTransfersIn(scope, refOf(block), block.transactions, traces[at]),
  )
  const succeeded = new Set(
    examined.flatMap(({ mined }) => mined.filter(({ receipt }) => receipt.isSuccess).map(({ tx }) => tx.hash)),
  )
  const known = new Set(examined.flatMap(({ mined }) => mined.map(({ tx }) => tx.hash)))
  const byHash = new Map(blocks.map((block) => [block.hash, block]))
  const unread = new Map(
    found.filter(({ txId }) => !known.has(txId)).map((one) => [one.txId, byHash.get(one.block.hash)]),
  )
  const wanted = [...unread].flatMap(([hash, block]) => (block ? [{ block, tx: { hash } }] : []))
  const features = await featuresOf(session)
  for (const hash of await succeededAmong(session, wanted, { hasBlockReceipts: features.has('block-receipts') })) {
    succeeded.add(hash)
  }
  const moved = found.filter(({ txId }) => succeeded.has(txId))
  return { internal: Map.groupBy(moved, ({ block }) => block.hash), pruned }
}

function mayHideCalls({ block, mined }: Examined<WireBlock>): boolean {
  const plain = mined.filter(({ receipt }) => receipt.gasUsed === PLAIN_TRANSFER_GAS)
  return plain.length < block.transactions.length
}
