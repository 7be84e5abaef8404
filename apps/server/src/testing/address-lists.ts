import { depositProofMessage, plainBase58 } from '@kassa/keys/solana-address.ts'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** A list of addresses of Solana as the signer makes it, of keys that nobody has used before. */
export function solanaList(name: string, { first = 0, count = 3 }: { first?: number; count?: number } = {}) {
  const addresses = Array.from({ length: count }, (_, at) => {
    const index = first + at
    const seed = sha256(utf8ToBytes(`kassa test list ${name} ${index}`))
    const signature = plainBase58(ed25519.sign(depositProofMessage(index), seed))
    return { index, address: plainBase58(ed25519.getPublicKey(seed)), signature }
  })
  return { family: 'SOL_Family', addresses }
}
