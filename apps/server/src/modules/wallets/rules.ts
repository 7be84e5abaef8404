import type { ChainAdapter, DepositSource } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'

import type { NewAddress } from './store.ts'

/** Addresses derived ahead per wallet: below `low` the pool is filled up to `high` (money.md 1.6). */
export const POOL = { low: 500, high: 2000 } as const

/** Addresses derived in one go: about 20 ms of work, after which other requests get their turn. */
export const CHUNK = 50

/** How many more addresses a pool wants, 0 while it has enough. */
export function missingAddresses(open: number): number {
  return open >= POOL.low ? 0 : POOL.high - open
}

/** Shows enough of an extended public key to recognise it: it links all payers of a wallet. */
export function maskXpub(xpub: string): string {
  return `${xpub.slice(0, 6)}…${xpub.slice(-6)}`
}

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
