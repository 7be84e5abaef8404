import type { BlockFacts, BlockRef, ChainContext, HeightRange, Transfer, Want } from '../adapter.ts'
import { RetryableRpcError } from '../errors.ts'
import { callAll } from '../rpc/client.ts'
import { featuresOf, TRACER } from './features.ts'
import { logsInRange, txHashesByBlock } from './logs.ts'
import { toQuantity } from './hex.ts'
import { areProven } from './receipts-root.ts'
import { internalTransfersIn } from './traces.ts'
import { readNativeMove, type Sight, sightOf, transfersIn } from './transfers.ts'
import { list, readBlock, readBlockRef, readReceipt, type WireBlock, type WireReceipt } from './wire.ts'

/** Up to here every receipt is fetched; beyond, logs are filtered by the node, which costs it far less. */
export const HEAD_SPAN = 8

/** Gas of a transaction that runs no code (EIP-2 intrinsic gas): nothing moves inside it. */
const PLAIN_TRANSFER_GAS = 21_000n

/** Receipts by transaction hash, and the hashes of the blocks whose receipts root proves them. */
type Receipts = { readonly of: ReadonlyMap<string, WireReceipt>; readonly proven: ReadonlySet<string> }

/** Reads blocks with the wanted transfers in them, ascending and contiguous from `range.from`; see `ChainReader.blocks`. */
export async function readBlocks(ctx: ChainContext, range: HeightRange, want: Want): Promise<BlockFacts[]> {
  const sight = sightOf(ctx.chain, want)
  if (sight.native === null && sight.tokens.size === 0) {
    const refs = contiguous(await fetchBlocks(ctx, range, false, readBlockRef))
    return refs.map((block) => ({ block, transfers: [] }))
  }
  const features = await featuresOf(ctx)
  const blocks = contiguous(await fetchBlocks(ctx, range, true, readBlock))
  const isHead = range.to - range.from < HEAD_SPAN && features.has('block-receipts')
  const receipts = isHead ? await allReceipts(ctx, blocks) : await receiptsOfMatches(ctx, sight, blocks)
  const traced =
    features.has('traces') && sight.native !== null ? blocks.filter((block) => mayHideCalls(block, receipts)) : []
  const internal = await internalTransfers(ctx, sight, traced)
  return blocks.map((block) => ({
    block: refOf(block),
    transfers: [...outerTransfers(sight, block, receipts), ...(internal.get(block.hash) ?? [])],
  }))
}

function outerTransfers(sight: Sight, block: WireBlock, receipts: Receipts): Transfer[] {
  const evidence = receipts.proven.has(block.hash) ? 'receipts-root' : 'receipt'
  return block.transactions.flatMap((tx) => {
    const receipt = receipts.of.get(tx.hash)
    return receipt ? transfersIn(sight, refOf(block), tx, receipt, evidence) : []
  })
}

async function fetchBlocks<Block>(
  ctx: ChainContext,
  { from, to }: HeightRange,
  withTransactions: boolean,
  read: (answer: unknown) => Block | null,
): Promise<(Block | null)[]> {
  const calls = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => ({
    method: 'eth_getBlockByNumber',
    params: [toQuantity(from + at), withTransactions],
  }))
  return (await callAll(ctx.node, calls, ctx.signal)).map(read)
}

/** Keeps the blocks up to the first that is missing or stands on another parent: the chain moved while it was read. */
function contiguous<Block extends BlockRef>(blocks: readonly (Block | null)[]): Block[] {
  const kept: Block[] = []
  for (const block of blocks) {
    const parent = kept.at(-1)
    if (!block || (parent && (block.parentHash !== parent.hash || block.height !== parent.height + 1))) break
    kept.push(block)
  }
  return kept
}

async function allReceipts(ctx: ChainContext, blocks: readonly WireBlock[]): Promise<Receipts> {
  const filled = blocks.filter(({ transactions }) => transactions.length > 0)
  const calls = filled.map(({ hash }) => ({ method: 'eth_getBlockReceipts', params: [hash] }))
  const answers = await callAll(ctx.node, calls, ctx.signal)
  const lists = filled.map((block, at) => receiptsOf(block, answers[at]))
  const provable = ctx.chain.blockchain.hasPlainReceipts
    ? filled.filter((block, at) => areProven(block, lists[at] ?? []))
    : []
  return { of: byTransaction(lists.flat()), proven: new Set(provable.map(({ hash }) => hash)) }
}

function receiptsOf(block: WireBlock, answer: unknown): WireReceipt[] {
  if (answer === null) throw new RetryableRpcError('inconsistent', `The node no longer has block ${block.hash}`)
  const receipts = list(answer, 'receipts').flatMap((one) => readReceipt(one) ?? [])
  requireEveryReceipt(block, receipts)
  return receipts
}

/** A node that drops receipts would drop deposits. POLYGON's state-sync transactions come from the zero address, without receipt. */
function requireEveryReceipt(block: WireBlock, receipts: readonly (WireReceipt | null)[]): void {
  const here = new Set(
    receipts.filter((receipt) => receipt?.blockHash === block.hash).map((receipt) => receipt?.txHash),
  )
  const missing = block.transactions.find(({ hash, from }) => !here.has(hash) && !/^0x0{40}$/.test(from))
  if (missing) {
    throw new RetryableRpcError('inconsistent', `The node has no receipt in block ${block.height} for ${missing.hash}`)
  }
}

/** Finds which transactions may concern us, by the node's log index and by their receiver, and fetches only their receipts. */
async function receiptsOfMatches(ctx: ChainContext, sight: Sight, blocks: readonly WireBlock[]): Promise<Receipts> {
  const first = blocks[0]
  const last = blocks.at(-1)
  if (!first || !last) return { of: new Map(), proven: new Set() }
  const logs = await logsInRange(ctx, sight, { from: first.height, to: last.height })
  const logged = txHashesByBlock(sight, logs, blocks)
  const wanted = blocks.flatMap((block) =>
    block.transactions
      .filter((tx) => logged.get(block.hash)?.has(tx.hash) || readNativeMove(sight, tx))
      .map((tx) => ({ block, hash: tx.hash })),
  )
  const calls = wanted.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
  const receipts = (await callAll(ctx.node, calls, ctx.signal)).map(readReceipt)
  receipts.forEach((receipt, at) => {
    if (receipt?.blockHash === wanted[at]?.block.hash && receipt?.txHash === wanted[at]?.hash) return
    throw new RetryableRpcError('inconsistent', `The receipt of ${wanted[at]?.hash} is in another block`)
  })
  return { of: byTransaction(receipts), proven: new Set() }
}

function byTransaction(receipts: readonly (WireReceipt | null)[]): Receipts['of'] {
  return new Map(receipts.flatMap((receipt) => (receipt ? [[receipt.txHash, receipt] as const] : [])))
}

function mayHideCalls(block: WireBlock, receipts: Receipts): boolean {
  return block.transactions.some(({ hash }) => receipts.of.get(hash)?.gasUsed !== PLAIN_TRANSFER_GAS)
}

async function internalTransfers(
  ctx: ChainContext,
  sight: Sight,
  blocks: readonly WireBlock[],
): Promise<ReadonlyMap<string, Transfer[]>> {
  const calls = blocks.map(({ hash }) => ({ method: 'debug_traceBlockByHash', params: [hash, TRACER] }))
  const traces = await callAll(ctx.node, calls, ctx.signal)
  return new Map(
    blocks.map((block, at) => [block.hash, internalTransfersIn(sight, refOf(block), block.transactions, traces[at])]),
  )
}

function refOf({ height, hash, parentHash, minedAt }: BlockRef): BlockRef {
  return { height, hash, parentHash, minedAt }
}
