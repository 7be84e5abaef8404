import { fromStrangers } from '../matching/match-transfers.ts'
import type { ChainAdapter, ChainSession, TransferFilter } from '@kassa/chains/adapter.ts'
import { NodeRejected } from '@kassa/chains/errors.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { adapterOf, findBlockchain, listAssets } from '../../blockchains/chains/service.ts'
import { openSession, openAnother } from '../../blockchains/nodes/service.ts'
import { checkTransfers } from '../verification/transfer-checks.ts'
import { requireSameBranch } from '../blocks/finality.ts'
import { knownAddresses } from '../matching/known-addresses.ts'
import { isOld } from './rules.ts'
import { rescanTransactionOf } from './rescan-transaction.ts'
import {
  failRescan,
  findRescan,
  finishRescan,
  insertRescan,
  listKeysPaidSince,
  moveRescan,
  type Rescan,
} from './store.ts'
import { raiseMissed } from './missed-alarm.ts'
import { creditReread } from './credit-reread.ts'
import { newestNodeId } from '../blocks/block-store.ts'
import { findCursor } from '../blocks/cursor-store.ts'

/** Blocks per step: few enough that every receipt is read, as at the head, instead of trusting a node's log filter. */
const STEP = 8

/** Rests four times as long as it works, because the head comes first (money.md 2.11). */
const REST_PER_WORK = 4

export type RangeRequest = {
  readonly blockchainId: number
  readonly from: number
  readonly to: number
  readonly reason: string
  readonly by: string
}

/**
 * Requests a rescan of blocks by any worker, limited to what was read already. Returns its record.
 * @throws RangeError when there is nothing to read, or not yet
 */
export async function requestRescan(ctx: Context, request: RangeRequest): Promise<Rescan> {
  const { blockchainId, from, to, reason, by } = request
  const cursor = await findCursor(ctx, blockchainId)
  if (!cursor) throw new RangeError('This blockchain is not read yet.')
  if (from < 0 || from > to) throw new RangeError('The first block must not come after the last one.')
  if (to > cursor.height)
    throw new RangeError(`The reader is at block ${cursor.height}: it reads block ${to} later without a rescan.`)
  const rescan = await insertRescan(ctx, { blockchainId, range: { from, to }, txId: null, reason, by })
  if (!rescan) throw new Error('A rescan was not written')
  return rescan
}

/**
 * Reads the rest of a rescan until the signal aborts; each step is credited once, by the follower's path, and stored. Returns
 * the rescan as it then is.
 * @throws the node's failure; the next worker continues from there
 */
export async function runRescan(ctx: Context, rescan: Rescan, signal: AbortSignal): Promise<Rescan> {
  try {
    await (rescan.txId === null ? readRange(ctx, rescan, signal) : rescanTransactionOf(ctx, rescan, signal))
  } catch (error) {
    if (!(error instanceof NodeRejected) && !isOld(ctx, rescan)) throw error
    await failRescan(ctx, rescan.id, error instanceof Error ? error.message : String(error))
  }
  return (await findRescan(ctx, rescan.id)) ?? rescan
}

async function readRange(ctx: Context, rescan: Rescan, signal: AbortSignal): Promise<void> {
  const scope = await scopeOf(ctx, rescan, signal)
  if (!scope) return failRescan(ctx, rescan.id, 'There is no node to read it with.')
  if (!rescan.range) return
  const { to } = rescan.range
  let isUntraced = false
  for (let { from } = rescan.range; from <= to;) {
    if (signal.aborted) return
    const startedAt = performance.now()
    const step = await readStep(ctx, rescan, scope, { from, to: Math.min(to, from + STEP - 1) })
    if (step === null) return
    from = step.next
    isUntraced ||= step.isUntraced
    await ctx.sleep((performance.now() - startedAt) * REST_PER_WORK, signal)
  }
  const isPartial = isUntraced && !rescan.isAudit
  await finishRescan(ctx, rescan.id, isPartial ? UNTRACED : null)
}

const UNTRACED =
  'The node has no traces of some of these blocks: money that contracts forwarded in them was not searched for. Add a node with history and ask again.'

type Scope = {
  readonly session: ChainSession
  readonly adapter: ChainAdapter
  readonly familyId: number
  readonly filter: TransferFilter
}

/**
 * Chooses the node and the transfer filter. An audit reads another node than the follower's, because the same node would repeat
 * its own omission, and reads it for few addresses (money.md W-9).
 */
async function scopeOf(ctx: Context, rescan: Rescan, signal: AbortSignal): Promise<Scope | null> {
  const { blockchainId, isAudit } = rescan
  const row = await findBlockchain(ctx, blockchainId)
  const adapter = row && adapterOf(row.definition.family)
  const session = isAudit
    ? await openAnother(ctx, blockchainId, (await newestNodeId(ctx, blockchainId)) ?? 0, signal, 'audit')
    : await openSession(ctx, blockchainId, signal, 'audit')
  if (!adapter || !session) return null
  const own = (await listAssets(ctx)).filter((asset) => asset.blockchainId === blockchainId)
  const matches = await matcher(ctx, rescan, adapter)
  const familyId = findFamily(adapter.family)?.id ?? 0
  return { session, adapter, familyId, filter: { assets: new Set(own.map(({ id }) => id)), matches } }
}

const DAY_MS = 24 * 3_600_000

async function matcher(
  ctx: Context,
  { isAudit, createdAt }: Rescan,
  { family }: ChainAdapter,
): Promise<TransferFilter['matches']> {
  const known = knownAddresses(family)
  if (!isAudit) {
    await known.load(ctx)
    return known.filter.has
  }
  const since = new Date(createdAt.getTime() - DAY_MS)
  for (const key of await listKeysPaidSince(ctx, known.familyId, since)) known.filter.add(key)
  return known.filter.has
}

/**
 * Reads some blocks and credits what is new; returns the next block, or null when another process continued the rescan.
 */
async function readStep(
  ctx: Context,
  rescan: Rescan,
  { session, adapter, familyId, filter }: Scope,
  range: { from: number; to: number },
): Promise<{ next: number; isUntraced: boolean } | null> {
  const read = await adapter.reader.blocks(session, range, filter)
  // Where a chain may skip heights, an empty range is followed by the first block above it.
  const facts = read.filter(({ block }) => block.height <= range.to)
  const last = read.length > facts.length ? range.to : facts.at(-1)?.block.height
  if (last === undefined) throw new Error(`${session.node.label} has no block ${range.from}`)
  const cursor = await findCursor(ctx, rescan.blockchainId)
  const headHeight = cursor?.height ?? last
  const transfers = facts.flatMap((one) => one.transfers)
  if (cursor && transfers.length > 0) await requireSameBranch(ctx, session, { adapter, cursor })
  const assets = await listAssets(ctx)
  const incoming = fromStrangers(session.chain, filter.matches, transfers)
  const checks = await checkTransfers(ctx, { session, adapter, headHeight, assets }, incoming)
  return inTransaction(ctx, async (tx) => {
    const found = await creditReread(tx, session, { facts, familyId, assets, checks })
    if (!(await moveRescan(tx, rescan.id, { from: range.from, next: last + 1, found }))) throw new WasTaken()
    if (found > 0) await raiseMissed(tx, session, { found, from: range.from, to: last, rescan })
    return { next: last + 1, isUntraced: facts.some((one) => one.internalTransfers !== 'complete') }
  }).catch((error: unknown) => {
    if (error instanceof WasTaken) return null
    throw error
  })
}

/** Another process works on the same rescan: the current transaction is rolled back. */
class WasTaken extends Error {}
