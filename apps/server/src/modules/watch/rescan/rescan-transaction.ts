import type { ChainSession, Transfer } from '@kassa/chains/adapter.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'
import { openSession } from '../../blockchains/nodes/service.ts'
import { addressesByKeys } from '../../wallets/service.ts'
import { checkTransfers } from '../verification/transfer-checks.ts'
import { requireSameBranch } from '../blocks/finality.ts'
import { raiseMissed } from './missed-alarm.ts'
import { isOld } from './rules.ts'
import { failRescan, finishRescan, type Rescan, updateRescanBlock } from './store.ts'
import { findCursor } from '../blocks/cursor-store.ts'
import { type FoundBlock, creditReread } from './credit-reread.ts'

/** What became of a transaction that was read again: `waiting` is not mined, or not where the reader has been yet. */
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
  const transfers = await toOurs(ctx, session, facts.transfers)
  if (transfers.length > 0) await requireSameBranch(ctx, session, { adapter, cursor })
  const ask = { session, adapter, headHeight: cursor.height }
  const checks = await checkTransfers(ctx, ask, transfers)
  const read = { block: facts.block, transfers }
  const found = await inTransaction(ctx, async (tx) => {
    const fresh = await creditReread(tx, session, { facts: [read], familyId: familyIdOf(session), checks })
    await onFound(tx, read, fresh)
    return fresh
  })
  return { state: 'read', found }
}

/** Does the rescan of one transaction and ends it; a transaction that must still be waited for leaves it open. */
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

/** As the reader sees it: what comes to an address of ours from elsewhere. */
async function toOurs(ctx: Context, session: ChainSession, transfers: readonly Transfer[]): Promise<Transfer[]> {
  const codec = adapterOf(session.chain.blockchain.family)?.addresses
  if (!codec) return []
  const keyOf = (address: string) => Buffer.from(codec.key(session.chain, address))
  const named = transfers.flatMap(({ senders, to }) => [...senders, to])
  const rows = await addressesByKeys(ctx, familyIdOf(session), [...new Set(named)].map(keyOf))
  const ours = new Set(rows.map(({ key }) => key.toString('hex')))
  const isOurs = (address: string) => ours.has(keyOf(address).toString('hex'))
  return transfers.filter(({ senders, to }) => isOurs(to) && !senders.some(isOurs))
}

function familyIdOf({ chain }: ChainSession): number {
  return findFamily(chain.blockchain.family)?.id ?? 0
}
