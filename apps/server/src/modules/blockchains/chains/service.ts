/**
 * Blockchains: the networks of this install, the currencies it can credit on each, the nodes it reads, and what each project
 * accepts. The facts come from the definitions; operators choose nodes and switches.
 */
import type { ChainAdapter } from '@kassa/chains/adapter.ts'
import { adapterOf as findAdapter } from '@kassa/chains/adapters.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { findBlockchain as findDefinition } from '@kassa/primitives/chains/blockchains.ts'
import { findCurrency } from '@kassa/primitives/chains/currencies.ts'
import type { ChainFamily } from '@kassa/primitives/chains/families.ts'
import type { Context } from '../../../context.ts'
import { queue } from '../../../jobs/jobs.ts'
import type { Asset, BlockchainRow } from './rows.ts'
import { seed } from './seed.ts'
import { findAssetRow, listAssetRows, listBlockchainRows, listOwnExplorers } from './store.ts'

export { type ExplorerLinks, explorerLinks } from './explorer-links.ts'
export { assetName, USUAL_SWEEP } from './rows.ts'

export { listAssetRows } from './store.ts'
export { listBlockchainRows } from './store.ts'
export { listAcceptedAssets } from './store.ts'

export type { Asset, BlockchainRow } from './rows.ts'

/** A rescan that a changed blockchain needs: its blocks from a height on. */
export type RescanRequest = { readonly blockchainId: number; readonly fromHeight: number; readonly by: string }
export const rescanRequests = queue<RescanRequest>('watch.rescan')

/** Writes the blockchains and assets of the installation's network; repeating it changes nothing. */
export function seedBlockchains(ctx: Context): Promise<void> {
  return seed(ctx)
}

/** Every blockchain with how far it was read, by id. */
export function listBlockchains(ctx: Context): Promise<BlockchainRow[]> {
  return listBlockchainRows(ctx)
}

/** A blockchain by its id, code, alias or name, or undefined. */
export async function findBlockchain(ctx: Context, idOrName: number | string): Promise<BlockchainRow | undefined> {
  const definition = findDefinition(idOrName)
  if (!definition) return undefined
  const [row] = await listBlockchainRows(ctx, definition.id)
  return row
}

/** The explorer of each blockchain, by code: the one operators chose, else the network's usual one. */
export function ownExplorers(ctx: Context): Promise<ReadonlyMap<string, string>> {
  return listOwnExplorers(ctx)
}

/** Every asset, by id. */
export function listAssets(ctx: Context): Promise<Asset[]> {
  return listAssetRows(ctx)
}

/** One asset. @throws ASSET_NOT_FOUND */
export async function getAsset(ctx: Context, id: number): Promise<Asset> {
  return (await findAssetRow(ctx, id)) ?? fail('ASSET_NOT_FOUND')
}

/** One asset by blockchain and currency, each by code, alias or id. @throws ASSET_NOT_FOUND */
export async function findAsset(ctx: Context, blockchain: string, currency: string): Promise<Asset> {
  const blockchainId = findDefinition(blockchain)?.id
  const currencyId = findCurrency(currency)?.id
  const assets = await listAssetRows(ctx)
  const found = assets.find((asset) => asset.blockchainId === blockchainId && asset.currencyId === currencyId)
  return found ?? fail('ASSET_NOT_FOUND')
}

/** The adapter of a family of chains, or undefined when Kassa has none. */
export function adapterOf(family: ChainFamily): ChainAdapter | undefined {
  return findAdapter(family)
}
