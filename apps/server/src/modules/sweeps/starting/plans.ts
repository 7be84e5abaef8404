import { randomUUID } from 'node:crypto'

import { fail } from '@kassa/contract/kit/api-error.ts'
import { textOf } from '@kassa/contract/kit/reason.ts'
import { SWEEP_WAITS } from '@kassa/contract/sweeps/reasons.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { usd } from '@kassa/primitives/money/usd.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { type Asset, getAsset } from '../../blockchains/chains/service.ts'
import { balancesOf } from '../../ledger/service.ts'
import { findHotWallet } from '../../wallets/hot/service.ts'
import { type BuiltBatch, buildBatch, planBatch } from '../offline/service.ts'
import {
  type AssetPlan,
  coldEndOf,
  coinOf,
  itemOf,
  outputChainOf,
  type PlannedBatch,
  sourceOf,
  sweepChainOf,
} from '../planner/service.ts'
import { hintSweep } from '../record/announce.ts'
import { planSweep, type SweepRow } from '../record/service.ts'
import { findPlan, insertPlan, type StoredBatch, takePlan } from './store.ts'

/** A plan can be started for this long: fees change, and a person decides sooner. */
const PLAN_MS = 5 * 60_000

/** How long a sweep that is not signed holds its addresses, unless operators set another time. */
const LOCK_MINUTES = 30

/** Until when a sweep may wait for its transaction. */
export function lockedUntil(ctx: Context, asset: Asset): Date {
  return new Date(ctx.now().getTime() + (asset.sweepLockMinutes ?? LOCK_MINUTES) * 60_000)
}

/** Stores a plan, so that exactly what was shown can be started. */
export async function storePlan(
  ctx: Context,
  asset: Asset,
  { batches }: AssetPlan,
): Promise<{ readonly planId: string; readonly expiresAt: Date }> {
  const expiresAt = new Date(ctx.now().getTime() + PLAN_MS)
  const planId = randomUUID()
  const createdBy = ctx.caller.kind === 'operator' ? ctx.caller.operatorId : null
  const stored = batches.flatMap((batch) => (batch.ceiling === null ? [] : [storedOf(batch, batch.ceiling)]))
  await insertPlan(ctx, { id: planId, assetId: asset.id, batches: stored, createdBy, expiresAt })
  return { planId, expiresAt }
}

function storedOf({ walletId, method, vault, collector, batch }: PlannedBatch, ceiling: bigint): StoredBatch {
  return {
    ...{ walletId, method, vault, collector },
    usd: usd(batch.usd),
    maxFee: String(ceiling),
    items: batch.items.map(({ addressId, units, row, outputs }) => ({
      addressId: String(addressId),
      projectId: row.project_id,
      itemId: String(itemOf(method, row, units).id),
      units: String(units),
      ...(outputs && { outputs: outputs.map(({ tx_id, vout, units: held }) => ({ tx_id, vout, units: held })) }),
    })),
  }
}

/** The transactions of a plan that devices are to sign, by the index of their batch; built outside of transactions. */
export async function buildPlan(ctx: Context, planId: string): Promise<ReadonlyMap<number, BuiltBatch>> {
  const plan = await findPlan(ctx, planId)
  const built = new Map<number, BuiltBatch>()
  for (const [at, batch] of (plan?.batches ?? []).entries()) {
    if (!plan || batch.method !== 'psbt') continue
    const { walletId, collector, maxFee, items } = batch
    const outputs = items.flatMap(({ addressId, itemId, outputs: own = [] }) =>
      own.map((output) => ({ ...output, address_id: BigInt(addressId), index: Number(itemId) })),
    )
    const asset = await getAsset(ctx, plan.assetId)
    built.set(at, await buildBatch(ctx, asset, { walletId, collector, fee: BigInt(maxFee), outputs }))
  }
  return built
}

/**
 * Starts a plan, once: the sender or devices will sign its sweeps. Returns them as planned.
 * @throws SWEEP_PLAN_EXPIRED, ADDRESS_LOCKED, HOT_WALLET_MISSING, INSUFFICIENT_GAS, COLD_WALLET_MISSING
 */
export async function startPlan(
  ctx: Context,
  planId: string,
  built: ReadonlyMap<number, BuiltBatch>,
): Promise<SweepRow[]> {
  return inTransaction(ctx, async (tx) => {
    const plan = (await takePlan(tx, planId)) ?? fail('SWEEP_PLAN_EXPIRED')
    const asset = await getAsset(tx, plan.assetId)
    const [first] = plan.batches
    if (!first) return fail('SWEEP_PLAN_EXPIRED', { details: 'Nothing in it can be swept.' })
    // Coins that a device moves pay their own fee.
    if (first.method !== 'psbt') await requireGas(tx, asset, BigInt(first.maxFee))
    const sweeps: SweepRow[] = []
    for (const [at, batch] of plan.batches.entries()) {
      await requireSameEnd(tx, asset, batch)
      sweeps.push(await planStored(tx, asset, batch, built.get(at)))
    }
    for (const sweep of sweeps) {
      tx.change(null, { sweepID: Number(sweep.id), walletID: sweep.wallet_id, fundCollector: sweep.collector })
      hintSweep(tx, sweep.id)
    }
    announceDue(tx)
    return sweeps
  })
}

/** Wakes the process that signs. */
export function announceDue(tx: Context): void {
  tx.events.announce(tx, { name: 'sweep.due', projectId: null, data: {} })
}

/** The wallet that pays network fees of an asset's blockchain and holds enough for one transaction. */
export async function requireGas(
  tx: Context,
  asset: Asset,
  needed: bigint,
): Promise<{ readonly walletId: number; readonly address: string }> {
  const hot = await findHotWallet(tx, { blockchainId: asset.blockchainId, purpose: 'gas' })
  if (!hot) return fail('HOT_WALLET_MISSING')
  const coin = await coinOf(tx, asset)
  const account = { kind: 'chain:hot', owner: `wallet:${hot.walletId}`, unitId: coin.id } as const
  const held = (await balancesOf(tx, [account]))[0] ?? 0n
  if (held >= needed) return hot
  const values = {
    amount: formatUnits(needed - held, coin.decimals),
    currency: coin.currencyCode,
    address: hot.address,
  }
  return fail('INSUFFICIENT_GAS', { values })
}

/** A stored batch must go to the cold wallet that the plan showed. */
async function requireSameEnd(
  tx: Context,
  asset: Asset,
  { walletId, method, vault, collector }: StoredBatch,
): Promise<void> {
  const outputs = method === 'psbt' ? await outputChainOf(tx, asset) : null
  if (outputs) {
    const end = await coldEndOf(tx, outputs)
    if ('wait' in end) return fail('COLD_WALLET_MISSING', { details: textOf(SWEEP_WAITS, end.wait) })
    if (end.address !== collector) fail('SWEEP_PLAN_EXPIRED')
    return
  }
  const chain = await sweepChainOf(tx, asset)
  const source = await sourceOf(tx, { walletId, subType: method === 'sweep' ? 'scw' : 'eoa' }, chain)
  if ('wait' in source) return fail('COLD_WALLET_MISSING', { details: textOf(SWEEP_WAITS, source.wait) })
  if (source.vault.address !== vault || source.vault.collector !== collector) return fail('SWEEP_PLAN_EXPIRED')
}

function planStored(tx: Context, asset: Asset, batch: StoredBatch, built: BuiltBatch | undefined): Promise<SweepRow> {
  const { walletId, method, vault, collector } = batch
  const items = batch.items.map(({ addressId, projectId, itemId, units }) => ({
    addressId: BigInt(addressId),
    projectId,
    itemId: BigInt(itemId),
    units: BigInt(units),
  }))
  const sweep = {
    collector,
    wallet_id: walletId,
    trigger: 'manual',
    started_by: tx.caller.kind === 'operator' ? tx.caller.operatorId : null,
    amount_usd: batch.usd,
  } as const
  if (method === 'psbt') {
    return planBatch(tx, asset, { sweep, items, built: built ?? fail('SWEEP_PLAN_EXPIRED') })
  }
  return planSweep(
    tx,
    {
      ...{ ...sweep, method, vault },
      blockchain_id: asset.blockchainId,
      asset_id: asset.id,
      sent_by: 'hot-wallet',
      units: items.reduce((sum, { units }) => sum + units, 0n),
      max_fee: batch.maxFee,
      expires_at: lockedUntil(tx, asset),
    },
    items,
  )
}
