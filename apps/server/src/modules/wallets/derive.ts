import type { ChainAdapter, DepositSource } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'

import type { NewAddress } from './store.ts'

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
