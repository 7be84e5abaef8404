import { plainBase58, readSolanaAddress, SOLANA_KEY_BYTES } from '@kassa/keys/solana/address.ts'
import type { AddressCodec, AddressKey } from '../../adapter.ts'
import { InvalidInput } from '../../errors.ts'

/** Addresses of Solana: 32 bytes in base58 without a checksum, so every letter and its case counts. */
export const solanaAddresses: AddressCodec = {
  parse(_chain, text) {
    if (readSolanaAddress(text)) return text
    throw new InvalidInput('ADDRESS_INVALID', 'An address here is 32 bytes in base58: 32 to 44 letters and digits')
  },
  format: (_chain, key) => addressText(key),
  key: (_chain, address) => addressKey(address),
  normalize(chain, text) {
    return solanaAddresses.parse(chain, text.trim())
  },
}

/** Writes 32 bytes as an address. @throws RangeError unless there are exactly 32 bytes */
export function addressText(key: AddressKey): string {
  if (key.length !== SOLANA_KEY_BYTES) throw new RangeError('An address key has 32 bytes')
  return plainBase58(key)
}

/** Reads the 32 bytes of an address. @throws RangeError when the text is not an address */
export function addressKey(address: string): AddressKey {
  const key = readSolanaAddress(address)
  if (!key) throw new RangeError('This is no address of Solana')
  return key
}
