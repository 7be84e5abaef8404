import { fail } from '@kassa/contract/kit/api-error.ts'
import type { LinkWallets } from '@kassa/contract/wallets/schemas.ts'
import { type Family, findFamily } from '@kassa/primitives/chains/families.ts'
import type { Context } from '../../../context.ts'
import { lockWallets } from '../own-addresses/service.ts'
import { type AddressSource, listSources } from '../sources/store.ts'
import { findWalletRow, type WalletRow } from '../wallet/store.ts'
import { listLinks, listPendingLinks, lockLinks } from './store.ts'

export type Linkable = { readonly family: Family; readonly wallet: WalletRow; readonly source: AddressSource }

/** Locks the wallets of requested links, so that nobody deletes or deactivates one meanwhile, and the links of the project. */
export async function lockForLinking(tx: Context, projectId: number, { wallets }: LinkWallets): Promise<void> {
  await lockWallets(
    tx,
    wallets.map(({ walletID }) => walletID),
  )
  await lockLinks(tx, [projectId])
}

/**
 * Finds the wallet and the family of a requested link, and where its addresses come from.
 * @throws WALLET_NOT_FOUND, WALLET_NOT_DEPOSIT, WALLET_INACTIVE, FAMILY_MISMATCH
 */
export async function linkable(
  ctx: Context,
  { walletID, blockchainFamily }: LinkWallets['wallets'][number],
): Promise<Linkable> {
  const family = findFamily(blockchainFamily) ?? fail('FAMILY_MISMATCH')
  await requireVisible(ctx, walletID)
  const wallet = (await findWalletRow(ctx, walletID)) ?? fail('WALLET_NOT_FOUND')
  if (wallet.wallet_type !== 'deposit_wallet') fail('WALLET_NOT_DEPOSIT')
  if (wallet.status !== 'active') fail('WALLET_INACTIVE')
  const source = (await listSources(ctx, [walletID])).find(({ family_id: id }) => id === family.id)
  return { family, wallet, source: source ?? fail('FAMILY_MISMATCH') }
}

/**
 * Refuses wallets that the caller cannot see: an operator of single projects may link only the wallets of those. @throws
 * WALLET_NOT_FOUND
 */
async function requireVisible(ctx: Context, walletId: number): Promise<void> {
  const { caller } = ctx
  if (caller.kind !== 'operator' || caller.grants.install.has('wallet:read')) return
  const own = [...caller.grants.projects].filter(([, permissions]) => permissions.has('wallet:read')).map(([id]) => id)
  const links = [...(await listLinks(ctx, own)), ...(await listPendingLinks(ctx, own))]
  if (!links.some((link) => link.wallet_id === walletId)) fail('WALLET_NOT_FOUND')
}
