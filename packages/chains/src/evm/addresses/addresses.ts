import { checksumAddress } from '@kassa/keys/address-text.ts'
import type { AddressCodec } from '../../adapter.ts'
import { InvalidInput } from '../../errors.ts'
import { fromHex } from '../encoding/hex.ts'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Addresses of EVM chains: 20 bytes, written with the mixed-case checksum of EIP-55, which is required of people. */
export const evmAddresses: AddressCodec = {
  parse(_chain, text) {
    if (!text.startsWith('0x')) throw new InvalidInput('ADDRESS_INVALID', 'An address here starts with 0x')
    if (text.length !== 42) throw new InvalidInput('ADDRESS_INVALID', 'An address here has 42 characters')
    if (!ADDRESS.test(text)) throw new InvalidInput('ADDRESS_INVALID', 'After 0x come the digits 0–9 and a–f only')
    if (text !== checksumAddress(fromHex(text))) {
      throw new InvalidInput('ADDRESS_INVALID', 'The checksum is wrong: copy the address again, with its capitals')
    }
    return text
  },
  format: (_chain, key) => checksumAddress(key),
  key: (_chain, address) => fromHex(address),
}
