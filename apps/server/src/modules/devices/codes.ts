/** Codes and keys of signing devices. */
import { createHmac, createPublicKey } from 'node:crypto'

/** The code of a pairing: six digits, computed from its row with a key that is outside of the database. */
export function codeOf(key: Buffer, { id, nonce }: { readonly id: number; readonly nonce: Buffer }): string {
  const digest = createHmac('sha256', key).update(`device-pairing:${id}:`).update(nonce).digest()
  return String(digest.readBigUInt64BE() % 1_000_000n).padStart(6, '0')
}

/** The prefix before the 32 bytes of an Ed25519 key in its usual form (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** Reads a public key of Ed25519, written in hex, base64 or base64url; null when it is none. */
export function readPublicKey(text: string): Buffer | null {
  const trimmed = text.trim()
  const bytes = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64')
  if (bytes.length !== 32) return null
  try {
    createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' })
    return bytes
  } catch {
    return null
  }
}
