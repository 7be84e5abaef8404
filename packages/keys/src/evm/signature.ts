import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { accountOf, checksumAddress } from '../address-text.ts'
import { wordOf } from './create2.ts'

/** A signature of secp256k1 from which its signer can be recovered; `yParity` is 0 or 1. */
export type Signature = { readonly yParity: number; readonly r: bigint; readonly s: bigint }

/** Signs a digest of 32 bytes; the signature has the low s of EIP-2. */
export function signDigest(digest: Uint8Array, key: Uint8Array): Signature {
  const bytes = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  return { yParity: bytes[0] ?? 0, r: numberIn(bytes.subarray(1, 33)), s: numberIn(bytes.subarray(33)) }
}

/**
 * Returns the account that signed a digest; null for an invalid signature, or one with a high s, which anybody could derive
 * from a valid one (EIP-2).
 */
export function signerOf(digest: Uint8Array, { yParity, r, s }: Signature): string | null {
  const { n } = secp256k1.Point.CURVE()
  if ((yParity !== 0 && yParity !== 1) || r <= 0n || r >= n || s <= 0n || s > n / 2n) return null
  try {
    const bytes = concatBytes(Uint8Array.of(yParity), wordOf(r), wordOf(s))
    return checksumAddress(accountOf(secp256k1.recoverPublicKey(bytes, digest, { prehash: false })))
  } catch {
    return null
  }
}

/** Reads a whole number from its bytes. */
export function numberIn(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`)
}
