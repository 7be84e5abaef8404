import { createPublicKey, verify } from 'node:crypto'
import { depositProofMessage, readSolanaAddress, readSolanaSignature } from '@kassa/keys/solana/address.ts'
import type { AddressLists } from '../../adapter.ts'

/** How SubjectPublicKeyInfo of an ed25519 key begins (RFC 8410); its 32 bytes follow. */
const KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** An address of a list belongs to the author of the list when its key signed `kassa-deposit:<index>`. */
export const solanaLists: AddressLists = {
  isProven(_chain, { address, index, signature }) {
    const key = readSolanaAddress(address)
    const signed = readSolanaSignature(signature)
    if (!key || !signed) return false
    try {
      const spki = Buffer.concat([KEY_PREFIX, key])
      return verify(
        null,
        depositProofMessage(index),
        createPublicKey({ key: spki, format: 'der', type: 'spki' }),
        signed,
      )
    } catch {
      return false
    }
  },
}
