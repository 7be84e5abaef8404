import type { AddressCodec, Chain } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { InvalidInput } from '@kassa/chains/errors.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../../context.ts'
import { adapterOf, type BlockchainRow } from '../../blockchains/chains/service.ts'

/** The bytes of an address of a blockchain. */
export function keyOf(ctx: Context, blockchain: BlockchainRow, address: string): Buffer {
  const { codec, chain } = codecOf(ctx, blockchain)
  return Buffer.from(codec.key(chain, address))
}

/** Reads a typed address, strictly. @throws ADDRESS_INVALID */
export function parseAddress(ctx: Context, blockchain: BlockchainRow, text: string): string {
  const { codec, chain } = codecOf(ctx, blockchain)
  try {
    return codec.parse(chain, text)
  } catch (thrown) {
    if (!(thrown instanceof InvalidInput)) throw thrown
    return fail('ADDRESS_INVALID', { values: { chain: blockchain.name }, details: thrown.message })
  }
}

function codecOf(ctx: Context, { definition }: BlockchainRow): { codec: AddressCodec; chain: Chain } {
  const codec = adapterOf(definition.family)?.addresses ?? fail('FAMILY_UNSUPPORTED')
  return { codec, chain: chainIn(ctx.config.network, definition) }
}
