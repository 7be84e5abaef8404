import type { ChainAdapter, ChainSession, MempoolReader, TxId, WaitingTransaction } from '@kassa/chains/adapter.ts'

import { isSilence } from '@kassa/chains/errors.ts'

import type { Context } from '../../../context.ts'
import { type ContinueOnError, continueOnError } from '../../../jobs/continue-on-error.ts'
import { adapterOf, listAssets } from '../../blockchains/chains/service.ts'
import {
  endSightings,
  type SightedTransfer,
  recordSightings,
  waitingTransactions,
} from '../../payments/crediting/service.ts'
import { addressesByKeys } from '../../wallets/service.ts'
import { readHeight } from '../blocks/service.ts'
import type { KnownAddresses } from './known-addresses.ts'

/** What one pass over the mempool passes on to the next. */
export type MempoolMemory = {
  /** Transactions that were read and still wait. */
  read: Set<TxId>
  /** By the coins they spend: transactions whose transfers concern us. */
  readonly sighted: Map<string, TxId>
  /** Transactions that were recorded and are no longer listed. */
  readonly missing: Map<TxId, Missing>
}

type Missing = { readonly sinceMs: number; replacedBy: TxId | null }

/**
 * A transaction that nothing replaced counts as dropped only after this long: one node may drop what others keep, and within this
 * time another node is chosen when nodes change. An expired payment waits for it until then.
 */
const GONE_AFTER_MS = 10 * 60_000

/** Transactions read in one pass: a busy network adds some twenty between passes, and a full mempool is caught up with. */
const AT_ONCE = 500

/** Ids that are kept in memory, about 100 bytes each; a node's mempool holds fewer. */
const MOST_READ = 500_000

type Looking = {
  readonly adapter: Pick<ChainAdapter, 'reader' | 'mempool'>
  readonly known: KnownAddresses
  readonly assets: ReadonlySet<number>
  readonly memory: MempoolMemory
}

/** Remembers nothing yet. */
export function emptyMemory(): MempoolMemory {
  return { read: new Set(), sighted: new Map(), missing: new Map() }
}

/**
 * Reads the mempool once: records transfers to addresses of customers, and which of those recorded before were replaced or
 * dropped. Does nothing where the family has no mempool. A transaction that fails does not stop the others.
 */
export async function readMempool(ctx: Context, session: ChainSession, looking: Looking): Promise<void> {
  const { mempool, reader } = looking.adapter
  if (!mempool) return
  const waiting = new Set(await mempool.list(session))
  const pieces = continueOnError(ctx, isSilence)
  const { attempt } = pieces
  const { wanted, transactions } = await readNew({ ctx, session, mempool, attempt }, looking, waiting)
  const replaced = noteSpends(looking.memory, transactions, waiting)
  const { blockchain } = session.chain
  const failed = await record({ ctx, session, attempt }, await sightedIn(ctx, session, looking.known, transactions))
  // Marked as read only after it is stored, so that what failed is read again.
  for (const id of wanted) if (!failed.has(id)) looking.memory.read.add(id)
  const noted = [...(await waitingTransactions(ctx, blockchain.id, waiting))]
  const missing = noteMissing(looking.memory.missing, { noted, waiting, replaced, nowMs: ctx.now().getTime() })
  // A node without a transaction index does not know mined transactions, so blocks must have been read before one counts as
  // gone.
  const isRead = missing.length > 0 && !(await isBehind(ctx, session, reader))
  for (const [txId, { replacedBy, isOverdue }] of isRead ? missing : []) {
    await attempt({ blockchain: blockchain.code, tx: txId }, async () => {
      const { state } = await reader.transaction(session, txId)
      // What a block holds becomes a deposit when that block is read, or, after this long, never will.
      const isGone = state !== 'pending' && (isOverdue || state !== 'included')
      if (isGone) await endSightings(ctx, blockchain, [{ txId, replacedBy }])
    })
  }
  pieces.end()
}

type Pieces = { readonly ctx: Context; readonly session: ChainSession; readonly attempt: ContinueOnError['attempt'] }

/** Stores sightings, all at once or, when one cannot be stored, by transaction; returns the transactions that failed. */
async function record({ ctx, session, attempt }: Pieces, sighted: readonly SightedTransfer[]): Promise<Set<TxId>> {
  const failed = new Set<TxId>()
  const { blockchain } = session.chain
  const about = { blockchain: blockchain.code }
  if (await attempt(about, () => recordSightings(ctx, blockchain, sighted).then(() => true))) return failed
  for (const [txId, transfers] of Map.groupBy(sighted, ({ transfer }) => transfer.txId)) {
    const isStored = await attempt({ ...about, tx: txId }, () =>
      recordSightings(ctx, blockchain, transfers).then(() => true),
    )
    if (!isStored) failed.add(txId)
  }
  return failed
}

type Listed = {
  /** Transactions that wait by our rows. */
  readonly noted: readonly TxId[]
  /** What the node lists. */
  readonly waiting: ReadonlySet<TxId>
  readonly replaced: ReadonlyMap<TxId, TxId>
  readonly nowMs: number
}

/** Records which transactions are no longer listed; returns those that were replaced or are missing for long. */
export function noteMissing(
  missing: MempoolMemory['missing'],
  { noted, waiting, replaced, nowMs }: Listed,
): [TxId, { readonly replacedBy: TxId | null; readonly isOverdue: boolean }][] {
  const absent = new Set(noted.filter((txId) => !waiting.has(txId)))
  for (const txId of missing.keys()) if (!absent.has(txId)) missing.delete(txId)
  return [...absent].flatMap((txId) => {
    const one = missing.get(txId) ?? { sinceMs: nowMs, replacedBy: null }
    one.replacedBy = replaced.get(txId) ?? one.replacedBy
    missing.set(txId, one)
    const isOverdue = nowMs - one.sinceMs >= GONE_AFTER_MS
    return one.replacedBy !== null || isOverdue ? [[txId, { replacedBy: one.replacedBy, isOverdue }]] : []
  })
}

async function isBehind(ctx: Context, session: ChainSession, reader: Looking['adapter']['reader']): Promise<boolean> {
  const { latest } = await reader.heads(session)
  return latest.height > ((await readHeight(ctx, session.chain.blockchain.id)) ?? -1)
}

type Reading = Pieces & { readonly mempool: MempoolReader }

async function readNew(
  { ctx, session, mempool, attempt }: Reading,
  { known, assets, memory }: Looking,
  waiting: ReadonlySet<TxId>,
): Promise<Read> {
  memory.read = new Set([...memory.read].filter((id) => waiting.has(id)).slice(-MOST_READ))
  const atOnce = Math.min(AT_ONCE, (await mempool.atOnce?.(session)) ?? AT_ONCE)
  const wanted = [...waiting].filter((id) => !memory.read.has(id)).slice(0, atOnce)
  if (wanted.length === 0) return { wanted, transactions: [] }
  await known.load(ctx)
  const filter = { assets, matches: known.filter.has }
  return readApart(wanted, (txIds) => mempool.read(session, txIds, filter), attempt)
}

/** The most transactions that are found to be unreadable in one pass; the rest is for the next one. */
const MOST_UNREADABLE = 8

type Read = { readonly transactions: readonly WaitingTransaction[]; readonly wanted: readonly TxId[] }

/**
 * Reads transactions, and finds those that cannot be read by halves, so that one of them does not hide the others. It counts as
 * read, because its block credits it.
 */
async function readApart(
  txIds: readonly TxId[],
  read: (txIds: readonly TxId[]) => Promise<WaitingTransaction[]>,
  attempt: ContinueOnError['attempt'],
): Promise<Read> {
  const transactions: WaitingTransaction[] = []
  const wanted: TxId[] = []
  const pending: (readonly TxId[])[] = [txIds]
  for (let left = MOST_UNREADABLE; left > 0;) {
    const ids = pending.shift()
    if (ids === undefined) break
    const tx = ids.length === 1 ? String(ids[0]) : `one of ${ids.length}`
    const answer = await attempt({ tx }, () => read(ids))
    if (answer === null && ids.length > 1) {
      pending.push(ids.slice(0, ids.length / 2), ids.slice(ids.length / 2))
      continue
    }
    transactions.push(...(answer ?? []))
    wanted.push(...ids)
    if (answer === null) left -= 1
  }
  return { transactions, wanted }
}

/** Remembers what transactions that concern us spend; returns which of them were replaced, and by which. */
function noteSpends(
  { sighted }: MempoolMemory,
  transactions: readonly WaitingTransaction[],
  waiting: ReadonlySet<TxId>,
): ReadonlyMap<TxId, TxId> {
  const replaced = new Map<TxId, TxId>()
  for (const { txId, spends, transfers } of transactions) {
    for (const coin of spends) {
      const former = sighted.get(coin)
      if (former !== undefined && former !== txId && !waiting.has(former)) replaced.set(former, txId)
      if (transfers.length > 0) sighted.set(coin, txId)
    }
  }
  for (const [coin, txId] of sighted) if (!waiting.has(txId)) sighted.delete(coin)
  return replaced
}

/** The transfers from strangers to addresses of customers. */
async function sightedIn(
  ctx: Context,
  { chain }: ChainSession,
  { filter, familyId }: KnownAddresses,
  transactions: readonly WaitingTransaction[],
): Promise<SightedTransfer[]> {
  const codec = adapterOf(chain.blockchain.family)?.addresses
  if (!codec) return []
  const isOurs = (address: string) => filter.has(codec.key(chain, address))
  const transfers = transactions
    .flatMap((one) => one.transfers)
    .filter(({ to, senders }) => isOurs(to) && !senders.some(isOurs))
  if (transfers.length === 0) return []
  const keys = [...new Set(transfers.map(({ to }) => to))].map((to) => Buffer.from(codec.key(chain, to)))
  const addresses = await addressesByKeys(ctx, familyId, keys)
  const byText = new Map(addresses.map((address) => [codec.format(chain, address.key), address]))
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  return transfers.flatMap((transfer) => {
    const [address, asset] = [byText.get(transfer.to), assets.get(transfer.assetId)]
    if (!address || !asset || address.customerId === null || address.projectId === null) return []
    const { customerId, projectId } = address
    return [{ transfer, asset, address: { ...address, customerId, projectId } }]
  })
}
