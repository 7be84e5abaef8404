/** Automatic sweeps: money on deposit addresses moves to the cold wallet once it is enough, or has waited long enough. */
import { usd } from '@kassa/primitives/money/usd.ts'

import { ApiError } from '@kassa/contract/kit/api-error.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { continueOnError } from '../../../jobs/continue-on-error.ts'
import { adapterOf, type Asset, listAssets, listBlockchains } from '../../blockchains/chains/service.ts'
import { currentPrice } from '../../prices/service.ts'
import { setting } from '../../settings/service.ts'
import { listVaults, type Vault } from '../../sweep-contracts/service.ts'
import { findHotWallet } from '../../wallets/hot/service.ts'
import { buildBatch, planBatch } from '../offline/service.ts'
import {
  itemOf,
  listHeldAssets,
  outputChainOf,
  planAsset,
  type PlannedBatch,
  triggerOf,
  triggersOf,
} from '../planner/service.ts'
import { hintSweep } from '../record/announce.ts'
import { planSweep } from '../record/service.ts'
import { insertError } from '../record/store.ts'
import { announceDue, lockedUntil } from '../starting/service.ts'

/** Batches of each wallet and asset that one pass starts; the next pass takes the rest. */
const MOST_BATCHES = 3

/**
 * Plans what is due for every wallet, blockchain and asset; returns how many sweeps it planned. The sender signs them later.
 * An asset that fails does not stop the others; its error is thrown at the end.
 */
export async function sweepDue(ctx: Context): Promise<number> {
  if ((await setting(ctx, 'sweeps.automatic')) === 'off') return 0
  const active = new Set((await listBlockchains(ctx)).filter(isSweepable).map(({ id }) => id))
  const held = new Set(await listHeldAssets(ctx))
  const { attempt, end } = continueOnError(ctx)
  let planned = 0
  for (const asset of await listAssets(ctx)) {
    if (!held.has(asset.id) || !active.has(asset.blockchainId)) continue
    planned +=
      (await attempt({ asset: `${asset.currencyCode} on ${asset.blockchainCode}` }, () => sweepAsset(ctx, asset))) ?? 0
  }
  end()
  return planned
}

function isSweepable({ status, definition }: Awaited<ReturnType<typeof listBlockchains>>[number]): boolean {
  const adapter = adapterOf(definition.family)
  return status === 'active' && (adapter?.vaults ?? adapter?.psbts) !== undefined
}

async function sweepAsset(ctx: Context, asset: Asset): Promise<number> {
  const [hot, price] = [
    await findHotWallet(ctx, { blockchainId: asset.blockchainId, purpose: 'gas' }),
    await currentPrice(ctx, asset),
  ]
  // Without a wallet that pays, or without a price, nothing is planned and no node is asked; the page says why. Coins in
  // outputs pay their own fee.
  if (!price || (!hot && !(await outputChainOf(ctx, asset)))) return 0
  const plan = await planAsset(ctx, {
    asset,
    walletId: null,
    projectIds: 'every',
    sender: 'hot-wallet',
    mostBatches: MOST_BATCHES,
  })
  const triggers = await triggersOf(ctx, asset, price.price)
  let planned = 0
  // When somebody proposes another collector for a contract, its money goes to the present one at once, whatever waiting would
  // save.
  const threatened = new Set((await listVaults(ctx)).filter(isThreatened).map(({ address }) => address))
  for (const [, batches] of Map.groupBy(plan.batches, ({ walletId }) => walletId)) {
    for (const batch of batches.slice(0, MOST_BATCHES)) {
      const trigger = triggerOf(batch.batch, triggers, ctx.now()) ?? (threatened.has(batch.vault) ? 'time' : null)
      if (trigger === null || batch.ceiling === null) continue
      if (await start(ctx, asset, batch, trigger)) planned += 1
    }
  }
  for (const { walletId, cause } of plan.leftOut) {
    if (cause.code === 'TOKEN_REFUSED') {
      await insertError(ctx, { sweepId: null, walletId, assetId: asset.id, cause, address: cause.params.address })
    }
  }
  return planned
}

function isThreatened({ pendingCollector }: Vault): boolean {
  return pendingCollector !== null
}

type Trigger = NonNullable<ReturnType<typeof triggerOf>>

/** Returns false where another sweep has taken an address of it meanwhile: the next pass plans again. */
async function start(
  ctx: Context,
  asset: Asset,
  { walletId, method, vault, collector, batch, ceiling }: PlannedBatch,
  trigger: Trigger,
): Promise<boolean> {
  const items = batch.items.map(({ addressId, row, units }) => ({
    addressId,
    projectId: row.project_id,
    itemId: itemOf(method, row, units).id,
    units,
  }))
  const sweep = { collector, trigger, wallet_id: walletId, started_by: null, amount_usd: usd(batch.usd) } as const
  try {
    const built =
      method === 'psbt' ? await buildBatch(ctx, asset, offlineOf({ walletId, collector, batch, ceiling })) : null
    await inTransaction(ctx, async (tx) => {
      if (built) {
        hintSweep(tx, (await planBatch(tx, asset, { sweep, items, built })).id)
        return
      }
      const { id } = await planSweep(
        tx,
        {
          ...{ ...sweep, method, vault },
          blockchain_id: asset.blockchainId,
          asset_id: asset.id,
          sent_by: 'hot-wallet',
          units: batch.units,
          max_fee: ceiling,
          expires_at: lockedUntil(tx, asset),
        },
        items,
      )
      hintSweep(tx, id)
      announceDue(tx)
    })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ADDRESS_LOCKED') return false
    throw error
  }
}

/** The transaction of a planned batch that a device is to sign. */
function offlineOf({
  walletId,
  collector,
  batch,
  ceiling,
}: Pick<PlannedBatch, 'walletId' | 'collector' | 'batch' | 'ceiling'>) {
  const outputs = batch.items.flatMap(({ outputs: own = [], row }) =>
    own.map((output) => ({ ...output, index: row.derivation_index })),
  )
  return { walletId, collector, fee: ceiling ?? batch.fee, outputs }
}
