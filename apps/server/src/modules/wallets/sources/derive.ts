import type { Chain, ChainAdapter, DepositSource } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { FAMILIES } from '@kassa/primitives/chains/families.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../../context.ts'
import { adapterOf } from '../../blockchains/chains/service.ts'
import type { DerivedSource } from './store.ts'

/** A derived address, ready to be stored. */
export type NewAddress = {
  readonly wallet_id: number
  readonly family_id: number
  readonly key: Buffer
  readonly address: string
  readonly derivation_index: number
  readonly path: string
}

export type XpubSource = Pick<DepositSource, 'xpub' | 'path' | 'fingerprint'> & { walletId: number; familyId: number }

/** Derives the rows of `count` indexes from `first` on; one address serves on all blockchains of the family. */
function deriveAddresses(
  adapter: ChainAdapter,
  mode: NetworkMode,
  { xpub, path, fingerprint, walletId, familyId }: XpubSource,
  { first, count }: { first: number; count: number },
): NewAddress[] {
  const chain = chainOfFamily(adapter, mode)
  const { deposits } = adapter
  if (!deposits) return fail('FAMILY_UNSUPPORTED')
  return Array.from({ length: count }, (_, offset) => {
    const index = first + offset
    const address = deposits.derive(chain, { kind: 'xpub', xpub, path, fingerprint }, index)
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

/** Derives addresses from a wallet's source: its key, or the contract that commands them. @throws FAMILY_UNSUPPORTED */
export function deriveFrom(ctx: Context, row: DerivedSource, range: { first: number; count: number }): NewAddress[] {
  const family = FAMILIES.find(({ id }) => id === row.family_id)?.family
  const adapter = family && adapterOf(family)
  if (!adapter) return fail('FAMILY_UNSUPPORTED')
  const { wallet_id: walletId, family_id: familyId } = row
  if (row.kind === 'xpub') return deriveAddresses(adapter, ctx.config.network, { ...row, walletId, familyId }, range)
  const { vaults, addresses } = adapter
  if (!vaults) return fail('FAMILY_UNSUPPORTED')
  const chain = chainOfFamily(adapter, ctx.config.network)
  return Array.from({ length: range.count }, (_, offset) => {
    const salt = range.first + offset
    const address = vaults.deposit(chain, row.vault, salt)
    return {
      wallet_id: walletId,
      family_id: familyId,
      key: Buffer.from(addresses.key(chain, address)),
      address,
      derivation_index: salt,
      path: `${SALT_PATH}${salt}`,
    }
  })
}

/** The path of an address that a contract commands: who tries salts 1 to n finds every coin without this database. */
const SALT_PATH = 'salt/'

/** Any blockchain of the family; the address is the same on all of them. */
export function chainOfFamily({ family }: ChainAdapter, mode: NetworkMode): Chain {
  const blockchain = BLOCKCHAINS.find((one) => one.family === family)
  if (!blockchain) throw new Error(`No blockchain is of the family ${family}`)
  return chainIn(mode, blockchain)
}
