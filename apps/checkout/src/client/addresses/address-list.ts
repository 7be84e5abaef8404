import { depositProofMessage, readSolanaAddress, readSolanaSignature } from '@kassa/keys/solana/address.ts'
import { isSecret } from '@kassa/keys/secret-text.ts'
import { ed25519 } from '@noble/curves/ed25519.js'

/** The addresses of a list, or why it is none. */
export type ReadList = { readonly addresses: readonly string[] } | { readonly problem: 'secret' | 'badList' }

/** A key file of Solana's own tools is a list of 64 numbers. */
const KEY_FILE = /^\[[\d\s,]+\]$/

/** Reads the first addresses of a list that the signer made; each of them signed its place in it. */
export function readList(text: string, count: number): ReadList {
  if (KEY_FILE.test(text)) return { problem: 'secret' }
  const rows = rowsOf(text)
  if (rows === null) return { problem: isSecret(text) ? 'secret' : 'badList' }
  const addresses = rows.slice(0, count).map(provenAddress)
  const proven = addresses.filter((one) => one !== null)
  return proven.length > 0 && proven.length === addresses.length ? { addresses: proven } : { problem: 'badList' }
}

function rowsOf(text: string): readonly unknown[] | null {
  try {
    const { addresses } = JSON.parse(text) as { readonly addresses?: unknown }
    return Array.isArray(addresses) ? addresses : null
  } catch {
    return null
  }
}

function provenAddress(row: unknown): string | null {
  const { address, index, signature } = (row ?? {}) as Readonly<Record<string, unknown>>
  if (typeof address !== 'string' || typeof signature !== 'string' || !Number.isSafeInteger(index)) return null
  const [key, proof] = [readSolanaAddress(address), readSolanaSignature(signature)]
  try {
    return key && proof && ed25519.verify(proof, depositProofMessage(Number(index)), key) ? address : null
  } catch {
    return null
  }
}
