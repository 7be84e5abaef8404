import type { ChainAdapter, Permissions } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { findBlockchain as findDefinition } from '@kassa/primitives/chains/blockchains.ts'

import type { Context } from '../../../context.ts'
import {
  adapterOf,
  type Asset,
  type BlockchainRow,
  findAsset,
  listAssets,
  listBlockchains,
} from '../../blockchains/chains/service.ts'
import { findVault, type Vault } from '../../sweep-contracts/service.ts'

/** An asset whose addresses are asked for permission, and the coin that their transactions cost. */
export type Place = {
  readonly row: BlockchainRow
  readonly asset: Asset
  readonly coin: Asset
  readonly adapter: ChainAdapter
  /** The sweep contract that addresses of extended public keys approve; null where none is in use. */
  readonly vault: Vault | null
}

/** Pages for approvals exist for these networks (specification, section 9); others are swept by contract. */
const BY_HAND: readonly string[] = ['ETH', 'TRX']

/** Finds the asset that a path names. @throws SWEEP_NETWORK_UNSUPPORTED, ASSET_NOT_FOUND, SERVICE_UNAVAILABLE as `findVault` */
export async function findPlace(ctx: Context, { b, c }: { readonly b: string; readonly c: string }): Promise<Place> {
  const code = findDefinition(b)?.code
  if (code === undefined || !BY_HAND.includes(code)) return fail('SWEEP_NETWORK_UNSUPPORTED')
  const asset = await findAsset(ctx, b, c)
  const row = (await listBlockchains(ctx)).find(({ id }) => id === asset.blockchainId)
  const coin = (await listAssets(ctx)).find(
    (one) => one.blockchainId === asset.blockchainId && one.standard === 'native',
  )
  const adapter = row && adapterOf(row.definition.family)
  if (!row || !coin || !adapter) return fail('ASSET_NOT_FOUND')
  // Contracts that addresses approve belong to no deposit wallet.
  const vault = await findVault(ctx, { walletId: 0, subType: 'eoa', blockchainId: row.id })
  return { row, asset, coin, adapter, vault }
}

/** The adapter that makes permissions for a sweep contract, and where money goes there. */
export type Target = {
  readonly permissions: Permissions
  readonly vault: Vault
  readonly place: { readonly token: string | null; readonly vault: string; readonly collector: string }
}

/**
 * The sweep contract to which addresses of extended public keys give their permission.
 * @throws CONTRACT_ADDRESS_NOT_FOUND, COLD_WALLET_MISSING when its collector is no cold wallet of the merchant
 */
export async function findTarget(ctx: Context, { row, asset, adapter }: Place, walletId: number): Promise<Target> {
  const { permissions } = adapter
  const vault = await findVault(ctx, { walletId, subType: 'eoa', blockchainId: row.id })
  if (!permissions || !vault) return fail('CONTRACT_ADDRESS_NOT_FOUND')
  if (vault.problem !== null) return fail('COLD_WALLET_MISSING')
  return { permissions, vault, place: { token: tokenOf(asset), vault: vault.address, collector: vault.collector } }
}

/** The contract of a token; null for the native coin. */
export function tokenOf({ standard, address }: Asset): string | null {
  return standard === 'native' ? null : address
}

/** A chain as adapters take it. */
export function chainOf(ctx: Context, { row }: Pick<Place, 'row'>) {
  return chainIn(ctx.config.network, row.definition)
}
