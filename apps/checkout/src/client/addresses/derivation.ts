import { isSecret } from '@kassa/keys/secret-text.ts'
import { accountOf, base58Text, checksumAddress, keyHashOf, segwitText } from '@kassa/keys/address-text.ts'
import { ACCOUNT_DEPTH, type ExtendedKey, parseExtendedKey } from '@kassa/keys/extended-key.ts'
import type { Kind } from '../../render/addresses.ts'

/** The addresses of an extended public key, or why there are none. */
export type Derived =
  | { readonly addresses: readonly string[] }
  | { readonly problem: 'secret' | 'badKey' }
  | { readonly problem: 'depth'; readonly depth: number }

const ADDRESS_COUNT = 20

/** The first byte of a TRON address. */
const TRON_PREFIX = 0x41

/** Derives the first 20 receiving addresses of an account. A private key or recovery phrase is rejected unparsed. */
export function derive(pasted: string, kind: Kind): Derived {
  const text = pasted.trim()
  if (isSecret(text)) return { problem: 'secret' }
  const account = parseExtendedKey(text, ['xpub', 'tpub', 'zpub', 'vpub'])
  if (account === null) return { problem: 'badKey' }
  if (account.depth !== ACCOUNT_DEPTH) return { problem: 'depth', depth: account.depth }
  const receiving = account.child(0)
  return { addresses: Array.from({ length: ADDRESS_COUNT }, (_, index) => addressOf(receiving.child(index), kind)) }
}

function addressOf({ kind: keyKind, publicKey }: ExtendedKey, kind: Kind): string {
  if (kind === 'bitcoin') {
    const isTest = keyKind === 'tpub' || keyKind === 'vpub'
    return segwitText(isTest ? 'tb' : 'bc', { version: 0, program: keyHashOf(publicKey) })
  }
  const account = accountOf(publicKey)
  return kind === 'tron' ? base58Text(Uint8Array.of(TRON_PREFIX, ...account)) : checksumAddress(account)
}
