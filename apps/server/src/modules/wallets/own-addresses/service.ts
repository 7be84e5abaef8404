/**
 * Addresses of ours that no customer has: those of hot and cold wallets, and of contracts. A transfer to one is no deposit
 * (W-12).
 */
import { chainIn } from '@kassa/chains/chain.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { adapterOf } from '../../blockchains/chains/service.ts'
import type { NewOwnAddress, OwnAddress } from './own-address.ts'
import { insertOwnAddress, listOwnAbove, listOwnByKeys, lockOwnAddresses, lockWalletRows } from './store.ts'

export type { OwnAddress, OwnRole } from './own-address.ts'

/**
 * Adds an address that stays ours from now on; watchers know it before they read the next block. Harmless to repeat. The
 * caller has made sure that it belongs to no customer and no other wallet.
 * @throws Error when it has another wallet or role: the transaction must be rolled back
 */
export async function addOwnAddress(ctx: Context, own: NewOwnAddress): Promise<void> {
  const blockchain = findBlockchain(own.blockchainId)
  const codec = blockchain && adapterOf(blockchain.family)?.addresses
  if (!blockchain || !codec) throw new Error(`Addresses of blockchain ${own.blockchainId} cannot be read`)
  const chain = chainIn(ctx.config.network, blockchain)
  const key = Buffer.from(codec.key(chain, own.address))
  const familyId = findFamily(blockchain.family)?.id ?? 0
  const address = codec.format(chain, key)
  await inTransaction(ctx, async (tx) => {
    await lockOwnAddresses(tx, familyId)
    if (await insertOwnAddress(tx, { ...own, address, familyId, key })) return
    const [known] = await listOwnByKeys(tx, blockchain.id, [key])
    if (known?.role === own.role && known.walletId === own.walletId) return
    throw new Error(`The address ${address} is ours already, as another one`)
  })
}

/** Returns the own addresses of a blockchain among these keys. */
export function ownAddressesByKeys(ctx: Context, blockchainId: number, keys: readonly Buffer[]): Promise<OwnAddress[]> {
  return listOwnByKeys(ctx, blockchainId, keys)
}

/** Lists own addresses of a family above an id, ascending, for watchers to follow; ids of a family commit in order. */
export function ownAddressesAbove(
  ctx: Context,
  familyId: number,
  afterId: bigint,
  limit: number,
): Promise<OwnAddress[]> {
  return listOwnAbove(ctx, familyId, afterId, limit)
}

/** Locks wallets until the transaction ends: after the blockchain, before everything else (money.md 4.3, lock order). */
export async function lockWallets(tx: Context, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await lockWalletRows(tx, ids)
}
