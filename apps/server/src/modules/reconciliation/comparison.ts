import type { BalanceReader, ChainAdapter, ChainReader, ChainSession } from '@kassa/chains/adapter.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import type { Context } from '../../context.ts'
import { adapterOf, type Asset, type BlockchainRow } from '../blockchains/chains/service.ts'
import { openSession } from '../blockchains/nodes/service.ts'
import { readHeight } from '../watch/blocks/service.ts'
import {
  type Expected,
  expectOfDeposits,
  expectOfWallets,
  type ExpectedPage,
  listBrought,
  type Place,
  type Scope,
} from './facts-store.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'

/** A blockchain whose addresses are compared with the ledger, and the node to read. */
export type Comparison = {
  readonly row: BlockchainRow
  readonly session: ChainSession
  readonly reader: Pick<ChainReader, 'blocks' | 'heads'>
  /** How its nodes read balances: at old blocks, or only as of now. */
  readonly source: { readonly balances: BalanceReader } | { readonly heldNow: HeldNow }
  readonly assets: readonly Asset[]
}

/** Reads units in the order given, as of the newest block whose balances a node knows. */
type HeldNow = (session: ChainSession, asks: readonly Ask[]) => Promise<bigint[]>

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
 * @throws the node's failure, or an Error when balances of its family cannot be read
 */
export async function openComparison(
  ctx: Context,
  row: BlockchainRow,
  assets: readonly Asset[],
): Promise<Comparison | null> {
  const adapter = adapterOf(row.definition.family)
  const source = adapter && sourceOf(ctx, adapter)
  if (!adapter || !source) throw new Error(`Kassa cannot read balances of ${row.name}.`)
  const session = await openSession(ctx, row.id, AbortSignal.timeout(TIMEOUT_MS), 'audit')
  const own = assets.filter(({ blockchainId }) => blockchainId === row.id)
  return session && { row, session, reader: adapter.reader, source, assets: own }
}

function sourceOf(ctx: Context, { balances, holdings, psbts }: ChainAdapter): Comparison['source'] | null {
  if (balances) return { balances }
  if (holdings) return { heldNow: (session, asks) => holdings.read(session, asks) }
  return psbts ? { heldNow: (session, asks) => readUnspent(ctx, psbts, session, asks) } : null
}

/** A page of addresses of customers, or of wallets: of those that come after an id. */
export type PageOf = Scope & { readonly kind: 'deposits' | 'wallets' }

/**
 * Compares addresses with what our rows say they hold, page by page (money.md 4.6): addresses of customers at the newest block
 * that was read, all of them or only those with an open discrepancy; then those of hot and cold wallets at a deeper block.
 * Where nodes read only current balances, cold wallets are left out. Yields nothing before the first block.
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
  const { session, source } = comparison
  for (let attempt = 1; ; attempt += 1) {
    try {
      return 'balances' in source
        ? await compareAtBlock(ctx, comparison, source.balances, scope)
        : await compareNow(ctx, comparison, source.heldNow, scope)
    } catch (error) {
      if (attempt === ATTEMPTS || session.signal.aborted) throw error
    }
  }
}

async function compareAtBlock(
  ctx: Context,
  comparison: Comparison,
  balances: BalanceReader,
  scope: PageOf,
): Promise<ComparedPage | undefined> {
  const page = await expect(ctx, comparison, scope)
  if (!page) return undefined
  const asks = asksOf(comparison, page)
  const facts = await balances.read(comparison.session, asks, page.block)
  return pageOf(
    page,
    asks,
    facts.map(({ units }) => units),
  )
}

/**
 * Compares with current balances, which a node reads at an unknown block between the head before and the head after. It waits
 * until our rows reach each of these heads; an address whose rows differ between the two is left out.
 */
async function compareNow(
  ctx: Context,
  comparison: Comparison,
  heldNow: HeldNow,
  scope: PageOf,
): Promise<ComparedPage | undefined> {
  if ((await readHeight(ctx, comparison.row.id)) === null) return undefined
  const page = await expect(ctx, comparison, { ...scope, upTo: await readUpToHead(ctx, comparison) })
  if (!page) return undefined
  // No row of ours states what the owner of a cold wallet pays for their own transfers.
  const asks = asksOf(comparison, page).filter(({ place }) => place.role !== 'cold')
  const held = asks.length === 0 ? [] : await heldNow(comparison.session, asks)
  const after = await expect(ctx, comparison, { ...scope, upTo: await readUpToHead(ctx, comparison) })
  const last = new Map(after && asksOf(comparison, after).map((ask) => [keyOf(ask), ask]))
  const known = asks.flatMap((ask, at) => {
    const later = last.get(keyOf(ask))
    const units = held[at]
    // An address that is not on the later page was displaced by a new one: its rows at that time are unknown.
    if (later?.booked !== ask.booked || units === undefined) return []
    // Uses `later`, because its pending sends may be part of what was read.
    return [{ ask: later, units }]
  })
  return pageOf(
    page,
    known.map(({ ask }) => ask),
    known.map(({ units }) => units),
  )
}

const keyOf = ({ place, assetId }: Ask) => `${place.role}:${place.addressId ?? place.ownAddressId}:${assetId}`

/** The watcher reads a new block within seconds. */
const READ_WITHIN_MS = 60_000
const ASK_AGAIN_MS = 250

/**
 * Returns the height of the newest block whose balances a node knows, once our rows reach it. @throws Error when they do not in
 * time
 */
async function readUpToHead(ctx: Context, { row, session, reader }: Comparison): Promise<number> {
  const { latest, finalized } = await reader.heads(session)
  const { height } = finalized ?? latest
  for (let waited = 0; ((await readHeight(ctx, row.id)) ?? -1) < height; waited += ASK_AGAIN_MS) {
    if (waited >= READ_WITHIN_MS) throw new Error(`The blocks of ${row.name} up to ${height} are not read yet.`)
    await ctx.sleep(ASK_AGAIN_MS, session.signal)
  }
  return height
}

type Ask = ReturnType<typeof askOf>

function asksOf({ assets }: Comparison, page: ExpectedPage): Ask[] {
  return page.expected.flatMap((one) => assets.map(({ id }) => askOf(one, id)))
}

function pageOf({ block, lastId }: ExpectedPage, asks: readonly Ask[], units: readonly bigint[]): ComparedPage {
  const balances = asks.flatMap(({ place, assetId, booked, pending }, at) => {
    const held = units[at]
    return held === undefined ? [] : [{ place, assetId, booked, held: ourShare(place, { booked, held, pending }) }]
  })
  return { height: block.height, balances, lastId }
}

function expect(
  ctx: Context,
  { row: { id: blockchainId, definition }, assets }: Comparison,
  { kind, ...scope }: PageOf & { readonly upTo?: number },
): Promise<ExpectedPage | undefined> {
  const assetIds = assets.map(({ id }) => id)
  const chain = { blockchainId, familyId: findFamily(definition.family)?.id ?? 0, assetIds }
  if (kind === 'deposits') return expectOfDeposits(ctx, chain, scope)
  return expectOfWallets(ctx, chain, { ...scope, depth: confirmationsIn(ctx.config.network, definition).minimum })
}

function askOf({ place, address, units, pending }: Expected, assetId: number) {
  return { assetId, address, place, booked: units.get(assetId) ?? 0n, pending: pending.get(assetId) ?? 0n }
}

/**
 * How much of a balance counts in the comparison. What else an owner has on a cold wallet is not our concern: there, only less
 * than expected is a difference. It is not one while sends whose block was not read yet may explain it.
 */
function ourShare(
  { role }: Place,
  { booked, held, pending }: { readonly booked: bigint; readonly held: bigint; readonly pending: bigint },
): bigint {
  const isExcess = role === 'cold' && held > booked
  const isPending = held < booked && booked - held <= pending
  return isExcess || isPending ? booked : held
}

/**
 * Adds up the unspent outputs of customers' addresses, in the order given (decision 0049). It does not ask about an emptied
 * address, because all of its outputs are spent. A payment that no row of ours knows is found only by reading its block again.
 * @throws the node's failure
 */
async function readUnspent(
  ctx: Context,
  psbts: NonNullable<ChainAdapter['psbts']>,
  session: ChainSession,
  asks: readonly Ask[],
): Promise<bigint[]> {
  const holding = asks.filter(({ booked }) => booked > 0n)
  const addressIds = holding.flatMap(({ place }) => place.addressId ?? [])
  const brought = await listBrought(ctx, { addressIds, assetIds: holding.map(({ assetId }) => assetId) })
  // Several senders may share one output of ours: each of them is a transfer of its own.
  const outputs = Map.groupBy(brought, ({ tx_id, leg }) => `${tx_id} ${psbts.outputOf(leg)}`)
  const known = [...outputs.values()].flatMap(([first, ...others]) => {
    const vout = first ? psbts.outputOf(first.leg) : null
    if (!first || vout === null) return []
    const units = [first, ...others].reduce((sum, one) => sum + BigInt(one.units), 0n)
    return [{ txId: first.tx_id, vout, units, name: `${first.address_id}:${first.asset_id}` }]
  })
  const unspent = await psbts.unspent(session, known)
  const held = new Map<string, bigint>()
  for (const [at, { name, units }] of known.entries()) {
    if (unspent[at] === true) held.set(name, (held.get(name) ?? 0n) + units)
  }
  return asks.map(({ place, assetId }) => held.get(`${place.addressId}:${assetId}`) ?? 0n)
}
