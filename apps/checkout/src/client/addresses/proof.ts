import { ed25519 } from '@noble/curves/ed25519.js'

/** What a proof is about (docs/design/api.md, DepositAddress). */
export type Claim = { readonly reference: string; readonly blockchainCode: string; readonly address: string }

/** Tells whether the key signed "this address belongs to this payment on this network" (RFC 8032); key and proof are base64. */
export function isProven({ reference, blockchainCode, address }: Claim, proof: string, publicKey: string): boolean {
  const message = new TextEncoder().encode(`kassa address proof 1\n${reference}\n${blockchainCode}\n${address}`)
  try {
    return ed25519.verify(bytesOf(proof), message, bytesOf(publicKey))
  } catch {
    return false
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
