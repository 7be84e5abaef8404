import type { Chain, ChainSession, TxFacts } from '@kassa/chains/adapter.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type { Context } from '../../../context.ts'
import { adapterOf, type Asset, type BlockchainRow } from '../../blockchains/chains/service.ts'
import { openChain } from '../../blockchains/nodes/service.ts'
import type { Sighting } from './rules.ts'

/** People wait for the answer: a node that takes longer counts as one that does not answer. */
const PATIENCE_MS = 8000

/** A transaction to look for, on a blockchain that can have it. */
export type Wanted = { readonly blockchain: BlockchainRow; readonly txId: string }

export type PaidAddress = { readonly chain: Chain; readonly address: string }

export type Seen = { readonly sighting: Sighting; readonly paid: readonly PaidAddress[] }

/** Asks a node of every blockchain at once what it knows of a transaction; those without a node are left out. */
export async function lookUp(
  ctx: Context,
  wanted: readonly Wanted[],
  assets: ReadonlyMap<number, Asset>,
): Promise<Seen[]> {
  const seen = await Promise.all(wanted.map((one) => lookOn(ctx, one, assets)))
  return seen.filter((one) => one !== null)
}

async function lookOn(
  ctx: Context,
  { blockchain, txId }: Wanted,
  assets: ReadonlyMap<number, Asset>,
): Promise<Seen | null> {
  const reader = adapterOf(blockchain.definition.family)?.reader
  if (!reader) return null
  const around = {
    blockchainCode: blockchain.code,
    readTo: blockchain.status === 'active' ? (blockchain.cursor?.height ?? null) : null,
    confirmationsRequired: blockchain.minConfirmations,
  }
  try {
    // Strangers may ask: what a node has left for today is kept for the head.
    const opened = await openChain(ctx, blockchain.id, AbortSignal.timeout(PATIENCE_MS), 'audit')
    if (!opened) return null
    const facts = await reader.transaction(opened, txId)
    return { sighting: { ...around, ...sightingOf(facts, assets) }, paid: paidIn(opened, facts) }
  } catch (error) {
    ctx.log.info({ err: error, blockchain: blockchain.code, txId }, 'a transaction could not be looked up')
    return { sighting: { ...around, state: 'silent', height: null, transfers: [], foreign: [] }, paid: [] }
  }
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
