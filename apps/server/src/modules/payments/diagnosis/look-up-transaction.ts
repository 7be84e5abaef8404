import type { Chain, ChainSession, TxFacts } from '@kassa/chains/adapter.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type { Context } from '../../../context.ts'
import { adapterOf, type Asset, type BlockchainRow } from '../../blockchains/chains/service.ts'
import { openSession } from '../../blockchains/nodes/service.ts'
import { ownAddressesByKeys } from '../../wallets/own-addresses/service.ts'
import { addressesByKeys } from '../../wallets/service.ts'
import { isReplaced } from '../sightings/store.ts'
import type { Sighting } from './rules.ts'

/** People wait for the answer: a node that takes longer counts as one that does not answer. */
const TIMEOUT_MS = 8000

/** A transaction id, with a blockchain that may have it. */
export type ChainTransaction = { readonly blockchain: BlockchainRow; readonly txId: string }

export type PaidAddress = { readonly chain: Chain; readonly address: string }

export type Seen = { readonly sighting: Sighting; readonly paid: readonly PaidAddress[] }

/**
 * Asks a node of every blockchain at once what it knows of a transaction. Blockchains without a node are left out, unless no
 * other was to be asked: then it stays unknown whether the transaction exists.
 */
export async function lookUp(
  ctx: Context,
  wanted: readonly ChainTransaction[],
  assets: ReadonlyMap<number, Asset>,
): Promise<Seen[]> {
  const seen = (await Promise.all(wanted.map((one) => lookUpOn(ctx, one, assets)))).filter((one) => one !== null)
  const [only] = wanted
  const isUnasked = seen.length === 0 && wanted.length === 1 && only?.blockchain.status === 'active'
  return isUnasked ? [silentOn(only.blockchain)] : seen
}

async function lookUpOn(
  ctx: Context,
  { blockchain, txId }: ChainTransaction,
  assets: ReadonlyMap<number, Asset>,
): Promise<Seen | null> {
  const reader = adapterOf(blockchain.definition.family)?.reader
  if (!reader) return null
  try {
    // Anybody may ask, so the remaining daily calls of a node are reserved for reading new blocks.
    const opened = await openSession(ctx, blockchain.id, AbortSignal.timeout(TIMEOUT_MS), 'audit')
    if (!opened) return null
    const answer = await reader.transaction(opened, txId)
    const facts = await fromStrangers(ctx, opened, await withReplaced(ctx, blockchain, txId, answer))
    return { sighting: { ...aroundOf(blockchain), ...sightingOf(facts, assets) }, paid: paidIn(opened, facts) }
  } catch (error) {
    ctx.log.info({ err: error, blockchain: blockchain.code, txId }, 'a transaction could not be looked up')
    return silentOn(blockchain)
  }
}

/** No node remembers what was replaced in its mempool, but our sightings do when the watcher has read both transactions. */
async function withReplaced(ctx: Context, { id }: BlockchainRow, txId: string, facts: TxFacts): Promise<TxFacts> {
  return facts.state === 'unknown' && (await isReplaced(ctx, id, txId)) ? { state: 'replaced' } : facts
}

function silentOn(blockchain: BlockchainRow): Seen {
  const nothing = { state: 'silent', height: null, transfers: [], foreign: [] } as const
  return { sighting: { ...aroundOf(blockchain), ...nothing }, paid: [] }
}

function aroundOf({ code, status, cursor, minConfirmations }: BlockchainRow) {
  const readTo = status === 'active' ? (cursor?.height ?? null) : null
  return { blockchainCode: code, readTo, confirmationsRequired: minConfirmations }
}

/** Removes what one of our own addresses sent, because that is no payment (money.md W-12). */
async function fromStrangers(ctx: Context, { chain }: ChainSession, facts: TxFacts): Promise<TxFacts> {
  const codec = adapterOf(chain.blockchain.family)?.addresses
  if (facts.state !== 'included' || !codec) return facts
  const keyOf = (address: string) => Buffer.from(codec.key(chain, address))
  const keys = [...new Set(facts.transfers.flatMap(({ senders }) => senders))].map(keyOf)
  const deposits = await addressesByKeys(ctx, findFamily(chain.blockchain.family)?.id ?? 0, keys)
  const own = await ownAddressesByKeys(ctx, chain.blockchain.id, keys)
  const ours = new Set([...deposits, ...own].map(({ key }) => key.toString('hex')))
  const isOurs = (address: string) => ours.has(keyOf(address).toString('hex'))
  return { ...facts, transfers: facts.transfers.filter(({ senders }) => !senders.some(isOurs)) }
}

function sightingOf(
  facts: TxFacts,
  assets: ReadonlyMap<number, Asset>,
): Pick<Sighting, 'state' | 'height' | 'transfers' | 'foreign'> {
  const height = 'block' in facts ? facts.block.height : null
  if (facts.state !== 'included') return { state: facts.state, height, transfers: [], foreign: [] }
  const transfers = facts.transfers.flatMap(({ assetId, units, to }) => {
    const asset = assets.get(assetId)
    if (!asset) return []
    const { currencyCode, blockchainCode, decimals } = asset
    return [{ currencyCode, blockchainCode, amount: formatUnits(units, decimals), paidTo: to }]
  })
  return { state: 'included', height, transfers, foreign: facts.unlisted ?? [] }
}

function paidIn({ chain }: ChainSession, facts: TxFacts): PaidAddress[] {
  if (facts.state !== 'included') return []
  const receivers = [...facts.transfers, ...(facts.unlisted ?? [])].map(({ to }) => to)
  return [...new Set(receivers)].map((address) => ({ chain, address }))
}
