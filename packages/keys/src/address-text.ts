import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { bech32, bech32m, createBase58check } from '@scure/base'

/** Bytes by which EVM networks and TRON know an account. */
const ACCOUNT_BYTES = 20

/**
 * Writes 20 bytes as EVM networks print an address, with the mixed-case checksum of EIP-55.
 * @throws RangeError when there are not exactly 20 bytes
 */
export function checksumAddress(key: Uint8Array): string {
  if (key.length !== ACCOUNT_BYTES) throw new RangeError('An address key has 20 bytes')
  const digits = bytesToHex(key)
  const hash = keccak_256(utf8ToBytes(digits))
  let text = '0x'
  for (let at = 0; at < digits.length; at += 1) {
    const byte = hash[at >> 1] ?? 0
    const nibble = at % 2 === 0 ? byte >> 4 : byte & 15
    text += nibble >= 8 ? digits.charAt(at).toUpperCase() : digits.charAt(at)
  }
  return text
}

/** Computes the 20 bytes by which EVM networks and TRON know the account of a public key, compressed or not. */
export function accountOf(publicKey: Uint8Array): Uint8Array {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)
  return keccak_256(point).subarray(-ACCOUNT_BYTES)
}

/** Computes the 20 bytes by which Bitcoin knows a compressed public key (BIP-141, HASH160). */
export function keyHashOf(publicKey: Uint8Array): Uint8Array {
  return ripemd160(sha256(publicKey))
}

const base58check = createBase58check(sha256)

/** Writes bytes in Base58Check: TRON's addresses, and Bitcoin's before SegWit; the first byte says which. */
export function base58Text(bytes: Uint8Array): string {
  return base58check.encode(bytes)
}

/** Reads bytes written in Base58Check; null when a character or the checksum is wrong. */
export function readBase58(text: string): Uint8Array | null {
  try {
    return base58check.decode(text)
  } catch {
    return null
  }
}

/** A SegWit output: its version and the hash or key that may spend it. */
export type SegwitProgram = { readonly version: number; readonly program: Uint8Array }

/** BIP-141: 2 to 40 bytes, and of version 0 exactly 20 or 32. */
const LAST_VERSION = 16

/** Writes a SegWit address: bech32 for version 0 (BIP-173), bech32m for those after it (BIP-350). */
export function segwitText(prefix: string, { version, program }: SegwitProgram): string {
  if (!isProgram({ version, program })) throw new RangeError('There is no SegWit program of this version and length')
  const form = formOf(version)
  return form.encode(prefix, [version, ...form.toWords(program)])
}

/** Reads a SegWit address of one network; null when it belongs elsewhere, is damaged or has the other checksum. */
export function readSegwit(prefix: string, text: string): SegwitProgram | null {
  const decoded = bech32.decodeUnsafe(text) ?? bech32m.decodeUnsafe(text)
  const [version, ...words] = decoded?.words ?? []
  if (decoded?.prefix !== prefix || version === undefined) return null
  const form = formOf(version)
  const program = form.fromWordsUnsafe(words)
  if (form.decodeUnsafe(text) === undefined || !program || !isProgram({ version, program })) return null
  return { version, program }
}

function formOf(version: number) {
  return version === 0 ? bech32 : bech32m
}

function isProgram({ version, program: { length } }: SegwitProgram): boolean {
  if (!Number.isInteger(version) || version < 0 || version > LAST_VERSION) return false
  return version === 0 ? length === 20 || length === 32 : length >= 2 && length <= 40
}
