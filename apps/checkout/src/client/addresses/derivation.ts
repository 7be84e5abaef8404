import { accountOf, base58Text, checksumAddress, keyHashOf, segwitText } from '@kassa/keys/address-text.ts'
import { ACCOUNT_DEPTH, type ExtendedKey, parseExtendedKey } from '@kassa/keys/extended-key.ts'
import type { Kind } from '../../render/addresses.ts'

/** What an extended public key leads to, or why to nothing. */
export type Derived =
  | { readonly addresses: readonly string[] }
  | { readonly problem: 'secret' | 'badKey' }
  | { readonly problem: 'depth'; readonly depth: number }

const SHOWN = 20

/** As many words as the shortest recovery phrase has. */
const FEWEST_WORDS = 12

/** The first byte of an address of TRON. */
const TRON = 0x41

/** Derives the first 20 receiving addresses of an account. Text that could spend money is looked at no further. */
export function derive(pasted: string, kind: Kind): Derived {
  const text = pasted.trim()
  if (isSecret(text)) return { problem: 'secret' }
  const account = parseExtendedKey(text, ['xpub', 'tpub', 'zpub', 'vpub'])
  if (account === null) return { problem: 'badKey' }
  if (account.depth !== ACCOUNT_DEPTH) return { problem: 'depth', depth: account.depth }
  const receiving = account.child(0)
  return { addresses: Array.from({ length: SHOWN }, (_, index) => addressOf(receiving.child(index), kind)) }
}

/** Tells whether a text could spend money: an extended or raw private key, or recovery words. */
export function isSecret(text: string): boolean {
  const isExtended = /^[a-z]prv/i.test(text)
  const isRaw = /^(0x)?([0-9a-f]{64}|[0-9a-f]{128})$/i.test(text)
  const isWalletImport = /^[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}$/.test(text)
  return (
    isExtended ||
    isRaw ||
    isWalletImport ||
    text.split(/[\s,;]+/).filter((word) => /^\p{L}{3,}$/u.test(word)).length >= FEWEST_WORDS
  )
}

function addressOf({ kind: keyKind, publicKey }: ExtendedKey, kind: Kind): string {
  if (kind === 'bitcoin') {
    const isTest = keyKind === 'tpub' || keyKind === 'vpub'
    return segwitText(isTest ? 'tb' : 'bc', { version: 0, program: keyHashOf(publicKey) })
  }
  const account = accountOf(publicKey)
  return kind === 'tron' ? base58Text(Uint8Array.of(TRON, ...account)) : checksumAddress(account)
}
