import { t } from '@lingui/core/macro'
import { accountOf, base58Text, checksumAddress } from '@kassa/keys/address-text.ts'
import { ACCOUNT_DEPTH, parseExtendedKey, publicKeyOfSeed } from '@kassa/keys/extended-key.ts'
import { isSecret } from '@kassa/keys/secret-text.ts'

import { ACCOUNT_PATHS } from './account-path.ts'
import type { KeyFamily } from './families.ts'

/** An account's public side, and its first addresses to compare with another wallet. */
export type Account = {
  readonly family: KeyFamily
  readonly xpub: string
  readonly firstAddresses: readonly string[]
}

/** Enough addresses to compare; chance does not make three of them equal. */
const SHOWN = 3

/** The first byte of a TRON address (TIP-26). */
const TRON_PREFIX = 0x41

const WRITTEN: Readonly<Record<KeyFamily, (key: Uint8Array) => string>> = {
  ETH_Family: checksumAddress,
  TRX_Family: (key) => base58Text(Uint8Array.of(TRON_PREFIX, ...key)),
}

/** Returns the account of an extended public key. @throws Error with a sentence for the field when it is none */
export function readAccount(xpub: string, family: KeyFamily): Account {
  if (isSecret(xpub)) throw new Error(t`This key is not public`)
  const account = parseExtendedKey(xpub, ['xpub'])
  if (account === null) throw new Error(t`The key is damaged: copy all of it again`)
  if (account.depth !== ACCOUNT_DEPTH) {
    const [{ depth }, path] = [account, ACCOUNT_PATHS[family]]
    throw new Error(t`This key is at depth ${depth}; paste the account’s key (${path})`)
  }
  const receiving = account.child(0)
  const firstAddresses = Array.from({ length: SHOWN }, (_, index) =>
    WRITTEN[family](accountOf(receiving.child(index).publicKey)),
  )
  return { family, xpub, firstAddresses }
}

/** Returns the account that a wallet's seed (BIP-39) leads to; nothing private is left in the answer. */
export function accountOfSeed(seed: Uint8Array, family: KeyFamily): Account {
  return readAccount(publicKeyOfSeed(seed, ACCOUNT_PATHS[family]), family)
}
