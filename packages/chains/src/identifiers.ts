import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import type { ChainFamily } from '@kassa/primitives/chains/families.ts'
import type { Address, TxId } from './adapter.ts'
import { adapterOf } from './adapters.ts'
import { chainIn } from './chain.ts'
import { InvalidInput } from './errors.ts'

/** What a text may be on one chain family: the id of a transaction as that family prints it. */
export type TransactionId = { readonly family: ChainFamily; readonly txId: TxId }

/** 32 bytes in hexadecimal, alone or inside the address of an explorer's page. */
const HEX_HASH = /(?:^|[^0-9a-z])(0x)?([0-9a-f]{64})(?![0-9a-z])/i

/** A Solana signature: 64 bytes in base 58, which take 86 to 88 characters but for leading zeros. */
const BASE58_SIGNATURE = /(?:^|[^0-9a-z])([1-9A-HJ-NP-Za-km-z]{80,88})(?![0-9a-z])/i

/**
 * Reads what people paste as a transaction's hash: the hash with or without 0x, or the address of a page that shows it.
 * Lists the families on which such a transaction can be, the likeliest first; empty when the text holds no hash.
 */
export function readTransactionIds(text: string): TransactionId[] {
  const [, prefix, digits] = HEX_HASH.exec(text) ?? []
  if (digits) {
    const hash = digits.toLowerCase()
    const prefixed: TransactionId = { family: 'ETH_Family', txId: `0x${hash}` }
    if (prefix) return [prefixed]
    return [{ family: 'TRX_Family', txId: hash }, { family: 'BTC_Family', txId: hash }, prefixed]
  }
  const [, signature] = BASE58_SIGNATURE.exec(text) ?? []
  return signature ? [{ family: 'SOL_Family', txId: signature }] : []
}

/** Reads any spelling of an address as those of the families that it can be on; empty when the text is none. */
export function readAddresses(text: string): Address[] {
  const found = BLOCKCHAINS.flatMap((blockchain) => {
    const codec = adapterOf(blockchain.family)?.addresses
    const modes = Object.keys(blockchain.networks) as NetworkMode[]
    return codec ? modes.flatMap((mode) => orNone(() => codec.normalize(chainIn(mode, blockchain), text))) : []
  })
  return [...new Set(found)]
}

function orNone(read: () => Address): Address[] {
  try {
    return [read()]
  } catch (error) {
    if (error instanceof InvalidInput) return []
    throw error
  }
}
