/**
 * Planning: what a sweep of an asset would move now and what that would cost, by the ledger, current prices and a node; and why
 * everything else stays where it is (money.md 6.8). It changes nothing.
 */
import type { SweepCause } from '@kassa/contract/sweeps/reasons.ts'

import type { Context, ProjectScope } from '../../../context.ts'
import { adapterOf, type Asset } from '../../blockchains/chains/service.ts'
import { coinsOnAddresses } from '../../ledger/service.ts'
import { findHotWallet } from '../../wallets/hot/service.ts'
import { isForged } from '../../wallets/service.ts'
import { staleAddresses } from '../../sweep-permissions/service.ts'
import type { SweepMethod } from '../record/service.ts'
import { type ReadyPermission, readyPermissions, ridersOf } from './permissions.ts'
import { sessionOf } from './nodes.ts'
import { type AssetPlan, type Entry, leftOutOf, planMethod } from './plan-method.ts'
import { planOutputs } from './plan-outputs.ts'
import type { Candidate } from './rules.ts'
import { outputChainOf, type SweepChain, sourceOf, sweepChainOf } from './sources.ts'
import { type CandidateRow, isTraced, listCandidates } from './store.ts'

export { listWalletFacts, type WalletFacts } from './store.ts'
export { isNodesFault, sessionOf } from './nodes.ts'
export { authorizationsIn, readyPermissions, ridersOf } from './permissions.ts'
export { type AssetPlan, type Entry, itemOf, type LeftOut, type PlannedBatch } from './plan-method.ts'
export { callOf, gasPriceOf, type Place, quoteBatch, type Quoted } from './quote.ts'
export { type Candidate, nextSweepAt, triggerOf } from './rules.ts'
export { coldEndOf, outputChainOf, type Psbts, sourceOf, sourceOfSweep, sweepChainOf } from './sources.ts'
export { feeRateOf } from './plan-outputs.ts'
export { coinOf, gasPriceText, termsOf, triggersOf } from './terms.ts'

type Asked = {
  readonly asset: Asset
  readonly walletId: number | null
  /** Only these addresses; null for all. */
  readonly addressIds?: readonly number[] | null
  readonly projectIds: ProjectScope['projectIds']
  /** Whose wallet sends the transactions: the hot wallet, or the caller's own. */
  readonly sender: 'hot-wallet' | 'any-wallet'
  /** How many batches of each wallet a node is asked about; others get the price of their measured gas. */
  readonly mostBatches: number
}

/** Lists the assets that deposit addresses hold. Reads totals, because there are millions of addresses. */
export async function listHeldAssets(ctx: Context): Promise<number[]> {
  const coins = await coinsOnAddresses(ctx, 'every')
  return coins.filter(({ units }) => units > 0n).map(({ unit }) => unit.id)
}

/**
 * Plans sweeps of an asset, of one wallet or of every one. Asks nodes, so call it outside of transactions.
 * @throws FAMILY_UNSUPPORTED
 */
export async function planAsset(ctx: Context, asked: Asked): Promise<AssetPlan> {
  const { asset, walletId, addressIds = null, projectIds, mostBatches } = asked
  const outputs = await outputChainOf(ctx, asset)
  const chain = outputs ? null : await sweepChainOf(ctx, asset)
  const { id: assetId, blockchainId } = asset
  const rows = await listCandidates(ctx, { assetId, blockchainId, walletId, addressIds, projectIds })
  const plans: AssetPlan[] = []
  for (const [id, own] of Map.groupBy(rows, ({ wallet_id }) => wallet_id)) {
    const entries = own.map((row) => entryOf(row, null))
    const plan = async () => {
      if (outputs) return planOutputs(ctx, outputs, { asset, walletId: id, entries, mostBatches })
      return chain ? planWallet(ctx, { ...asked, chain, walletId: id, rows: own }) : NOTHING
    }
    plans.push(await plan().catch(withoutForged(id, entries)))
  }
  return { batches: plans.flatMap(({ batches }) => batches), leftOut: plans.flatMap(({ leftOut }) => leftOut) }
}

const NOTHING: AssetPlan = { batches: [], leftOut: [] }

const FORGED = 'what is stored of it was changed past Kassa: an alarm says what'

/** A wallet with a changed row does not stop the other wallets. */
function withoutForged(walletId: number, entries: readonly Entry[]) {
  return (error: unknown): AssetPlan => {
    if (!isForged(error)) throw error
    return leftOutOf(walletId, { code: 'WOULD_FAIL', params: { reason: FORGED } }, entries)
  }
}

/** Only traces show what contracts forward of a native coin: without them nobody could see what arrived. */
const UNTRACED = 'no node of it shows internal transfers, so nobody could tell what arrived'

/** In families without permissions only the owner's wallet, which has the keys, can move the money. */
const BY_KEY_ALONE = 'this version asks keys of this network for no permission: their own wallet moves it'

type OfWallet = Asked & {
  readonly chain: SweepChain
  readonly walletId: number
  readonly rows: readonly CandidateRow[]
}

async function planWallet(ctx: Context, asked: OfWallet): Promise<AssetPlan> {
  const { asset, chain, walletId, rows, sender, mostBatches } = asked
  const keepAll = (cause: SweepCause): AssetPlan => ({
    batches: [],
    leftOut: [{ walletId, cause, entries: rows.map((row) => entryOf(row, null)) }],
  })
  const subType = rows[0]?.wallet_sub_type ?? 'scw'
  if (subType === 'eoa' && !adapterOf(chain.row.definition.family)?.permissions) {
    return keepAll({ code: 'WOULD_FAIL', params: { reason: BY_KEY_ALONE } })
  }
  const isFirst = subType === 'scw' && rows.every(({ is_first }) => is_first)
  const source = await sourceOf(ctx, { walletId, subType, isFirst }, chain)
  if ('wait' in source) return keepAll(source.wait)
  if (asset.standard === 'native' && !(await isTraced(ctx, asset.blockchainId))) {
    return keepAll({ code: 'WOULD_FAIL', params: { reason: UNTRACED } })
  }
  const session = await sessionOf(ctx, asset.blockchainId)
  if (!session) return keepAll({ code: 'NODE_CONNECTION_FAILED', params: { chain: chain.row.code } })
  const { vault } = source
  const hot = await findHotWallet(ctx, { blockchainId: asset.blockchainId, purpose: 'gas' })
  const ready = subType === 'eoa' ? await permissionsFor(ctx, asked, vault.address) : null
  const payer = hot?.address ?? vault.collector
  const at = { ...chain, session, vault: vault.address, asset, payer, ...(ready && { riders: ridersOf(ready) }) }
  const plans: AssetPlan[] = []
  for (const [method, entries] of byMethod(rows, ready)) {
    if (method === null) plans.push(...(await withoutPermission(ctx, asked, entries)))
    else
      plans.push(
        await planMethod(ctx, { ...at, method }, { walletId, entries, collector: vault.collector, mostBatches }),
      )
  }
  const plan = { batches: plans.flatMap(({ batches }) => batches), leftOut: plans.flatMap((one) => one.leftOut) }
  return hot || sender === 'any-wallet' ? plan : withoutHotWallet(plan, { walletId, chain: chain.row.code })
}

/** What could be swept stays, because no hot wallet pays the fee. */
function withoutHotWallet(
  { batches, leftOut }: AssetPlan,
  { walletId, chain }: { readonly walletId: number; readonly chain: string },
): AssetPlan {
  const entries = batches.flatMap(({ batch }) => batch.items)
  const unpaid = leftOutOf(walletId, { code: 'HOT_WALLET_MISSING', params: { chain } }, entries)
  return { batches: [], leftOut: [...leftOut, ...unpaid.leftOut] }
}

function entryOf(row: CandidateRow, blocked: Candidate['blocked']): Entry {
  const isLocked = row.locked_until !== null
  return {
    addressId: row.address_id,
    units: BigInt(row.units),
    since: row.since,
    isFirst: row.is_first,
    blocked: row.is_quarantined ? 'QUARANTINED' : isLocked ? 'LOCKED' : blocked,
    row,
  }
}

/** Addresses without a usable permission: those whose permission expired are listed apart from those that never gave one. */
async function withoutPermission(
  ctx: Context,
  { asset, walletId }: OfWallet,
  entries: readonly Entry[],
): Promise<AssetPlan[]> {
  const addressIds = entries.map(({ addressId }) => addressId)
  const stale = new Set(await staleAddresses(ctx, { blockchainId: asset.blockchainId, assetId: asset.id, addressIds }))
  const isStale = ({ addressId }: Entry) => stale.has(addressId)
  return [
    leftOutOf(
      walletId,
      { code: 'NEEDS_PERMISSION', params: {} },
      entries.filter((entry) => !isStale(entry)),
    ),
    leftOutOf(walletId, { code: 'PERMISSION_STALE', params: {} }, entries.filter(isStale)),
  ]
}

async function permissionsFor(ctx: Context, { asset, rows }: OfWallet, vault: string) {
  const addressIds = rows.map(({ address_id }) => address_id)
  return readyPermissions(ctx, { blockchainId: asset.blockchainId, assetId: asset.id, addressIds, vault })
}

/** Groups addresses by the method by which their contract may move them; null for those whose keys have not permitted it. */
function byMethod(
  rows: readonly CandidateRow[],
  ready: readonly ReadyPermission[] | null,
): ReadonlyMap<SweepMethod | null, Entry[]> {
  if (ready === null) return new Map([['sweep', rows.map((row) => entryOf(row, null))]])
  const methods = new Map(ready.map(({ addressId, method }) => [addressId, method]))
  return Map.groupBy(
    rows.map((row) => entryOf(row, null)),
    ({ addressId }) => methods.get(addressId) ?? null,
  )
}
