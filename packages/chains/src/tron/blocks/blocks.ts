import type { BlockFacts, BlockRef, ChainSession, HeightRange, TransferFilter } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { list, object, readBlock, readInfo, requireAnswer, type WireBlock, type WireInfo } from '../encoding/wire.ts'
import { ask, askAll, walletCall } from '../network/calls.ts'
import { hidesInternal } from './internal-records.ts'
import { readScopeOf, transfersIn } from './transfers.ts'
import { noticeUnlisted } from './unlisted-token.ts'

/** The most blocks that a node returns at once (`getblockbylimitnext`). */
const MOST_AT_ONCE = 100

/** Reads blocks with the wanted transfers in them, ascending and contiguous from `range.from`; see `ChainReader.blocks`. */
export async function readBlocks(
  session: ChainSession,
  range: HeightRange,
  filter: TransferFilter,
): Promise<BlockFacts[]> {
  const blocks = await fetchBlocks(session, range)
  const scope = readScopeOf(session.chain, filter)
  if (scope.native === null && scope.tokens.size === 0) {
    return blocks.map((block) => ({ block: refOf(block), transfers: [], internalTransfers: 'complete' }))
  }
  const infos = await infosOf(session, blocks)
  return blocks.map((block) => {
    const left = infos.get(block.hash) ?? new Map<string, WireInfo>()
    const ref = refOf(block)
    const outcomes = block.transactions.map((tx) => ({ tx, info: left.get(tx.txId) ?? null }))
    const isHidden = scope.native !== null && hidesInternal(session.node, outcomes) && left.size > 0
    return {
      block: ref,
      transfers: outcomes.flatMap(({ tx, info }) => transfersIn(scope, ref, tx, info)),
      ...(filter.unlisted === true && {
        unlisted: noticeUnlisted(session.chain, filter, ref, [...left.values()]),
      }),
      internalTransfers: isHidden ? 'unsupported' : 'complete',
    }
  })
}

/** Reads a block's reference without its transactions. */
export function refOf({ height, hash, parentHash, minedAt }: BlockRef): BlockRef {
  return { height, hash, parentHash, minedAt }
}

async function fetchBlocks(session: ChainSession, { from, to }: HeightRange): Promise<WireBlock[]> {
  const blocks: WireBlock[] = []
  for (let start = from; start <= to; start += MOST_AT_ONCE) {
    const end = Math.min(to, start + MOST_AT_ONCE - 1)
    const piece = await fetchPiece(session, start, end)
    for (const block of piece) {
      const parent = blocks.at(-1)
      if (block.height !== from + blocks.length) throw wrongBlock(from + blocks.length)
      // The chain changed during the reading.
      if (parent && block.parentHash !== parent.hash) return blocks
      blocks.push(block)
    }
    if (piece.length < end - start + 1) break
  }
  return blocks
}

async function fetchPiece(session: ChainSession, from: number, to: number): Promise<WireBlock[]> {
  if (from === to) {
    const block = readBlock(await ask(session, walletCall('getblockbynum', { num: from })))
    return block ? [block] : []
  }
  const answer = object(
    await ask(session, walletCall('getblockbylimitnext', { startNum: from, endNum: to + 1 })),
    'blocks',
  )
  requireAnswer(answer)
  const found = answer['block'] === undefined ? [] : list(answer['block'], 'block')
  return found.map(readBlock).filter((block) => block !== null)
}

/** Execution results by block hash, then by transaction; only of blocks in which code may have run. */
async function infosOf(
  session: ChainSession,
  blocks: readonly WireBlock[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, WireInfo>>> {
  const running = blocks.filter(({ transactions }) => transactions.some(({ raw }) => raw.message.kind !== 'transfer'))
  const calls = running.map(({ height }) => walletCall('gettransactioninfobyblocknum', { num: height }))
  const answers = await askAll(session, calls)
  return new Map(running.map((block, at) => [block.hash, infosOfBlock(block, answers[at])]))
}

/** A node is asked again when it leaves out the result of a transaction, or answers for another block (W-8). */
function infosOfBlock(block: WireBlock, answer: unknown): ReadonlyMap<string, WireInfo> {
  const infos = list(answer, 'transaction infos').map(readInfo)
  const byId = new Map(infos.flatMap((info) => (info ? [[info.txId, info] as const] : [])))
  const isWhole = block.transactions.length === infos.length && block.transactions.every(({ txId }) => byId.has(txId))
  if (isWhole && infos.every((info) => info?.height === block.height)) return byId
  throw new RetryableRpcError('inconsistent', `The outcomes of block ${block.height} are not those of its transactions`)
}

function wrongBlock(height: number): RetryableRpcError {
  return new RetryableRpcError('inconsistent', `The node answers for another block than ${height}`)
}
