import { ASSET_OBSTACLES } from '@kassa/contract/blockchains/asset-obstacles.ts'
import { INACTIVE_REASONS } from '@kassa/contract/blockchains/inactive-reasons.ts'
import { STOP_REASONS } from '@kassa/contract/blockchains/reading-reasons.ts'
import type { AcceptedAssets } from '@kassa/contract/blockchains/inputs.ts'
import type { PaymentOptionSwitch, ProjectAsset } from '@kassa/contract/blockchains/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Cause, textOf, withText } from '@kassa/contract/kit/reason.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { findCurrency } from '@kassa/primitives/chains/currencies.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { type Context, inTransaction } from '../../context.ts'
import { versioned } from '../../db/versioned.ts'
import {
  listAcceptedIds,
  listLinkedFamilies,
  lockProject,
  replaceAccepted,
  insertAcceptedAssets,
} from './accepted-store.ts'
import {
  assetName,
  type Asset,
  type BlockchainRow,
  listAcceptedAssets,
  listAssetRows,
  listBlockchainRows,
} from '../blockchains/chains/service.ts'
import { listNodes } from '../blockchains/nodes/service.ts'

type Place = {
  readonly asset: Asset
  readonly isAccepted: boolean
  readonly cause: Cause<typeof ASSET_OBSTACLES> | null
  readonly unmet: Unmet[]
}
type Unmet = PaymentOptionSwitch['unmet'][number]

/** Lists what a project accepts, or every asset, and why one cannot be paid now; by id. */
export async function listProjectAssets(
  ctx: Context,
  projectId: number,
  { all = false }: { readonly all?: boolean | undefined },
): Promise<ProjectAsset[]> {
  const places = await placesOf(ctx, projectId)
  return places
    .filter(({ isAccepted }) => all || isAccepted)
    .map(({ asset, isAccepted, cause }) => ({
      id: asset.id,
      blockchainID: asset.blockchainId,
      blockchainCode: asset.blockchainCode,
      currencyID: asset.currencyId,
      currencyCode: asset.currencyCode,
      accepted: isAccepted,
      ready: cause === null,
      reason: cause && textOf(ASSET_OBSTACLES, cause),
      cause: cause && withText(ASSET_OBSTACLES, cause),
    }))
}

/**
 * Sets the whole accepted set of a project. An asset that it accepts already may stay although it is switched off for the
 * install.
 * @throws ASSET_NOT_FOUND, ASSET_DISABLED
 */
export async function setProjectAssets(
  ctx: Context,
  projectId: number,
  names: AcceptedAssets['blockchainCurrencies'],
): Promise<void> {
  const assets = await listAssetRows(ctx)
  const wanted = names.map((name) => pick(assets, name))
  await inTransaction(ctx, async (tx) => {
    await lockProject(tx, projectId)
    await replace(tx, projectId, wanted)
  })
}

/** The accepted set as existing clients read it: one switch per asset, by id. */
export async function listPaymentOptions(ctx: Context, projectId: number): Promise<PaymentOptionSwitch[]> {
  return (await placesOf(ctx, projectId)).map(({ asset, isAccepted, unmet }) => ({
    optionKey: assetName(asset),
    enabled: isAccepted,
    globallyEnabled: isOn(asset),
    originBlockchainCode: asset.blockchainCode,
    originNative: true,
    unmet,
  }))
}

/** Switches some assets of a project. @throws ASSET_NOT_FOUND, ASSET_DISABLED */
export async function switchPaymentOptions(
  ctx: Context,
  projectId: number,
  options: readonly { readonly optionKey: string; readonly enabled: boolean }[],
): Promise<void> {
  const assets = await listAssetRows(ctx)
  const switches = options.map(({ optionKey, enabled }) => {
    const [blockchainCode = '', currencyCode = ''] = optionKey.split(':')
    return { asset: pick(assets, { blockchainCode, currencyCode }), enabled }
  })
  await inTransaction(ctx, async (tx) => {
    await lockProject(tx, projectId)
    const ids = new Set(await listAcceptedIds(tx, projectId))
    for (const { asset, enabled } of switches) {
      if (enabled) ids.add(asset.id)
      else ids.delete(asset.id)
    }
    await replace(
      tx,
      projectId,
      assets.filter(({ id }) => ids.has(id)),
    )
  })
}

async function replace(tx: Context, projectId: number, wanted: readonly Asset[]): Promise<void> {
  const accepted = new Set(await listAcceptedIds(tx, projectId))
  const disabled = wanted.find((asset) => !accepted.has(asset.id) && !isOn(asset))
  if (disabled) fail('ASSET_DISABLED', { details: `${assetName(disabled)} is switched off for the whole install.` })
  await replaceAccepted(tx, projectId, [...new Set(wanted.map(({ id }) => id))])
}

function pick(assets: readonly Asset[], name: AcceptedAssets['blockchainCurrencies'][number]): Asset {
  const found =
    typeof name === 'number'
      ? assets.find(({ id }) => id === name)
      : assets.find(
          (asset) =>
            asset.blockchainId === findBlockchain(name.blockchainCode)?.id &&
            asset.currencyId === findCurrency(name.currencyCode)?.id,
        )
  return found ?? fail('ASSET_NOT_FOUND')
}

function isOn({ visible, depositEnabled }: Asset): boolean {
  return visible && depositEnabled
}

async function placesOf(ctx: Context, projectId: number): Promise<Place[]> {
  const assets = await listAssetRows(ctx)
  const rows = new Map((await listBlockchainRows(ctx)).map((row) => [row.id, row]))
  const served = new Set((await listNodes(ctx)).filter(({ isActive }) => isActive).map((node) => node.blockchainId))
  const accepted = new Set(await listAcceptedIds(ctx, projectId))
  const linked = new Set(await listLinkedFamilies(ctx, projectId))
  return assets.map((asset) => {
    const row = rows.get(asset.blockchainId)
    const facts = { row, isServed: served.has(asset.blockchainId), isLinked: linked.has(familyIdOf(row)) }
    return {
      asset,
      isAccepted: accepted.has(asset.id),
      cause: causeAgainst(asset, facts),
      unmet: unmetOf(asset, facts),
    }
  })
}

type Facts = { readonly row: BlockchainRow | undefined; readonly isServed: boolean; readonly isLinked: boolean }

function familyIdOf(row: BlockchainRow | undefined): number {
  return row ? (findFamily(row.definition.family)?.id ?? 0) : 0
}

/** Why a payer could not choose an asset now; null when they could. */
function causeAgainst(asset: Asset, { row, isServed, isLinked }: Facts): Place['cause'] {
  if (!isOn(asset)) {
    const change = asset.disabledBecause
    return change === null ? { code: 'asset_switched_off', params: {} } : { code: 'asset_changed', params: { change } }
  }
  const cause = row?.inactive ? withText(INACTIVE_REASONS, row.inactive) : null
  if (!isServed && (row?.status !== 'inactive' || cause === null)) return { code: 'no_node', params: {} }
  if (row?.status !== 'active') return { code: 'network_inactive', params: { cause } }
  if (row.cursor?.state === 'halted') {
    return { code: 'network_halted', params: { cause: row.stopped && withText(STOP_REASONS, row.stopped) } }
  }
  return isLinked ? null : { code: 'no_wallet', params: {} }
}

function unmetOf(asset: Asset, { row, isServed, isLinked }: Facts): Unmet[] {
  const chain = asset.blockchainCode
  return [
    ...(isLinked ? [] : [{ kind: 'wallet-deployed' as const, chain }]),
    ...(isOn(asset) ? [] : [{ kind: 'token-accepted' as const, chain, token: asset.currencyCode }]),
    ...(isServed && row?.status === 'active' ? [] : [{ kind: 'unverified' as const, chain }]),
  ]
}

const acceptedOf = versioned(listAcceptedAssets)

/** What a project accepts and can be paid with now: switched on, on an active blockchain; by id. */
export function acceptedAssets(ctx: Context, projectId: number): Promise<readonly Asset[]> {
  return acceptedOf(ctx, projectId)
}

/** Whether a project has a deposit wallet of any family; without one, nothing it accepts can be paid. */
export async function hasDepositWallet(ctx: Context, projectId: number): Promise<boolean> {
  return (await listLinkedFamilies(ctx, projectId)).length > 0
}

/** Lets a project accept every asset that is switched on; what it accepts already stays. */
export function acceptAllAssets(ctx: Context, projectId: number): Promise<void> {
  return insertAcceptedAssets(ctx, projectId)
}
