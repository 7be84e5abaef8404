import { base58 } from '@scure/base'

/** Bytes of an address of Solana: an ed25519 public key, or a point off its curve that a program commands. */
export const SOLANA_KEY_BYTES = 32

const SIGNATURE_BYTES = 64

/** Writes bytes as Solana prints them: base58 without a checksum. */
export function plainBase58(bytes: Uint8Array): string {
  return base58.encode(bytes)
}

/** Reads the 32 bytes of an address of Solana; null for other text. */
export function readSolanaAddress(text: string): Uint8Array | null {
  return readExactly(text, SOLANA_KEY_BYTES)
}

/** Reads the 64 bytes of a signature, which also identify a transaction of Solana; null for other text. */
export function readSolanaSignature(text: string): Uint8Array | null {
  return readExactly(text, SIGNATURE_BYTES)
}

/** The message that the key of a deposit address signs to prove that the key exists: the address's place in its list. */
export function depositProofMessage(index: number): Uint8Array {
  return new TextEncoder().encode(`kassa-deposit:${index}`)
}

/** The cost of reading Base58 grows with its length, so longer texts are refused first. */
const MOST_CHARACTERS = 90

function readExactly(text: string, length: number): Uint8Array | null {
  if (text.length > MOST_CHARACTERS) return null
  try {
    const bytes = base58.decode(text)
    return bytes.length === length ? bytes : null
  } catch {
    return null
  }
}
