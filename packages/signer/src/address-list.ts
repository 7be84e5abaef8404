import { depositProofMessage, plainBase58 } from '@kassa/keys/solana/address.ts'
import { ed25519 } from '@noble/curves/ed25519.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** The list that the server accepts (W8, W20): addresses, each with its key's signature over its place. */
export type AddressList = {
  readonly family: 'SOL_Family'
  readonly addresses: readonly { readonly index: number; readonly address: string; readonly signature: string }[]
}

/** The most that the server accepts at once. */
export const MOST_LISTED = 1_000

const HARDENED = 0x80000000
const [PURPOSE, COIN, CHANGE] = [44, 501, 0]

/**
 * Makes the deposit addresses of Solana from `first` on: m/44'/501'/index'/0', as Solana wallets derive their accounts. Keys of
 * ed25519 have hardened children only (SLIP-10), so that no public key could derive them.
 * @throws RangeError for a count that the server does not accept
 */
export function makeAddressList(masterSeed: Uint8Array, range: { first: number; count: number }): AddressList {
  const { first, count } = range
  const isWhole = [first, count].every((one) => Number.isSafeInteger(one))
  if (!isWhole || first < 0 || count < 1 || count > MOST_LISTED || first + count > HARDENED) {
    throw new RangeError(`Ask for 1 to ${MOST_LISTED} addresses, from a first one of 0 or more.`)
  }
  const root = hmac(sha512, utf8ToBytes('ed25519 seed'), masterSeed)
  const coin = [PURPOSE, COIN].reduce(hardenedChild, root)
  const addresses = Array.from({ length: count }, (_, at) => {
    const index = first + at
    const node = [index, CHANGE].reduce(hardenedChild, coin)
    const key = node.subarray(0, 32)
    const signature = plainBase58(ed25519.sign(depositProofMessage(index), key))
    const address = plainBase58(ed25519.getPublicKey(key))
    node.fill(0)
    return { index, address, signature }
  })
  root.fill(0)
  coin.fill(0)
  return { family: 'SOL_Family', addresses }
}

/** A key and its chain code, 32 bytes each (SLIP-10). */
function hardenedChild(parent: Uint8Array, index: number): Uint8Array {
  const place = new Uint8Array(4)
  new DataView(place.buffer).setUint32(0, index + HARDENED)
  return hmac(sha512, parent.subarray(32), concatBytes(Uint8Array.of(0), parent.subarray(0, 32), place))
}
