import type { BalanceReader, ChainReader, ChainSession } from '@kassa/chains/adapter.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import type { Context } from '../../context.ts'
import { adapterOf, type Asset, type BlockchainRow } from '../blockchains/chains/service.ts'
import { openSession } from '../blockchains/nodes/service.ts'
import {
  type Expected,
  expectOfDeposits,
  expectOfWallets,
  type ExpectedPage,
  type Place,
  type Scope,
} from './facts-store.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'

/** A blockchain whose addresses are compared with the ledger, and the node to read them from. */
export type Comparison = {
  readonly row: BlockchainRow
  readonly session: ChainSession
  readonly reader: Pick<ChainReader, 'blocks'>
  readonly balances: BalanceReader
  readonly assets: readonly Asset[]
}

/** What an address holds of an asset, by our rows and by the chain. */
export type ComparedBalance = {
  readonly place: Place
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

/** A page of addresses of customers, or of wallets: of those that come after an id. */
export type PageOf = Scope & { readonly kind: 'deposits' | 'wallets' }

/**
 * Compares addresses with what our rows say that they hold, page by page (money.md 4.6): those of customers, each page at the
 * newest block that was read, all of them or those with something open; then those of hot and cold wallets, at a deeper
 * block. Yields nothing before the first block.
 * @throws the node's failure
 */
export async function* comparePages(
  ctx: Context,
  comparison: Comparison,
  only: Scope['only'],
): AsyncGenerator<ComparedPage, void> {
  for (const kind of ['deposits', 'wallets'] as const) {
    let page = await comparePage(ctx, comparison, { kind, only, afterId: 0n, limit: PAGE })
    while (page) {
      yield page
      if (page.lastId === null) break
      page = await comparePage(ctx, comparison, { kind, only, afterId: page.lastId, limit: PAGE })
    }
  }
}

/** Compares one page; undefined before the first block. @throws the node's failure */
export async function comparePage(
  ctx: Context,
  comparison: Comparison,
  scope: PageOf,
): Promise<ComparedPage | undefined> {
  const { row, session, balances, assets } = comparison
  const assetIds = assets.map(({ id }) => id)
  for (let attempt = 1; ; attempt += 1) {
    const page = await expect(ctx, row, assetIds, scope)
    if (!page) return undefined
    const asks = page.expected.flatMap((one) => assetIds.map((assetId) => askOf(one, assetId)))
    try {
      const facts = await balances.read(session, asks, page.block)
      const compared = asks.flatMap(({ place, assetId, booked, pending }, at) => {
        const held = facts[at]?.units
        return held === undefined ? [] : [{ place, assetId, booked, held: ourShare(place, { booked, held, pending }) }]
      })
      return { height: page.block.height, balances: compared, lastId: page.lastId }
    } catch (error) {
      if (attempt === ATTEMPTS || session.signal.aborted) throw error
    }
  }
}

function expect(
  ctx: Context,
  { id: blockchainId, definition }: BlockchainRow,
  assetIds: readonly number[],
  { kind, ...scope }: PageOf,
): Promise<ExpectedPage | undefined> {
  const chain = { blockchainId, familyId: findFamily(definition.family)?.id ?? 0, assetIds }
  if (kind === 'deposits') return expectOfDeposits(ctx, chain, scope)
  return expectOfWallets(ctx, chain, { ...scope, depth: confirmationsIn(ctx.config.network, definition).minimum })
}

function askOf({ place, address, units, pending }: Expected, assetId: number) {
  return { assetId, address, place, booked: units.get(assetId) ?? 0n, pending: pending.get(assetId) ?? 0n }
}

/**
 * What counts of a balance. What else its owner has on a cold wallet is none of our business: there only less than expected is a
 * difference. Less by what sends may have cost that nobody has seen in a block is none yet.
 */
function ourShare(
  { role }: Place,
  { booked, held, pending }: { readonly booked: bigint; readonly held: bigint; readonly pending: bigint },
): bigint {
  const isExcess = role === 'cold' && held > booked
  const isPending = held < booked && booked - held <= pending
  return isExcess || isPending ? booked : held
}
