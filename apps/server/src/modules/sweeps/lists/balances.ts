import { withText } from '@kassa/contract/kit/reason.ts'
import type { BalanceFilters, SweepAction } from '@kassa/contract/sweeps/inputs.ts'
import { type SweepCause, SWEEP_WAITS } from '@kassa/contract/sweeps/reasons.ts'
import type { BalanceRow, SweepMetrics } from '@kassa/contract/sweeps/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { type Price, usdForUnits } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { usd, usdOf } from '@kassa/primitives/money/usd.ts'
import type * as z from 'zod/mini'

import type { Context, ProjectScope } from '../../../context.ts'
import { adapterOf, type Asset, listAssets } from '../../blockchains/chains/service.ts'
import { currentPrices } from '../../prices/service.ts'
import { findVault, type Vault } from '../../sweep-contracts/service.ts'
import { findDefaultCold, listColdFacts } from '../../wallets/cold/service.ts'
import { findHotWallet } from '../../wallets/hot/service.ts'
import {
  type Entry,
  listHeldAssets,
  listWalletFacts,
  nextSweepAt,
  planAsset,
  triggersOf,
  type WalletFacts,
} from '../planner/service.ts'
import { findFigures, listLastErrors, listOpenItems, type OpenItem } from './store.ts'
import { errorView, tokenOf } from './view.ts'

/** Balances of one wallet and asset with the same state: what can be done with them. */
type Part = {
  readonly walletId: number
  readonly asset: Asset
  readonly action: SweepAction
  readonly cause: SweepCause | null
  readonly units: bigint
  readonly addressIds: readonly bigint[]
  readonly since: Date | null
  readonly sweep: { readonly id: bigint; readonly txId: string | null; readonly swept: number } | null
}

/** Lists what deposit addresses hold, by wallet, asset and state; asks nodes for the price of gas. */
export async function listBalances(
  ctx: Context,
  projectIds: ProjectScope['projectIds'],
  filters: BalanceFilters,
): Promise<BalanceRow[]> {
  const parts = await partsOf(ctx, projectIds, filters)
  const wanted = parts.filter(({ action }) => filters.action === undefined || action === filters.action)
  const wallets = await listWalletFacts(ctx, [...new Set(wanted.map(({ walletId }) => walletId))])
  const prices = await currentPrices(ctx)
  const errors = await listLastErrors(ctx, projectIds)
  const rows: BalanceRow[] = []
  for (const part of wanted) {
    const wallet = wallets.get(part.walletId)
    const error = errors.find((one) => one.wallet_id === part.walletId && one.asset_id === part.asset.id)
    if (!wallet) continue
    const { pending, ...ends } = await endsOf(ctx, part, wallet)
    const ways = await waysOf(ctx, part, wallet, prices)
    const cause = part.cause ?? pending ?? (await notDueOf(ctx, part, ways, prices.get(part.asset.id)))
    rows.push({
      ...amountsOf({ ...part, cause }, wallet, prices.get(part.asset.id)),
      ...ends,
      ...ways,
      lastSweepError: error ? errorView(error, error.hot_address) : null,
    })
  }
  return rows
}

/** Sums the balances to be swept, on their way and arrived. */
export async function sweepMetrics(
  ctx: Context,
  projectIds: ProjectScope['projectIds'],
): Promise<z.output<typeof SweepMetrics>> {
  const parts = await partsOf(ctx, projectIds, {})
  const prices = await currentPrices(ctx)
  const sum = (isWanted: (part: Part) => boolean) =>
    usd(parts.filter(isWanted).reduce((total, part) => total + (valueOf(part, prices.get(part.asset.id)) ?? 0n), 0n))
  const figures = await findFigures(ctx, projectIds)
  return {
    totalUnsweptBalance: sum(({ action }) => action !== 'sweep_in_progress'),
    eligible: sum(({ action }) => action === 'sweep'),
    failedSweeps: figures.failed,
    sweptLast24h: usd(usdOf(figures.swept_usd)),
    activeSweep: { sweepsInProgress: figures.active, amountInUSD: usd(usdOf(figures.active_usd)) },
  }
}

/** How many sweeps failed within a week. */
export async function countFailedSweeps(ctx: Context, projectIds: ProjectScope['projectIds']): Promise<number> {
  return (await findFigures(ctx, projectIds)).failed
}

async function partsOf(
  ctx: Context,
  projectIds: ProjectScope['projectIds'],
  { walletID, blockchainCode, currencyCode }: BalanceFilters,
): Promise<Part[]> {
  const blockchainId = blockchainCode === undefined ? undefined : (findBlockchain(blockchainCode)?.id ?? 0)
  const isWanted = (asset: Asset) =>
    (blockchainId === undefined || asset.blockchainId === blockchainId) &&
    (currencyCode === undefined || asset.currencyCode === currencyCode.toUpperCase())
  const open = await listOpenItems(ctx, projectIds)
  const held = new Set([...(await listHeldAssets(ctx)), ...open.map(({ asset_id }) => asset_id)])
  const parts: Part[] = []
  for (const asset of (await listAssets(ctx)).filter((one) => held.has(one.id) && isWanted(one))) {
    const moving = open.filter(({ asset_id }) => asset_id === asset.id)
    parts.push(...(await lyingParts(ctx, { asset, projectIds, walletId: walletID ?? null, moving })))
    parts.push(...movingParts(asset, moving).filter(({ walletId }) => walletID === undefined || walletId === walletID))
  }
  return parts
}

type Lying = {
  readonly asset: Asset
  readonly projectIds: ProjectScope['projectIds']
  readonly walletId: number | null
  readonly moving: readonly OpenItem[]
}

async function lyingParts(ctx: Context, { asset, projectIds, walletId, moving }: Lying): Promise<Part[]> {
  const adapter = adapterOf(findBlockchain(asset.blockchainId)?.family ?? 'ETH_Family')
  if (!adapter?.vaults && !adapter?.psbts) return []
  const plan = await planAsset(ctx, { asset, projectIds, walletId, sender: 'hot-wallet', mostBatches: 0 })
  const planned = new Map(moving.filter((item) => item.is_planned).map((item) => [item.address_id, BigInt(item.units)]))
  const ready = Map.groupBy(plan.batches, (batch) => batch.walletId)
  const parts = [...ready].map(([id, batches]) => {
    const entries = batches.flatMap(({ batch }) => batch.items)
    return partOf({ walletId: id, asset, action: 'sweep', cause: null }, entries, planned)
  })
  for (const { walletId: id, cause, entries } of plan.leftOut) {
    parts.push(
      partOf({ walletId: id, asset, action: ACTIONS[cause.code] ?? 'sweep_not_allowed', cause }, entries, planned),
    )
  }
  return parts.filter(({ units }) => units > 0n)
}

const ACTIONS: Readonly<Partial<Record<SweepCause['code'], SweepAction>>> = {
  FUND_SWEEPER_NOT_DEPLOYED: 'deploy_deposit_wallet',
  DEPOSIT_NOT_DEPLOYED_FUND_SWEEPER_MISSING: 'deploy_deposit_wallet',
  NEEDS_PERMISSION: 'pending_approval',
  PERMISSION_STALE: 'pending_approval',
}

/**
 * The state of an address's money. What a sweep takes that is not signed yet still lies on the address, and is counted with
 * that sweep.
 */
function partOf(
  head: Pick<Part, 'walletId' | 'asset' | 'action' | 'cause'>,
  entries: readonly Entry[],
  planned: ReadonlyMap<bigint, bigint>,
): Part {
  const left = entries
    .map((entry) => ({ ...entry, units: entry.units - (planned.get(entry.addressId) ?? 0n) }))
    .filter(({ units }) => units > 0n)
  const times = left.map(({ since }) => since.getTime())
  return {
    ...head,
    units: left.reduce((sum, { units }) => sum + units, 0n),
    addressIds: left.map(({ addressId }) => addressId),
    since: times.length > 0 ? new Date(Math.min(...times)) : null,
    sweep: null,
  }
}

function movingParts(asset: Asset, items: readonly OpenItem[]): Part[] {
  return [...Map.groupBy(items, ({ sweep_id }) => sweep_id)].map(([id, some]) => ({
    walletId: some[0]?.wallet_id ?? 0,
    asset,
    action: 'sweep_in_progress',
    cause: null,
    units: some.reduce((sum, { units }) => sum + BigInt(units), 0n),
    addressIds: some.map(({ address_id }) => address_id),
    since: null,
    sweep: { id, txId: some[0]?.tx_id ?? null, swept: some.filter(({ state }) => state === 'swept').length },
  }))
}

function valueOf({ units, asset }: Part, price: Price | undefined): bigint | null {
  return price === undefined ? null : usdForUnits({ units, price, decimals: asset.decimals, rounding: 'down' })
}

function amountsOf(part: Part, wallet: WalletFacts, price: Price | undefined) {
  const { asset, units, addressIds } = part
  const value = valueOf(part, price)
  const ids = addressIds.map(Number)
  return {
    walletName: wallet.name,
    walletID: part.walletId,
    walletActive: wallet.status === 'active',
    blockchainCode: asset.blockchainCode,
    blockchainFamily: findBlockchain(asset.blockchainId)?.family ?? '',
    blockchainID: asset.blockchainId,
    currencyCode: asset.currencyCode,
    currencyAddress: tokenOf(asset),
    currencyID: asset.currencyId,
    amount: formatUnits(units, asset.decimals),
    amountUSD: value === null ? null : usd(value),
    addressCount: ids.length,
    count: ids.length,
    startID: ids.length > 0 ? Math.min(...ids) : null,
    endID: ids.length > 0 ? Math.max(...ids) : null,
    action: part.action,
    waits: part.cause && withText(SWEEP_WAITS, part.cause),
  }
}

/** Who pays the fee, and which cold wallet receives the money. */
async function endsOf(ctx: Context, part: Part, { wallet_sub_type: subType }: WalletFacts) {
  const { walletId } = part
  const { blockchainId } = part.asset
  const hot = await findHotWallet(ctx, { blockchainId, purpose: 'gas' })
  const vault = await findVault(ctx, { walletId, subType, blockchainId })
  const cold = isInOutputs(part.asset) ? await findDefaultCold(ctx, blockchainId) : undefined
  const endWalletId = cold?.wallet_id ?? vault?.collectorWalletId ?? null
  const colds = (await listColdFacts(ctx)).filter((one) => one.blockchain_id === blockchainId)
  const names = await listWalletFacts(ctx, [hot?.walletId ?? 0, endWalletId ?? 0])
  return {
    hotWalletID: hot?.walletId ?? null,
    hotWalletName: names.get(hot?.walletId ?? 0)?.name ?? null,
    hotWalletActive: hot ? true : null,
    hotWalletAddress: hot?.address ?? null,
    coldWalletConfigured: colds.length > 0,
    defaultColdWalletSet: endWalletId !== null,
    coldWalletName: names.get(endWalletId ?? 0)?.name ?? null,
    fundCollectorAddress: cold?.address ?? vault?.collector ?? null,
    hasWalletScw: vault !== null,
    pending: vault && part.action === 'sweep' ? pendingOf(vault) : null,
    isSCWDeploymentPending: part.action === 'deploy_deposit_wallet',
  }
}

/** A proposed change of the collector: until it applies, the money goes to the present one at once. */
function pendingOf({ address, collector, pendingCollector }: Vault): SweepCause | null {
  if (!pendingCollector) return null
  const { address: proposed, readyAt } = pendingCollector
  const params = { contract: address, current: collector, proposed, until: readyAt.toISOString() }
  return { code: 'COLLECTOR_CHANGE_PENDING', params }
}

/** Why money that cannot be swept by hand has to wait for its time. */
async function notDueOf(
  ctx: Context,
  { action, asset }: Part,
  { manual, nextProbableSweepAt }: Pick<BalanceRow, 'manual' | 'nextProbableSweepAt'>,
  price: Price | undefined,
): Promise<SweepCause | null> {
  if (action !== 'sweep' || manual || price === undefined) return null
  const minimumInUSD = usd((await triggersOf(ctx, asset, price)).minUsd)
  return { code: 'NOT_DUE', params: { minimumInUSD, until: nextProbableSweepAt?.toISOString() ?? null } }
}

/**
 * Approvals and sweeps by hand exist on these blockchains; on others sweeps are automatic. Somebody starts and signs those of
 * BTC.
 */
const BY_HAND: ReadonlySet<string> = new Set(['ETH', 'TRX', 'BTC'])

function isInOutputs({ blockchainId }: Asset): boolean {
  return adapterOf(findBlockchain(blockchainId)?.family ?? 'ETH_Family')?.psbts !== undefined
}

type Ways = Pick<
  BalanceRow,
  'path' | 'manual' | 'nextProbableSweepAt' | 'sweepInProgressID' | 'sweepInProgressTxHash' | 'sweptCount'
>

async function waysOf(
  ctx: Context,
  part: Part,
  wallet: WalletFacts,
  prices: ReadonlyMap<number, Price>,
): Promise<Ways> {
  const { asset, sweep } = part
  const price = prices.get(asset.id)
  const next =
    part.action === 'sweep' && price !== undefined
      ? nextSweepAt(
          { usd: valueOf(part, price) ?? 0n, count: part.addressIds.length, since: part.since },
          await triggersOf(ctx, asset, price),
          ctx.now(),
        )
      : null
  return {
    path: isInOutputs(asset) ? 'device' : wallet.wallet_sub_type === 'scw' ? 'contract' : 'permission',
    manual: BY_HAND.has(asset.blockchainCode),
    nextProbableSweepAt: next,
    sweepInProgressID: sweep && Number(sweep.id),
    sweepInProgressTxHash: sweep?.txId ?? null,
    sweptCount: sweep?.swept ?? null,
  }
}
