import type { PrivateKeyCodec } from '../../adapter.ts'
import { accountOfPrivateKey, newPrivateKey, readPrivateKey } from '../../private-keys.ts'
import { addressText } from './addresses.ts'

/** Private keys of TRON: those of EVM chains, whose accounts are written differently. */
export const tronPrivateKeys: PrivateKeyCodec = {
  generate: newPrivateKey,
  parse: readPrivateKey,
  address: (_chain, key) => addressText(accountOfPrivateKey(key)),
}
