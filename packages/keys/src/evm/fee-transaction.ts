import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { checksumAddress } from '../address-text.ts'
import { rlpOfAuthorization, type SignedAuthorization } from './authorization.ts'
import { decodeRlp, encodeRlp, type Rlp, rlpBytes, rlpQuantity } from './rlp.ts'
import { numberIn, signDigest, type Signature, signerOf } from './signature.ts'

/** A transaction with a fee market (EIP-1559, type 2), without an access list; with authorizations it is of type 4 (EIP-7702). */
export type FeeTransaction = {
  readonly chainId: bigint
  readonly nonce: bigint
  /** The most wei for one gas: for the block producer, and in total. */
  readonly tip: bigint
  readonly feeCap: bigint
  readonly gas: bigint
  /** Null creates a contract. */
  readonly to: string | null
  readonly value: bigint
  /** Hex with `0x`. */
  readonly data: string
  readonly authorizations?: readonly SignedAuthorization[] | undefined
}

export type SignedBytes = { readonly txId: string; readonly raw: Uint8Array }

const PLAIN = 2
const SETS_CODE = 4

/** Fields of a signed transaction of type 2. */
const FIELDS = 12

/** Signs a transaction with the key of its sender. */
export function signFeeTransaction(tx: FeeTransaction, key: Uint8Array): SignedBytes {
  const raw = signedBytes(tx, signDigest(digestOf(tx), key))
  return { txId: idOf(raw), raw }
}

/** The bytes of a transaction with a signature. */
export function signedBytes(tx: FeeTransaction, { yParity, r, s }: Signature): Uint8Array {
  return typed(tx, [...fieldsOf(tx), rlpQuantity(yParity), rlpQuantity(r), rlpQuantity(s)])
}

/**
 * Reads a signed transaction of type 2 and its signer; null for any other type, an access list, damaged bytes, or an invalid
 * signature.
 */
export function readFeeTransaction(
  raw: Uint8Array,
): (FeeTransaction & { readonly from: string; readonly txId: string }) | null {
  if (raw[0] !== PLAIN) return null
  const fields = decodeRlp(raw.subarray(1))
  if (fields === null || fields instanceof Uint8Array || fields.length !== FIELDS) return null
  const [chainId, nonce, tip, feeCap, gas, to, value, data, accessList, yParity, r, s] = fields
  if (accessList === undefined || accessList instanceof Uint8Array || accessList.length > 0) return null
  const numbers = [chainId, nonce, tip, feeCap, gas, value, yParity, r, s].map(quantityOf)
  if (!(to instanceof Uint8Array) || !(data instanceof Uint8Array) || ![0, 20].includes(to.length)) return null
  if (numbers.some((one) => one === null)) return null
  const number = (at: number) => numbers[at] ?? 0n
  const tx: FeeTransaction = {
    ...{ chainId: number(0), nonce: number(1), tip: number(2), feeCap: number(3), gas: number(4), value: number(5) },
    to: to.length === 0 ? null : checksumAddress(to),
    data: `0x${bytesToHex(data)}`,
  }
  const from = signerOf(digestOf(tx), { yParity: Number(number(6)), r: number(7), s: number(8) })
  return from === null ? null : { ...tx, from, txId: idOf(raw) }
}

/** A number without leading zeros, as long as a word at most. */
function quantityOf(item: Rlp | undefined): bigint | null {
  if (!(item instanceof Uint8Array) || item.length > 32 || item[0] === 0) return null
  return numberIn(item)
}

function digestOf(tx: FeeTransaction): Uint8Array {
  return keccak_256(typed(tx, fieldsOf(tx)))
}

function fieldsOf(tx: FeeTransaction): Rlp[] {
  const quantities = [tx.chainId, tx.nonce, tx.tip, tx.feeCap, tx.gas].map(rlpQuantity)
  const to = tx.to === null ? new Uint8Array() : hexToBytes(tx.to.slice(2))
  const authorizations = tx.authorizations ? [tx.authorizations.map(rlpOfAuthorization)] : []
  return [...quantities, to, rlpQuantity(tx.value), rlpBytes(tx.data), [], ...authorizations]
}

function typed(tx: FeeTransaction, fields: readonly Rlp[]): Uint8Array {
  return concatBytes(Uint8Array.of(tx.authorizations ? SETS_CODE : PLAIN), encodeRlp(fields))
}

function idOf(raw: Uint8Array): string {
  return `0x${bytesToHex(keccak_256(raw))}`
}
