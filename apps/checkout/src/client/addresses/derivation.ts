import { isSecret } from '@kassa/keys/secret-text.ts'
import { accountOf, base58Text, checksumAddress } from '@kassa/keys/address-text.ts'
import { bitcoinAddress, type ScriptKind, scriptKindOf } from '@kassa/keys/bitcoin-accounts.ts'
import { ACCOUNT_DEPTH, EXTENDED_KEY_KINDS, type ExtendedKey, parseExtendedKey } from '@kassa/keys/extended-key.ts'
import type { Kind } from '../../render/addresses.ts'
import { readList } from './address-list.ts'

/** The addresses of an extended public key, or why there are none. */
export type Derived =
  | { readonly addresses: readonly string[] }
  | { readonly problem: 'secret' | 'badKey' | 'badList' }
  | { readonly problem: 'depth'; readonly depth: number }

const ADDRESS_COUNT = 20

/** The first byte of a TRON address. */
const TRON_PREFIX = 0x41

const TEST_KINDS: ReadonlySet<string> = new Set(['tpub', 'upub', 'vpub'])

/** Of a key that does not say it, as most wallets have it. */
const USUAL_SCRIPT: ScriptKind = 'p2wpkh'

/**
 * Derives the first 20 receiving addresses of an account, or shows those of a list. A private key or recovery phrase is
 * rejected unparsed.
 */
export function derive(pasted: string, kind: Kind): Derived {
  const text = pasted.trim()
  if (kind === 'solana') return readList(text, ADDRESS_COUNT)
  if (isSecret(text)) return { problem: 'secret' }
  const account = parseExtendedKey(text, EXTENDED_KEY_KINDS)
  if (account === null) return { problem: 'badKey' }
  if (account.depth !== ACCOUNT_DEPTH) return { problem: 'depth', depth: account.depth }
  const receiving = account.child(0)
  return { addresses: Array.from({ length: ADDRESS_COUNT }, (_, index) => addressOf(receiving.child(index), kind)) }
}

function addressOf({ kind: keyKind, publicKey }: ExtendedKey, kind: Kind): string {
  if (kind === 'bitcoin') {
    const network = TEST_KINDS.has(keyKind) ? 'testnet' : 'mainnet'
    return bitcoinAddress(network, scriptKindOf(keyKind, '') ?? USUAL_SCRIPT, publicKey)
  }
  const account = accountOf(publicKey)
  return kind === 'tron' ? base58Text(Uint8Array.of(TRON_PREFIX, ...account)) : checksumAddress(account)
}
