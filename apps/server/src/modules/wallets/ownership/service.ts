// Whose an address is. Money that one wallet sends to another, to a token's contract or to a customer's deposit address would
// be lost or counted twice, so no address has two roles (money.md 5.1).
import { fail } from '@kassa/contract/kit/api-error.ts'
import { assetsIn } from '@kassa/primitives/chains/assets.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import type { Family } from '@kassa/primitives/chains/families.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { adapterOf } from '../../blockchains/chains/service.ts'
import type { Context } from '../../../context.ts'
import { listOwners, lockOwnership } from './store.ts'

const WHAT_IT_IS = {
  deposit: 'It is the deposit address of a customer.',
  hot: 'It is a hot wallet of this install.',
  cold: 'It is a cold wallet of this install.',
  vault: 'It is a contract of this install.',
  factory: 'It is a contract of this install.',
  master: 'It owns a sweep contract of this install: a thief of its key must not get what was swept, too.',
  token: 'It is the contract of a token: what is sent there is lost.',
}

/**
 * Makes sure that a new wallet may have an address, and keeps others from taking it until the open transaction ends. With
 * `sharedAs` the address may have that role already, because one cold address or one contract can serve on several blockchains.
 * On test networks the owner of a sweep contract may have another role too, because published scripts use one key for both.
 * @throws ADDRESS_IS_OURS with its role
 */
export async function requireNotOurs(
  ctx: Context,
  family: Family,
  key: Buffer,
  { sharedAs }: { readonly sharedAs?: 'cold' | 'vault' } = {},
): Promise<void> {
  await lockOwnership(ctx, family.id)
  const isApart = ctx.config.network === 'mainnet'
  const owner = (await listOwners(ctx, family.id, key)).find(
    ({ role }) => role !== sharedAs && (role !== 'master' || isApart),
  )
  const role = owner?.role ?? (isToken(ctx, family, key) ? 'token' : null)
  if (role !== null) fail('ADDRESS_IS_OURS', { details: WHAT_IT_IS[role] })
}

function isToken(ctx: Context, family: Family, key: Buffer): boolean {
  const codec = adapterOf(family.family)?.addresses
  if (!codec) return false
  return assetsIn(ctx.config.network).some(({ blockchain, standard, address }) => {
    const definition = BLOCKCHAINS.find(({ code }) => code === blockchain)
    if (definition?.family !== family.family || standard === 'native') return false
    return key.equals(codec.key(chainIn(ctx.config.network, definition), address))
  })
}
