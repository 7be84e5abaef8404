import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { encodeRlp, type Rlp, rlpQuantity } from './rlp.ts'
import { signDigest, type Signature, signerOf } from './signature.ts'

/** What an account signs to let a contract be its code (EIP-7702). */
export type Authorization = {
  /** Never 0, because every chain would accept that. */
  readonly chainId: bigint
  /** The contract whose code the account gets. */
  readonly address: string
  /** Of the account; it becomes stale with the first transaction the account sends. */
  readonly nonce: bigint
}

export type SignedAuthorization = Authorization & Signature

/** The first byte of the message that an account signs (EIP-7702). */
const MAGIC = 0x05

/** Signs an authorization with the key of the account that gets the code. @throws RangeError for chain 0 */
export function signAuthorization(authorization: Authorization, key: Uint8Array): SignedAuthorization {
  if (authorization.chainId === 0n) throw new RangeError('An authorization of chain 0 counts on every chain')
  return { ...authorization, ...signDigest(digestOfAuthorization(authorization), key) }
}

/** Returns the account of an authorization; null when its signature is invalid. */
export function authorityOf(authorization: SignedAuthorization): string | null {
  return signerOf(digestOfAuthorization(authorization), authorization)
}

/** The digest that is signed. */
function digestOfAuthorization(authorization: Authorization): Uint8Array {
  return keccak_256(concatBytes(Uint8Array.of(MAGIC), encodeRlp(fieldsOf(authorization))))
}

/** An authorization as a transaction of type 4 contains it. */
export function rlpOfAuthorization({ yParity, r, s, ...authorization }: SignedAuthorization): Rlp {
  return [...fieldsOf(authorization), rlpQuantity(yParity), rlpQuantity(r), rlpQuantity(s)]
}

function fieldsOf({ chainId, address, nonce }: Authorization): Rlp[] {
  return [rlpQuantity(chainId), hexToBytes(address.slice(2)), rlpQuantity(nonce)]
}
