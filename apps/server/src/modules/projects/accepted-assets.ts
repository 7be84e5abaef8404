import type { AcceptedAssets } from '@kassa/contract/blockchains/inputs.ts'
import type { PaymentOptionSwitch, ProjectAsset } from '@kassa/contract/blockchains/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
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
  readonly reason: string | null
  readonly unmet: Unmet[]
}
type Unmet = PaymentOptionSwitch['unmet'][number]

/** What a project accepts, or every asset, and why one cannot be paid now; by id. */
export async function listProjectAssets(
  ctx: Context,
  projectId: number,
  { all = false }: { readonly all?: boolean | undefined },
): Promise<ProjectAsset[]> {
  const places = await placesOf(ctx, projectId)
  return places
    .filter(({ isAccepted }) => all || isAccepted)
    .map(({ asset, isAccepted, reason }) => ({
      id: asset.id,
      blockchainID: asset.blockchainId,
      blockchainCode: asset.blockchainCode,
      currencyID: asset.currencyId,
      currencyCode: asset.currencyCode,
      accepted: isAccepted,
      ready: reason === null,
      reason,
    }))
}

/**
 * Sets the whole accepted set of a project. What it accepts already may stay though it is switched off for the install.
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
      reason: reasonAgainst(asset, facts),
      unmet: unmetOf(asset, facts),
    }
  })
}

type Facts = { readonly row: BlockchainRow | undefined; readonly isServed: boolean; readonly isLinked: boolean }

function familyIdOf(row: BlockchainRow | undefined): number {
  return row ? (findFamily(row.definition.family)?.id ?? 0) : 0
}

/** Why a payer could not choose an asset now, as a sentence that says what to do; null when they could. */
function reasonAgainst(asset: Asset, { row, isServed, isLinked }: Facts): string | null {
  if (!isOn(asset)) return asset.disabledBecause ?? 'It is switched off for the whole install.'
  if (!isServed) return row?.status === 'inactive' && row.reason !== null ? row.reason : 'Add a node.'
  if (row?.status !== 'active') return row?.reason ?? 'This network is switched off.'
  if (row.cursor?.state === 'halted') return row.reason ?? 'Reading this network is halted.'
  return isLinked ? null : 'No deposit wallet is linked.'
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

/** Whether a project has a deposit wallet of any family: without one it can be paid with nothing it accepts. */
export async function hasDepositWallet(ctx: Context, projectId: number): Promise<boolean> {
  return (await listLinkedFamilies(ctx, projectId)).length > 0
}

/** Lets a project accept every asset that is switched on; what it accepts already stays. */
export function acceptAllAssets(ctx: Context, projectId: number): Promise<void> {
  return insertAcceptedAssets(ctx, projectId)
}
