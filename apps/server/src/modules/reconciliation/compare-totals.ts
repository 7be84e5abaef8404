import type { BalanceAsk, BalanceReader, ChainSession } from '@kassa/chains/adapter.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import type { Context } from '../../context.ts'
import { adapterOf, type Asset, type BlockchainRow } from '../blockchains/chains/service.ts'
import { openSession } from '../blockchains/nodes/service.ts'
import type { Drift } from './report.ts'
import { findHoldings, type Holdings, listAssignedAddresses } from './check-store.ts'

/** Addresses read in one request. */
const PAGE = 500

/** A block was replaced while its balances were read: the comparison starts again at the next one. */
const ATTEMPTS = 3

/**
 * Compares what the ledger holds on a blockchain with the balances of every address assigned to a customer, both at the
 * newest credited block (money.md 4.6). Undefined before the first block.
 * @throws the node's failure, or an Error when the blockchain has no node or no balances that can be read
 */
export async function compareWithChain(
  ctx: Context,
  row: BlockchainRow,
  assets: readonly Asset[],
): Promise<Drift[] | undefined> {
  const adapter = adapterOf(row.definition.family)
  if (!adapter?.balances) throw new Error('Kassa cannot read balances of this blockchain.')
  const session = await openSession(ctx, row.id)
  if (!session) throw new Error('It has no node.')
  for (let attempt = 1; ; attempt += 1) {
    const holdings = await findHoldings(ctx, row.id)
    if (!holdings) return undefined
    try {
      return await compareAt(ctx, adapter.balances, session, holdings, assets)
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
}

async function compareAt(
  ctx: Context,
  balances: BalanceReader,
  session: ChainSession,
  { block, units }: Holdings,
  assets: readonly Asset[],
): Promise<Drift[]> {
  const found = new Map<number, bigint>(assets.map(({ id }) => [id, 0n]))
  const familyId = findFamily(session.chain.blockchain.family)?.id ?? 0
  for (let afterId = 0n; ;) {
    const addresses = await listAssignedAddresses(ctx, familyId, afterId, PAGE)
    const last = addresses.at(-1)
    if (!last) break
    const asks = assets.flatMap(({ id }): BalanceAsk[] => addresses.map(({ address }) => ({ assetId: id, address })))
    for (const fact of await balances.read(session, asks, block)) {
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
