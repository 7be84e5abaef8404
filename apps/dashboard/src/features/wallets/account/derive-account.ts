import { t } from '@lingui/core/macro'
import { accountOf, base58Text, checksumAddress } from '@kassa/keys/address-text.ts'
import {
  type BitcoinNetwork,
  bitcoinAccountPath,
  bitcoinAddress,
  keyKindsOf,
  type ScriptKind,
  scriptKindOf,
} from '@kassa/keys/bitcoin-accounts.ts'
import {
  ACCOUNT_DEPTH,
  type ExtendedKey,
  type ExtendedKeyKind,
  parseExtendedKey,
  publicKeyOfSeed,
} from '@kassa/keys/extended-key.ts'
import { isSecret } from '@kassa/keys/secret-text.ts'

import { ACCOUNT_PATHS } from './account-path.ts'
import { BITCOIN, type KeyFamily, type OnePathFamily } from './families.ts'

/** An account's public side, and its first addresses to compare with another wallet. */
export type Account = {
  readonly family: KeyFamily
  readonly xpub: string
  /** Where the account is in its wallet. */
  readonly path: string
  /** The key does not say itself which addresses it has: its path does. */
  readonly needsPath?: true
  readonly firstAddresses: readonly string[]
}

/** Enough addresses to compare; chance does not make three of them equal. */
const SHOWN = 3

/** The first byte of a TRON address (TIP-26). */
const TRON_PREFIX = 0x41

const WRITTEN: Readonly<Record<OnePathFamily, (key: Uint8Array) => string>> = {
  ETH_Family: checksumAddress,
  TRX_Family: (key) => base58Text(Uint8Array.of(TRON_PREFIX, ...key)),
}

/** Returns the account of an extended public key. @throws Error with a sentence for the field when it is none */
export function readAccount(xpub: string, family: OnePathFamily): Account {
  const path = ACCOUNT_PATHS[family]
  const account = readKey(xpub, ['xpub'], path)
  const firstAddresses = addressesOf(account, (publicKey) => WRITTEN[family](accountOf(publicKey)))
  return { family, xpub, path, firstAddresses }
}

/**
 * Returns the account of a Bitcoin wallet's extended public key; `script` counts for a key that does not say which addresses
 * it has. @throws Error with a sentence for the field when it is none
 */
export function readBitcoinAccount(xpub: string, network: BitcoinNetwork, script: ScriptKind): Account {
  const kinds = keyKindsOf(network)
  const account = readKey(xpub, Object.values(kinds), bitcoinAccountPath(script, network))
  const used = scriptKindOf(account.kind, '') ?? script
  const firstAddresses = addressesOf(account, (publicKey) => bitcoinAddress(network, used, publicKey))
  const found: Account = { family: BITCOIN, xpub, path: bitcoinAccountPath(used, network), firstAddresses }
  return account.kind === kinds.unstated ? { ...found, needsPath: true } : found
}

/** Returns the account that a wallet's seed (BIP-39) leads to; nothing private is left in the answer. */
export function accountOfSeed(seed: Uint8Array, family: OnePathFamily): Account {
  return readAccount(publicKeyOfSeed(seed, ACCOUNT_PATHS[family]), family)
}

function readKey(xpub: string, kinds: readonly ExtendedKeyKind[], path: string): ExtendedKey {
  if (isSecret(xpub)) throw new Error(t`This key is not public`)
  const account = parseExtendedKey(xpub, kinds)
  if (account === null) throw new Error(t`The key is damaged: copy all of it again`)
  if (account.depth !== ACCOUNT_DEPTH) {
    const { depth } = account
    throw new Error(t`This key is at depth ${depth}; paste the account’s key (${path})`)
  }
  return account
}

function addressesOf(account: ExtendedKey, addressOf: (publicKey: Uint8Array) => string): string[] {
  const receiving = account.child(0)
  return Array.from({ length: SHOWN }, (_, index) => addressOf(receiving.child(index).publicKey))
}
