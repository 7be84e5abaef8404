import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { wordOf } from './create2.ts'
import { signDigest, type Signature, signerOf } from './signature.ts'

/** The names by which a token identifies itself in what is signed (EIP-712). */
export type TokenDomain = {
  readonly name: string
  readonly version: string
  readonly chainId: bigint
  /** The token. */
  readonly verifyingContract: string
}

/** An approval that its owner signs instead of sending it (EIP-2612). */
export type PermitMessage = {
  readonly owner: string
  readonly spender: string
  readonly value: bigint
  readonly nonce: bigint
  readonly deadline: bigint
}

const DOMAIN = typeHash('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)')
const PERMIT = typeHash('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)')

/** The domain separator as the token must state it (`DOMAIN_SEPARATOR`); prints hex. */
export function domainSeparator(domain: TokenDomain): string {
  return `0x${bytesToHex(separatorOf(domain))}`
}

/** Signs a permit with the key of its owner. */
export function signPermit(domain: TokenDomain, message: PermitMessage, key: Uint8Array): Signature {
  return signDigest(digestOf(domain, message), key)
}

/** Returns the signer of a permit; null when the signature is invalid. */
export function permitSigner(domain: TokenDomain, message: PermitMessage, signature: Signature): string | null {
  return signerOf(digestOf(domain, message), signature)
}

function digestOf(domain: TokenDomain, { owner, spender, value, nonce, deadline }: PermitMessage): Uint8Array {
  const struct = keccak_256(
    concatBytes(PERMIT, word(owner), word(spender), wordOf(value), wordOf(nonce), wordOf(deadline)),
  )
  return keccak_256(concatBytes(Uint8Array.of(0x19, 0x01), separatorOf(domain), struct))
}

function separatorOf({ name, version, chainId, verifyingContract }: TokenDomain): Uint8Array {
  const texts = [name, version].map((text) => keccak_256(utf8ToBytes(text)))
  return keccak_256(concatBytes(DOMAIN, ...texts, wordOf(chainId), word(verifyingContract)))
}

function typeHash(type: string): Uint8Array {
  return keccak_256(utf8ToBytes(type))
}

function word(address: string): Uint8Array {
  return hexToBytes(address.slice(2).toLowerCase().padStart(64, '0'))
}
