import type { BlockRef, ChainSession, Transfer } from '@kassa/chains/adapter.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'
import { listAssets } from '../../blockchains/chains/service.ts'
import { openSession } from '../../blockchains/nodes/service.ts'
import { ownAddressesByKeys } from '../../wallets/own-addresses/service.ts'
import { addressesByKeys } from '../../wallets/service.ts'
import { fromStrangers } from '../matching/match-transfers.ts'
import { checkTransfers } from '../verification/transfer-checks.ts'
import { requireSameBranch } from '../blocks/finality.ts'
import { raiseMissed } from './missed-alarm.ts'
import { isOld } from './rules.ts'
import { failRescan, finishRescan, type Rescan, updateRescanBlock } from './store.ts'
import { findCursor } from '../blocks/cursor-store.ts'
import { type FoundBlock, creditReread } from './credit-reread.ts'

/** The result of reading a transaction again; `waiting`: it is not mined, or in a block that the reader has not reached. */
export type Reread = { readonly state: 'unknown' | 'waiting' | 'failed' | 'read'; readonly found: number }

/**
 * Reads one transaction again with any node and credits what it brought to us, once (money.md 2.11).
 * @throws what the node fails with
 */
export async function rereadTransaction(
  ctx: Context,
  session: ChainSession,
  txId: string,
  onFound: (tx: Context, facts: FoundBlock, found: number) => Promise<void>,
): Promise<Reread> {
  const adapter = adapterOf(session.chain.blockchain.family)
  const cursor = await findCursor(ctx, session.chain.blockchain.id)
  if (!adapter || !cursor) return { state: 'unknown', found: 0 }
  const facts = await adapter.reader.transaction(session, txId)
  if (!('block' in facts)) return { state: facts.state === 'pending' ? 'waiting' : 'unknown', found: 0 }
  if (facts.block.height > cursor.height) return { state: 'waiting', found: 0 }
  if (facts.state === 'failed') return { state: 'failed', found: 0 }
  const { transfers: ours, incoming, matches } = await concerningUs(ctx, session, facts.transfers)
  const isOfOutputs = adapter.psbts !== undefined && ours.length > 0
  const transfers = isOfOutputs ? await asInBlock(session, facts.block, { txId, matches }) : ours
  if (transfers.length > 0) await requireSameBranch(ctx, session, { adapter, cursor })
  const assets = await listAssets(ctx)
  const ask = { session, adapter, headHeight: cursor.height, assets }
  const checks = await checkTransfers(ctx, ask, incoming)
  const read = { block: facts.block, transfers }
  const found = await inTransaction(ctx, async (tx) => {
    const fresh = await creditReread(tx, session, { facts: [read], familyId: familyIdOf(session), assets, checks })
    await onFound(tx, read, fresh)
    return fresh
  })
  return { state: 'read', found }
}

/** Performs the rescan of one transaction and ends it, unless the transaction must still be waited for. */
export async function rescanTransactionOf(ctx: Context, rescan: Rescan, signal: AbortSignal): Promise<void> {
  const session = await openSession(ctx, rescan.blockchainId, signal)
  if (!session) return failRescan(ctx, rescan.id, 'There is no node to read it with.')
  const { state } = await rereadTransaction(ctx, session, rescan.txId ?? '', async (tx, { block }, found) => {
    await updateRescanBlock(tx, rescan.id, { height: block.height, found })
    if (found > 0) await raiseMissed(tx, session, { found, from: block.height, to: block.height, rescan })
    await finishRescan(tx, rescan.id, null)
  })
  if (state === 'failed') await failRescan(ctx, rescan.id, 'The transaction failed on the chain and moved nothing.')
  if (state === 'unknown') await failRescan(ctx, rescan.id, 'The node does not know this transaction.')
  if (state === 'waiting' && isOld(ctx, rescan)) await failRescan(ctx, rescan.id, 'The transaction was not mined.')
}

/**
 * Reads the transaction out of its block, on chains of outputs: only a whole block proves that it holds a transaction and shows
 * what leaves our outputs, because a transaction does not state the amounts it spends.
 * @throws RetryableRpcError when the block does not hold it
 */
async function asInBlock(
  session: ChainSession,
  { height, hash }: BlockRef,
  { txId, matches }: { readonly txId: string; readonly matches: (key: Uint8Array) => boolean },
): Promise<readonly Transfer[]> {
  const filter = { assets: new Set(session.chain.assets.map(({ id }) => id)), matches }
  const reader = adapterOf(session.chain.blockchain.family)?.reader
  const [read] = (await reader?.blocks(session, { from: height, to: height }, filter)) ?? []
  const found = read?.block.hash === hash ? read.transfers.filter((transfer) => transfer.txId === txId) : []
  if (found.length > 0) return found
  throw new RetryableRpcError('inconsistent', `${session.node.label} has no ${txId} in the block that it names`)
}

/** Filters transfers as the follower does: those that touch an address of ours, and among them those from strangers. */
async function concerningUs(
  ctx: Context,
  session: ChainSession,
  transfers: readonly Transfer[],
): Promise<{
  readonly transfers: readonly Transfer[]
  readonly incoming: readonly Transfer[]
  readonly matches: (key: Uint8Array) => boolean
}> {
  const { chain } = session
  const codec = adapterOf(chain.blockchain.family)?.addresses
  if (!codec) return { transfers: [], incoming: [], matches: () => false }
  const named = new Set(transfers.flatMap(({ senders, to }) => [...senders, to]))
  const keys = [...named].map((address) => Buffer.from(codec.key(chain, address)))
  const deposits = await addressesByKeys(ctx, familyIdOf(session), keys)
  const own = await ownAddressesByKeys(ctx, chain.blockchain.id, keys)
  const ours = new Set([...deposits, ...own].map(({ key }) => key.toString('hex')))
  const matches = (key: Uint8Array) => ours.has(Buffer.from(key).toString('hex'))
  const isOurs = (address: string) => matches(codec.key(chain, address))
  return {
    transfers: transfers.filter(({ senders, to }) => isOurs(to) || senders.some(isOurs)),
    incoming: fromStrangers(chain, matches, transfers),
    matches,
  }
}

function familyIdOf({ chain }: ChainSession): number {
  return findFamily(chain.blockchain.family)?.id ?? 0
}
