import type { BalanceReader, ChainReader, ChainSession } from '@kassa/chains/adapter.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import type { Context } from '../../context.ts'
import { adapterOf, type Asset, type BlockchainRow } from '../blockchains/chains/service.ts'
import { openSession } from '../blockchains/nodes/service.ts'
import { type Booked, listBooked, type Scope } from './discrepancy-store.ts'

/** A blockchain whose addresses are compared with the ledger, and the node to read them from. */
export type Comparison = {
  readonly row: BlockchainRow
  readonly session: ChainSession
  readonly reader: Pick<ChainReader, 'blocks'>
  readonly balances: BalanceReader
  readonly assets: readonly Asset[]
}

/** What an address holds of an asset, by the ledger and by the chain. */
export type ComparedBalance = {
  readonly addressId: bigint
  readonly assetId: number
  readonly booked: bigint
  readonly held: bigint
}

/** Addresses compared at one block, every asset of each. */
export type ComparedPage = {
  readonly height: number
  readonly balances: readonly ComparedBalance[]
  /** The last address of the page; null when there was none left. */
  readonly lastId: bigint | null
}

/** Addresses read in one request. */
const PAGE = 100

/** A comparison that takes longer ends with an error. */
const TIMEOUT_MS = 45 * 60_000

/** A block was replaced while its balances were read: the page starts again at the next one. */
const ATTEMPTS = 3

/**
 * Opens a blockchain for a comparison with these of its assets; null when it has no node.
 * @throws the node's failure, or an Error when nobody can read balances of its family
 */
export async function openComparison(
  ctx: Context,
  row: BlockchainRow,
  assets: readonly Asset[],
): Promise<Comparison | null> {
  const adapter = adapterOf(row.definition.family)
  if (!adapter?.balances) throw new Error(`Kassa cannot read balances of ${row.name}.`)
  const session = await openSession(ctx, row.id, AbortSignal.timeout(TIMEOUT_MS), 'audit')
  const own = assets.filter(({ blockchainId }) => blockchainId === row.id)
  const { reader, balances } = adapter
  return session && { row, session, reader, balances, assets: own }
}

/**
 * Compares addresses of customers with the ledger, page by page, each at the newest credited block (money.md 4.6): all of
 * them, or those with an open discrepancy. Yields nothing before the first block.
 * @throws the node's failure
 */
export async function* comparePages(
  ctx: Context,
  comparison: Comparison,
  only: Scope['only'],
): AsyncGenerator<ComparedPage, void> {
  let page = await comparePage(ctx, comparison, { only, afterId: 0n, limit: PAGE })
  while (page) {
    yield page
    if (page.lastId === null) return
    page = await comparePage(ctx, comparison, { only, afterId: page.lastId, limit: PAGE })
  }
}

/** Compares one page; undefined before the first block. @throws the node's failure */
export async function comparePage(
  ctx: Context,
  { row, session, balances, assets }: Comparison,
  scope: Scope,
): Promise<ComparedPage | undefined> {
  const assetIds = assets.map(({ id }) => id)
  const place = { blockchainId: row.id, familyId: findFamily(row.definition.family)?.id ?? 0, assetIds }
  for (let attempt = 1; ; attempt += 1) {
    const page = await listBooked(ctx, place, scope)
    if (!page) return undefined
    const asks = page.booked.flatMap((one) => assetIds.map((assetId) => askOf(one, assetId)))
    try {
      const facts = await balances.read(session, asks, page.block)
      const compared = asks.flatMap(({ addressId, assetId, booked }, at) => {
        const held = facts[at]?.units
        return held === undefined ? [] : [{ addressId, assetId, booked, held }]
      })
      return { height: page.block.height, balances: compared, lastId: page.booked.at(-1)?.id ?? null }
    } catch (error) {
      if (attempt === ATTEMPTS || session.signal.aborted) throw error
    }
  }
}

function askOf({ id, address, units }: Booked, assetId: number) {
  return { assetId, address, addressId: id, booked: units.get(assetId) ?? 0n }
}
