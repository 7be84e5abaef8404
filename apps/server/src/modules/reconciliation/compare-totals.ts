import type { BalanceAsk, ChainSession, ChainReader } from '@kassa/chains/adapter.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import type { Context } from '../../context.ts'
import { adapterOf, type Asset, type BlockchainRow } from '../blockchains/chains/service.ts'
import { openChain } from '../blockchains/nodes/service.ts'
import type { Drift } from './report.ts'
import { findHoldings, type Holdings, listAssignedAddresses } from './check-store.ts'

/** Addresses asked for at once. */
const PAGE = 500

/** A block that is replaced while its balances are read: the comparison starts again at the next one. */
const ATTEMPTS = 3

/**
 * Compares what the ledger holds on a blockchain with the balances of every address given to a customer, both at the
 * newest block that was taken in (money.md 4.6). Undefined before the first block.
 * @throws what the node failed with, or an Error when the blockchain has no node
 */
export async function compareWithChain(
  ctx: Context,
  row: BlockchainRow,
  assets: readonly Asset[],
): Promise<Drift[] | undefined> {
  const adapter = adapterOf(row.definition.family)
  const chain = await openChain(ctx, row.id)
  if (!adapter || !chain) throw new Error('It has no node.')
  for (let attempt = 1; ; attempt += 1) {
    const holdings = await findHoldings(ctx, row.id)
    if (!holdings) return undefined
    try {
      return await compareAt(ctx, adapter.reader, chain, holdings, assets)
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
}

async function compareAt(
  ctx: Context,
  reader: ChainReader,
  chain: ChainSession,
  { block, units }: Holdings,
  assets: readonly Asset[],
): Promise<Drift[]> {
  const found = new Map<number, bigint>(assets.map(({ id }) => [id, 0n]))
  const familyId = findFamily(chain.chain.blockchain.family)?.id ?? 0
  for (let afterId = 0n; ;) {
    const addresses = await listAssignedAddresses(ctx, familyId, afterId, PAGE)
    const last = addresses.at(-1)
    if (!last) break
    const asks = assets.flatMap(({ id }): BalanceAsk[] => addresses.map(({ address }) => ({ assetId: id, address })))
    for (const fact of await reader.balances(chain, asks, block)) {
      found.set(fact.assetId, (found.get(fact.assetId) ?? 0n) + fact.units)
    }
    afterId = last.id
  }
  return assets.map((asset) => ({
    asset,
    height: block.height,
    ledger: units.get(asset.id) ?? 0n,
    chain: found.get(asset.id) ?? 0n,
  }))
}
