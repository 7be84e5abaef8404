import { HDKey } from '@scure/bip32'
import { isSecret } from './secret-text.ts'

/**
 * First bytes of a public key that say its purpose: xpub and tpub (BIP-32); zpub and vpub are for native SegWit, ypub and upub
 * for SegWit inside a script hash (SLIP-132).
 */
const VERSIONS = {
  xpub: 0x04_88_b2_1e,
  tpub: 0x04_35_87_cf,
  ypub: 0x04_9d_7c_b2,
  upub: 0x04_4a_52_62,
  zpub: 0x04_b2_47_46,
  vpub: 0x04_5f_1c_f6,
} as const

/** A version that no private key has, so that a private key is never parsed. */
const NO_PRIVATE_KEY = 0

/** 78 bytes in Base58Check have 111 characters; much longer text is not parsed at all. */
const LONGEST = 120

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/

/** How deep the key of an account is (BIP-44): m / purpose' / coin' / account'. */
export const ACCOUNT_DEPTH = 3

export type ExtendedKeyKind = keyof typeof VERSIONS

export const EXTENDED_KEY_KINDS = Object.keys(VERSIONS) as readonly ExtendedKeyKind[]

/** Returns the kind of key that a text claims to be; null when it claims none. */
export function extendedKeyKind(text: string): ExtendedKeyKind | null {
  return EXTENDED_KEY_KINDS.find((kind) => text.startsWith(kind)) ?? null
}

/** An extended public key: addresses can be derived from it, but nothing can be spent with it. */
export type ExtendedKey = {
  readonly kind: ExtendedKeyKind
  readonly depth: number
  /** Its index below its parent; hardened from 2^31 on. */
  readonly index: number
  /** BIP-32 fingerprint of this key, 8 hex digits. */
  readonly fingerprint: string
  readonly publicKey: Uint8Array
  readonly chainCode: Uint8Array
  /** Derives the child of a plain index. @throws Error when there is none, whose probability is negligible (BIP-32) */
  child(index: number): ExtendedKey
}

/** Reads an extended public key; null when it is damaged, of another kind, or not a public key. */
export function parseExtendedKey(text: string, kinds: readonly ExtendedKeyKind[]): ExtendedKey | null {
  const kind = kinds.find((one) => text.startsWith(one))
  if (kind === undefined || text.length > LONGEST || !BASE58.test(text) || isSecret(text)) return null
  try {
    return keyOf(kind, HDKey.fromExtendedKey(text, { public: VERSIONS[kind], private: NO_PRIVATE_KEY }))
  } catch {
    return null
  }
}

/** Returns the extended public key at a path of a wallet's seed (BIP-39); private keys are overwritten. */
export function publicKeyOfSeed(seed: Uint8Array, path: string): string {
  const root = HDKey.fromMasterSeed(seed)
  const node = root.derive(path)
  const text = node.publicExtendedKey
  root.wipePrivateData()
  node.wipePrivateData()
  return text
}

function keyOf(kind: ExtendedKeyKind, node: HDKey): ExtendedKey {
  const { depth, index, publicKey, chainCode } = node
  if (!publicKey || !chainCode) throw new Error('The key has no public part')
  return {
    kind,
    depth,
    index,
    publicKey,
    chainCode,
    fingerprint: node.fingerprint.toString(16).padStart(8, '0'),
    child: (at) => keyOf(kind, node.deriveChild(at)),
  }
}
