import type { BlockFacts, ChainSession, HeightRange, TransferFilter } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { mapConcurrent } from '../../node/map-concurrent.ts'
import { list, readBlock, readBlockRef, slotOf } from '../encoding/wire.ts'
import { ask, commitmentOf } from '../network/calls.ts'
import { readScopeOf, type ReadScope, transfersIn } from './transfers.ts'

/** Blocks read at once from one node: each may have five megabytes. */
const IN_FLIGHT = 4

type ReadBlock = BlockFacts & { readonly parentHeight: number }

/**
 * Reads blocks with the wanted transfers, ascending and linked by parent; see `ChainReader.blocks`. Slots may be empty: if
 * every slot of the range is, it returns the first block above, so that the reader always makes progress.
 */
export async function readBlocks(
  session: ChainSession,
  range: HeightRange,
  filter: TransferFilter,
): Promise<BlockFacts[]> {
  const scope = readScopeOf(session.chain, filter)
  const outcomes = await mapConcurrent(IN_FLIGHT, await slotsOf(session, range), (slot) =>
    readOne(session, slot, scope),
  )
  const facts: BlockFacts[] = []
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') throw outcome.reason
    const { parentHeight, ...one } = outcome.value
    const parent = facts.at(-1)?.block
    if (parentHeight > (parent?.height ?? range.from - 1)) throw leftOut(parentHeight)
    // The chain changed during the reading.
    if (parent && one.block.parentHash !== parent.hash) return facts
    facts.push(one)
  }
  return facts
}

async function slotsOf(session: ChainSession, { from, to }: HeightRange): Promise<number[]> {
  const options = { commitment: commitmentOf(session) }
  const found = list(await ask(session, 'getBlocks', from, to, options), 'slots').map(slotOf)
  const slots =
    found.length > 0 ? found : list(await ask(session, 'getBlocksWithLimit', from, 1, options), 'slots').map(slotOf)
  if (slots.every((slot, at) => slot >= from && slot > (slots[at - 1] ?? -1))) return slots
  throw new RetryableRpcError('inconsistent', `The node lists other slots than those from ${from} on`)
}

async function readOne(session: ChainSession, slot: number, scope: ReadScope): Promise<ReadBlock> {
  const isBare = scope.native === null && scope.tokens.size === 0
  const answer = await ask(session, 'getBlock', slot, {
    commitment: commitmentOf(session),
    encoding: 'json',
    transactionDetails: isBare ? 'none' : 'full',
    maxSupportedTransactionVersion: 0,
    rewards: false,
  })
  const block = isBare ? { ...readBlockRef(slot, answer), transactions: [] } : readBlock(slot, answer)
  const { parentHeight, transactions, ...ref } = block
  return {
    block: ref,
    parentHeight,
    transfers: transactions.flatMap((tx) => transfersIn(scope, ref, tx)),
    internalTransfers: 'complete',
  }
}

function leftOut(slot: number): RetryableRpcError {
  return new RetryableRpcError('inconsistent', `The node leaves out block ${slot}, which others follow`)
}
