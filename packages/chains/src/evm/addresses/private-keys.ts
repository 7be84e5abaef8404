import { accountOf, checksumAddress } from '@kassa/keys/address-text.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'

import type { PrivateKeyCodec } from '../../adapter.ts'
import { InvalidInput } from '../../errors.ts'
import { fromHex } from '../encoding/hex.ts'

/** Private keys of EVM chains: a scalar of secp256k1, 32 bytes, from 1 to the order of the group less 1 (SEC 1, 3.2.1). */
export const evmPrivateKeys: PrivateKeyCodec = {
  generate: () => secp256k1.utils.randomSecretKey(),

  parse(text) {
    const digits = text.trim().replace(/^0x/i, '')
    if (/^[a-z]prv/i.test(digits)) refuse('This is an extended key of many addresses: export the key of one account')
    if (/\s/.test(digits)) refuse('This is not a key but a phrase: export the key of one account')
    if (digits.length !== 64) refuse('A private key here has 64 digits')
    if (!/^[0-9a-f]*$/i.test(digits)) refuse('A private key here has the digits 0–9 and a–f only')
    const key = fromHex(`0x${digits}`)
    if (!secp256k1.utils.isValidSecretKey(key)) refuse('No account has this key: it is zero or too large')
    return key
  },

  address: (_chain, key) => checksumAddress(accountOf(secp256k1.getPublicKey(key))),
}

function refuse(reason: string): never {
  throw new InvalidInput('PRIVATE_KEY_INVALID', reason)
}
