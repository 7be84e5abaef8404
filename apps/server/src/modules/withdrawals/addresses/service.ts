/** Addresses that money is sent to: read strictly, and refused when the money would not arrive or could never come back. */
import type { Address, AddressKey } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { InvalidInput } from '@kassa/chains/errors.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Blockchain } from '@kassa/primitives/chains/blockchain.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'

import type { Context } from '../../../context.ts'
import { adapterOf, listAssets } from '../../blockchains/chains/service.ts'
import { ownAddressesByKeys } from '../../wallets/own-addresses/service.ts'
import { addressesByKeys } from '../../wallets/service.ts'
import { isUnspendable } from './rules.ts'

/** An address in its family's spelling, with the bytes that addresses are compared by. */
export type Payee = { readonly blockchain: Blockchain; readonly address: Address; readonly key: Buffer }

/** Why an address cannot be paid, whatever the policy of the project says. */
export type AddressProblem = 'address_is_ours' | 'address_blocked'

/**
 * Reads an address of a blockchain strictly.
 * @throws FAMILY_UNSUPPORTED where this server sends nothing, ADDRESS_INVALID with the reason
 */
export function parsePayee(ctx: Context, blockchain: Blockchain, text: string, field = 'address'): Payee {
  const adapter = adapterOf(blockchain.family)
  if (!adapter?.sender) return fail('FAMILY_UNSUPPORTED')
  const chain = chainIn(ctx.config.network, blockchain)
  try {
    const address = adapter.addresses.parse(chain, text)
    return { blockchain, address, key: Buffer.from(adapter.addresses.key(chain, address)) }
  } catch (thrown) {
    if (thrown instanceof InvalidInput) return refuse(blockchain.name, thrown.message, field)
    throw thrown
  }
}

/** Reads an address of whichever family has this spelling. @throws ADDRESS_INVALID */
export function parseAnyAddress(ctx: Context, text: string, field: string): Address {
  const families = BLOCKCHAINS.filter(
    ({ family }, index) => adapterOf(family) && BLOCKCHAINS.findIndex((one) => one.family === family) === index,
  )
  const reasons: string[] = []
  for (const blockchain of families) {
    const chain = chainIn(ctx.config.network, blockchain)
    try {
      return adapterOf(blockchain.family)?.addresses.parse(chain, text) ?? fail('FAMILY_UNSUPPORTED')
    } catch (thrown) {
      if (!(thrown instanceof InvalidInput)) throw thrown
      reasons.push(thrown.message)
    }
  }
  return refuse(families.map(({ name }) => name).join(' or '), `${text}: ${reasons[0] ?? 'unknown'}`, field)
}

function refuse(chain: string, reason: string, field: string): never {
  return fail('ADDRESS_INVALID', { values: { chain }, details: `${reason}.`, fields: { [field]: reason } })
}

/**
 * Says why an address is never paid: it is ours, a token's contract, the zero address or a burn address; null when it can be
 * paid.
 */
export async function problemOf(ctx: Context, { blockchain, key }: Payee): Promise<AddressProblem | null> {
  if (isUnspendable(key) || (await isToken(ctx, blockchain, key))) return 'address_blocked'
  const family = findFamily(blockchain.family) ?? fail('FAMILY_UNSUPPORTED')
  if ((await addressesByKeys(ctx, family.id, [key])).length > 0) return 'address_is_ours'
  const own = await ownAddressesByKeys(ctx, blockchain.id, [key])
  // A cold wallet may be paid: that is how the excess of a hot wallet gets there.
  return own.some(({ role }) => role !== 'cold') ? 'address_is_ours' : null
}

/** Refuses an address that is never paid. @throws ADDRESS_IS_OURS, ADDRESS_BLOCKED */
export async function requirePayable(ctx: Context, payee: Payee): Promise<void> {
  const problem = await problemOf(ctx, payee)
  if (problem === null) return
  const code = problem === 'address_is_ours' ? 'ADDRESS_IS_OURS' : 'ADDRESS_BLOCKED'
  fail(code, { fields: { address: REASONS[problem] }, details: `${REASONS[problem]}.` })
}

const REASONS: Readonly<Record<AddressProblem, string>> = {
  address_is_ours: 'This address belongs to this install',
  address_blocked: 'This is the contract of a token or an address that no key can spend from',
}

async function isToken(ctx: Context, blockchain: Blockchain, key: AddressKey): Promise<boolean> {
  const chain = chainIn(ctx.config.network, blockchain)
  const adapter = adapterOf(blockchain.family)
  const assets = await listAssets(ctx)
  return assets.some(({ blockchainId, standard, address }) => {
    if (!adapter || blockchainId !== blockchain.id || standard === 'native') return false
    return Buffer.from(adapter.addresses.key(chain, address)).equals(Buffer.from(key))
  })
}
