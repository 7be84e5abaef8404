import type { BlockFacts, ChainSession, HeightRange, TransferFilter } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { mapConcurrent } from '../../node/map-concurrent.ts'
import { isWorkChecked, requireTarget, requireWork } from '../encoding/proof-of-work.ts'
import { malformed, readBlock, readHeader, refOf, type WireHeader } from '../encoding/wire.ts'
import { protocolOf } from '../network/recognize.ts'
import { spendsIn } from './spends.ts'
import { isFrom, type ReadScope, readScopeOf, transfersIn } from './transfers.ts'

/** Blocks asked for at once: each is up to 8 MB of text. */
const IN_FLIGHT = 3

/** Reads blocks with the wanted transfers in them, ascending and contiguous from `range.from`; see `ChainReader.blocks`. */
export async function readBlocks(
  session: ChainSession,
  range: HeightRange,
  filter: TransferFilter,
): Promise<BlockFacts[]> {
  const scope = readScopeOf(session.chain, filter)
  const heights = Array.from({ length: Math.max(0, range.to - range.from + 1) }, (_, at) => range.from + at)
  let end = Infinity
  const read = await mapConcurrent(IN_FLIGHT, heights, async (height): Promise<BlockFacts | null> => {
    if (height >= end) return null
    const facts = await readOne(session, height, scope)
    // Above the newest block there is nothing more to ask for.
    if (!facts) end = Math.min(end, height)
    return facts
  })
  const blocks: BlockFacts[] = []
  for (const outcome of read) {
    if (outcome.status === 'rejected') throw outcome.reason
    const parent = blocks.at(-1)?.block
    // The chain ends, or moved while it was read.
    if (!outcome.value || (parent && outcome.value.block.parentHash !== parent.hash)) break
    blocks.push(outcome.value)
  }
  return blocks
}

async function readOne(session: ChainSession, height: number, scope: ReadScope): Promise<BlockFacts | null> {
  const { native } = scope
  const protocol = await protocolOf(session)
  const hash = await protocol.hashAt(session, height)
  if (hash === null) return null
  if (native === null) {
    const header = readHeader(await protocol.header(session, hash))
    if (header.hash !== hash) throw malformed('header')
    await requireMined(session, header, height)
    return { block: refOf(header, height), transfers: [], internalTransfers: 'complete' }
  }
  const wire = readBlock(await protocol.block(session, hash))
  if (wire.hash !== hash) throw new RetryableRpcError('inconsistent', `The node answers for another block than ${hash}`)
  await requireMined(session, wire, height)
  const block = refOf(wire, height)
  const received = wire.transactions.filter((tx) => !isFrom(scope, tx)).flatMap((tx) => transfersIn(scope, block, tx))
  const spent = await spendsIn(session, { ...scope, native }, block, wire.transactions)
  return { block, transfers: [...received, ...spent], internalTransfers: 'complete' }
}

/** Checks the work of a header, and that it is as much as its parent asks for, whose own header proves itself by its hash. */
async function requireMined(session: ChainSession, header: WireHeader, height: number): Promise<void> {
  if (isWorkChecked(session.chain) && height > 0) {
    const protocol = await protocolOf(session)
    const parent = readHeader(await protocol.header(session, header.parentHash))
    if (parent.hash !== header.parentHash) throw malformed('header')
    requireTarget(session, { parent, header, height })
  }
  requireWork(session, header, height)
}
