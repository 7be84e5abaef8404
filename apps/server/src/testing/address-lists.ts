import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'

import { depositProofMessage, plainBase58 } from '@kassa/keys/solana/address.ts'

/** How PKCS #8 of an ed25519 key begins (RFC 8410); its 32 bytes follow. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

const KEY_BYTES = 32

/** A list of addresses of Solana as the signer makes it, of new keys. */
export function solanaList(name: string, { first = 0, count = 3 }: { first?: number; count?: number } = {}) {
  const addresses = Array.from({ length: count }, (_, at) => {
    const index = first + at
    const seed = createHash('sha256').update(`kassa test list ${name} ${index}`).digest()
    const key = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' })
    const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES)
    const signature = plainBase58(sign(null, depositProofMessage(index), key))
    return { index, address: plainBase58(publicKey), signature }
  })
  return { family: 'SOL_Family', addresses }
}
