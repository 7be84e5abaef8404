import type { ChainAdapter, DepositSource } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { FAMILIES } from '@kassa/primitives/chains/families.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../context.ts'
import { adapterOf } from '../blockchains/chains/service.ts'
import type { NewAddress, XpubRow } from './store.ts'

export type XpubSource = Pick<DepositSource, 'xpub' | 'path' | 'fingerprint'> & { walletId: number; familyId: number }

/** Derives the rows of `count` indexes from `first` on; the family shares one address over all of its blockchains. */
export function deriveAddresses(
  adapter: ChainAdapter,
  mode: NetworkMode,
  { xpub, path, fingerprint, walletId, familyId }: XpubSource,
  { first, count }: { first: number; count: number },
): NewAddress[] {
  const blockchain = BLOCKCHAINS.find(({ family }) => family === adapter.family)
  if (!blockchain) throw new Error(`No blockchain is of the family ${adapter.family}`)
  const chain = chainIn(mode, blockchain)
  return Array.from({ length: count }, (_, offset) => {
    const index = first + offset
    const address = adapter.deposits.derive(chain, { kind: 'xpub', xpub, path, fingerprint }, index)
    return {
      wallet_id: walletId,
      family_id: familyId,
      key: Buffer.from(adapter.addresses.key(chain, address)),
      address,
      derivation_index: index,
      path: `${path}/0/${index}`,
    }
  })
}

/** Derives addresses from a wallet's key. @throws FAMILY_UNSUPPORTED */
export function deriveFrom(ctx: Context, row: XpubRow, range: { first: number; count: number }): NewAddress[] {
  const family = FAMILIES.find(({ id }) => id === row.family_id)?.family
  const adapter = family && adapterOf(family)
  if (!adapter) return fail('FAMILY_UNSUPPORTED')
  const source = { ...row, walletId: row.wallet_id, familyId: row.family_id }
  return deriveAddresses(adapter, ctx.config.network, source, range)
}
