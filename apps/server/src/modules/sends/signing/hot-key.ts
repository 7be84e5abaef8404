import type { ChainSender } from '@kassa/chains/adapter.ts'
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'

import type { Context } from '../../../context.ts'
import { adapterOf, type BlockchainRow, listBlockchains } from '../../blockchains/chains/service.ts'
import { open } from '../../vaults/service.ts'
import { findHotKey, type HotKey } from '../record/store.ts'

/** A wallet on a blockchain, with its key and the adapter that signs and sends for it. */
export type Signer = { readonly row: BlockchainRow; readonly sender: ChainSender; readonly key: HotKey }

/** Finds the signer of a wallet on a blockchain, or says why there is none. */
export async function findSigner(
  ctx: Context,
  { walletId, blockchainId }: { readonly walletId: number; readonly blockchainId: number },
): Promise<Signer | 'no_sender' | 'no_wallet'> {
  const row = (await listBlockchains(ctx)).find(({ id }) => id === blockchainId)
  const sender = row && adapterOf(row.definition.family)?.sender
  if (!sender) return 'no_sender'
  const familyId = findFamily(row.definition.family)?.id ?? 0
  const key = await findHotKey(ctx, walletId, familyId)
  return key ? { row, sender, key } : 'no_wallet'
}

/**
 * Opens the key of a wallet for one signature and overwrites it afterwards; null while its vault is locked. Call it outside of
 * transactions, because opening stores that a secret cannot be read.
 */
export async function withKey<T>(
  ctx: Context,
  { key }: Signer,
  use: (key: Uint8Array) => Promise<T>,
): Promise<T | null> {
  const opened = await open(ctx, key.secretId).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'VAULT_LOCKED') return null
    throw error
  })
  if (!opened) return null
  try {
    return await use(opened)
  } finally {
    opened.fill(0)
  }
}
