import type { BlockRef, ChainSession, Heads, BlockFacts } from '@kassa/chains/adapter.ts'
import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'
import type { Halt } from '@kassa/contract/blockchains/halts.ts'
import { inTransaction, type Context } from '../../../context.ts'
import { listAssets } from '../../blockchains/chains/service.ts'
import { Overdrawn } from '../../ledger/service.ts'
import { refreshConfirmations } from '../../payments/crediting/service.ts'
import { advance, rollBackTo } from './apply-blocks.ts'
import { reorgLimitOf, BLOCKS_ONLY } from '@kassa/chains/chain.ts'
import { fromStrangers } from '../matching/match-transfers.ts'
import { settleDue } from '../settlement/settle.ts'
import { checkTransfers } from '../verification/transfer-checks.ts'
import { finalityAfter, NOTHING_FINAL, requireAgreedFinal, requireNotForked } from '../blocks/finality.ts'
import type { FollowerState, Follower } from './follower.ts'
import { noteFound, notePlace, noteReorg, noteSpeed } from '../../../metrics/chain-metrics.ts'
import { isUndecodable, readPartially, type Reading, readRange } from '../blocks/read-blocks.ts'
import { isBehind } from './rules.ts'
import { nextStep, planRollBack, startHeight } from '../blocks/branch-rules.ts'
import { findBlock, insertBlocks, listBlocks } from '../blocks/block-store.ts'
import { type Cursor, insertCursor, moveCursor } from '../blocks/cursor-store.ts'
import { raiseAlarm } from '../../alarms/service.ts'

export type { FollowerState, Follower } from './follower.ts'

/** `busy`: more to read at once. `idle`: wait for the next block. `halted`: an operator must resume it. */
export type PollResult = { kind: 'busy' | 'idle' } | { kind: 'halted'; why: Halt }

/** The most blocks in one transaction (money.md W-2): enough to catch up fast, few enough to commit in seconds. */
const MOST_BLOCKS = 200

/** Reads from the chosen node before a block that does not decode is read from others, and then quarantined. */
const READS_BEFORE_QUARANTINE = 3

/**
 * Polls a chain once through one node: reads its head and the blocks after ours, and applies them; or rolls back to
 * where its branch left ours. Effects and cursor commit together.
 * @throws LostLeadership, or the node's failure
 */
export async function pollChain(
  follower: Follower,
  session: ChainSession,
  progress: FollowerState,
): Promise<PollResult> {
  const heads = await follower.adapter.reader.heads(session)
  const cursor = progress.cursor ?? (await begin(follower, session, heads))
  progress.cursor = cursor
  const { height: latest } = heads.latest
  const isLonger = latest > cursor.height
  // Loads addresses after the head and before its blocks: an address that a payer saw before these blocks were mined is then
  // loaded, and none of its transfers is missed (money.md W-10). Without blocks to read, it makes no query.
  const addressHigh = isLonger ? await follower.known.load(follower.ctx) : 0n
  const reading = isLonger ? await readNext(follower, session, progress, cursor, heads.latest) : null
  const next = reading?.facts[0]?.block ?? null
  const oursAtLatest = latest < cursor.height ? await findBlock(follower.ctx, cursor.blockchainId, latest) : null
  const step = nextStep(cursor, { latest: heads.latest, next, oursAtLatest: oursAtLatest?.hash ?? null })
  if (step.kind === 'fork') return rollBack(follower, session, progress, heads, cursor)
  if (step.kind === 'wait' || !reading) {
    progress.cursor = await idle(follower, session, cursor, heads)
    return { kind: 'idle' }
  }
  return applyNext(follower, session, progress, { heads, cursor, reading, addressHigh })
}

/** Inserts the cursor of a new chain at the block it starts with. */
async function begin({ ctx, row, adapter, holder }: Follower, session: ChainSession, heads: Heads): Promise<Cursor> {
  const height = startHeight(heads.latest.height, heads.finalized?.height, reorgLimitOf(session))
  const [first] = await adapter.reader.blocks(session, { from: height, to: height }, BLOCKS_ONLY)
  if (!first) throw new RetryableRpcError('inconsistent', `${session.node.label} has no block ${height}`)
  return inTransaction(ctx, async (tx) => {
    const cursor = await insertCursor(tx, {
      blockchainId: row.id,
      block: first.block,
      headHeight: heads.latest.height,
      finalizedHeight: heads.finalized ? first.block.height : NOTHING_FINAL,
      holder,
    })
    await insertBlocks(tx, row.id, [{ block: first.block, transfers: 0 }], session.node.id)
    return cursor
  })
}

async function readNext(
  { adapter, assets, known }: Follower,
  session: ChainSession,
  progress: FollowerState,
  cursor: Cursor,
  latest: BlockRef,
): Promise<Reading> {
  const from = cursor.height + 1
  const range = { from, to: Math.min(latest.height, cursor.height + progress.span) }
  const { has: matches, keys } = known.filter
  const filter = { assets, matches, keys, unlisted: true }
  try {
    const reading = await readRange(adapter.reader, session, range, filter)
    progress.span = Math.min(MOST_BLOCKS, progress.span * 2)
    progress.failedReads = 0
    return reading
  } catch (error) {
    if (session.signal.aborted || !isUndecodable(error)) throw error
    progress.failedReads = range.to === from ? progress.failedReads + 1 : 0
    progress.span = 1
    if (progress.failedReads < READS_BEFORE_QUARANTINE) throw error
    const reading = await readPartially(adapter, session, { height: from, filter, error })
    progress.failedReads = 0
    return reading
  }
}

async function applyNext(
  { ctx, row, adapter, known }: Follower,
  session: ChainSession,
  progress: FollowerState,
  seen: { heads: Heads; cursor: Cursor; reading: Reading; addressHigh: bigint },
): Promise<PollResult> {
  const { heads, cursor, reading, addressHigh } = seen
  const last = reading.facts.at(-1)?.block ?? heads.latest
  const lag = Math.max(0, heads.latest.height - last.height)
  const transfers = reading.facts.flatMap((one) => one.transfers)
  const assets = transfers.length > 0 ? await listAssets(ctx) : []
  const incoming = fromStrangers(session.chain, known.filter.has, transfers)
  const step = {
    ...reading,
    assets,
    ...(await finalityAfter(ctx, session, { cursor, heads, facts: reading.facts })),
    checks: await checkTransfers(ctx, { session, adapter, headHeight: heads.latest.height, assets }, incoming),
    headHeight: heads.latest.height,
    state: isBehind(lag, row.definition.blockSeconds) ? ('behind' as const) : ('running' as const),
    addressHigh,
  }
  const startedAt = performance.now()
  const moved = await advance(ctx, session, cursor, { familyId: known.familyId, step })
  progress.cursor = moved.cursor
  await raiseUntraced(ctx, session, progress, reading.facts)
  noteSpeed(row.code, reading.facts.length, (performance.now() - (progress.steppedAt ?? startedAt)) / 1000)
  progress.steppedAt = performance.now()
  notePlace(row.code, { lag, minedAt: last.minedAt, now: ctx.now() })
  if (moved.found > 0) noteFound(row.code, last.minedAt, ctx.now())
  // For open screens only: everything that matters is committed.
  await refreshConfirmations(ctx, { blockchainId: row.id, tip: last.height }).catch((error: unknown) =>
    ctx.log.warn({ blockchain: row.code, err: error }, 'confirmations could not be published to open screens'),
  )
  return { kind: lag > 0 ? 'busy' : 'idle' }
}

/** Handles a poll without a new block: finality may have grown, and a chain that was behind has recovered. */
async function idle({ ctx, row }: Follower, session: ChainSession, cursor: Cursor, heads: Heads): Promise<Cursor> {
  const { latest } = heads
  notePlace(row.code, { lag: 0, minedAt: latest.minedAt, now: ctx.now() })
  if (latest.hash !== cursor.hash) return cursor
  const finality = await finalityAfter(ctx, session, { cursor, heads, facts: [] })
  if (finality.finalizedHeight === cursor.finalizedHeight && cursor.state === 'running') return cursor
  return inTransaction(ctx, async (tx) => {
    const to = { block: latest, headHeight: latest.height, ...finality, state: 'running' as const }
    const moved = await moveCursor(tx, cursor, to)
    await settleDue(tx, { blockchainId: row.id, tip: cursor.height, finalized: finality.finalizedHeight })
    return moved
  })
}

async function rollBack(
  follower: Follower,
  session: ChainSession,
  progress: FollowerState,
  { latest, finalized }: Heads,
  cursor: Cursor,
): Promise<PollResult> {
  const { ctx, row, adapter } = follower
  const reorgLimit = reorgLimitOf(session)
  const ours = await listBlocks(ctx, row.id, cursor.height - reorgLimit)
  const from = ours[0]?.height ?? cursor.height
  const to = Math.min(latest.height, cursor.height)
  const theirs = await adapter.reader.blocks(session, { from, to }, BLOCKS_ONLY)
  // Where a chain may skip heights, the other branch need not have a block at the height of our last one.
  const isWhole = theirs.at(-1)?.block.height === to || (adapter.reader.leavesHeightsOut === true && theirs.length > 0)
  if (from <= to && !isWhole) {
    throw new RetryableRpcError('inconsistent', `${session.node.label} changed its branch while it was read`)
  }
  const found = planRollBack(
    { ...cursor, reorgLimit },
    ours,
    theirs.map(({ block }) => block),
  )
  if (found.kind === 'halt') {
    await requireExpected(adapter, session)
    await requireNotForked(follower, session, cursor, from)
    return { kind: 'halted', why: found.why }
  }
  if (finalized && finalized.height > found.toHeight) await requireAgreedFinal(follower, session, finalized)
  const target = ours.find(({ height }) => height === found.toHeight)
  if (!target) throw new Error(`Block ${found.toHeight} left the window while it was needed`)
  try {
    progress.cursor = await rollBackTo(ctx, cursor, target, latest.height)
  } catch (error) {
    if (!(error instanceof Overdrawn)) throw error
    return { kind: 'halted', why: { case: 'spent', detail: error.message } }
  }
  noteReorg(row.code, cursor.height - target.height)
  ctx.log.warn({ blockchain: row.code, from: cursor.height, to: target.height }, 'the chain was reorganised')
  return { kind: 'busy' }
}

/** A node that serves another network by now must not be compared with our blocks. @throws NodeRejected */
async function requireExpected({ reader }: Pick<Follower['adapter'], 'reader'>, session: ChainSession): Promise<void> {
  const { isExpected } = await reader.identify(session)
  if (!isExpected)
    throw new NodeRejected(`${session.node.label} serves another network than ${session.chain.network.name}`)
}

/**
 * Raises an alarm for blocks that were read so late that the node could not show their internal transfers. Ordinary
 * payments are complete; a node with history finds the rest.
 */
async function raiseUntraced(
  ctx: Context,
  { chain }: ChainSession,
  progress: FollowerState,
  facts: readonly BlockFacts[],
): Promise<void> {
  const heights = facts
    .filter(({ internalTransfers }) => internalTransfers === 'pruned')
    .map(({ block }) => block.height)
  const [first] = heights
  const last = heights.at(-1)
  if (first === undefined || last === undefined) return
  const { code } = chain.blockchain
  const from = progress.untraced?.from ?? first
  progress.untraced = { from, to: last }
  const params = { case: 'no_traces', blockchainCode: code, from, to: last } as const
  await raiseAlarm(ctx, { kind: 'watch_missed', subject: `${code} traces`, params }).catch((error: unknown) =>
    ctx.log.warn({ blockchain: code, err: error }, 'an alarm could not be raised'),
  )
}
