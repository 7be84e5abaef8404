import { checksumAddress } from '@kassa/keys/address-text.ts'

import type { PrivateKeyCodec } from '../../adapter.ts'
import { accountOfPrivateKey, newPrivateKey, readPrivateKey } from '../../private-keys.ts'

/** Private keys of EVM chains. */
export const evmPrivateKeys: PrivateKeyCodec = {
  generate: newPrivateKey,
  parse: readPrivateKey,
  address: (_chain, key) => checksumAddress(accountOfPrivateKey(key)),
}
