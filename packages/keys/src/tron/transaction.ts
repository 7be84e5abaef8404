import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { accountOf } from '../address-text.ts'
import { prefixedBytes, prefixedKey } from './address.ts'
import { type Field, readFields, writeFields } from './protobuf.ts'

/** Numbers of `protocol.Transaction.Contract.ContractType` (tronprotocol/protocol, core/Tron.proto). */
const [TRANSFER, TRIGGER] = [1n, 31n]

/** What a transaction does, as far as it moves TRX or runs code; `other` moves neither to an address of ours. */
export type Message =
  | { readonly kind: 'transfer'; readonly from: Uint8Array; readonly to: Uint8Array; readonly units: bigint }
  | {
      readonly kind: 'call'
      readonly from: Uint8Array
      readonly to: Uint8Array
      readonly units: bigint
      readonly data: Uint8Array
    }
  | { readonly kind: 'other' }

/** The bytes that are signed, decoded: `protocol.Transaction.raw`. */
export type RawTransaction = {
  readonly message: Message
  readonly createdAt: Date
  /** When it can no longer be mined. */
  readonly expiresAt: Date
  /** The most that its code may cost, in sun. */
  readonly feeLimit: bigint
  /** A recent block of the branch it is for (TAPOS): the last 2 bytes of its height, and 8 bytes of its id. */
  readonly refBlock: { readonly bytes: Uint8Array; readonly hash: Uint8Array }
}

/** Fields of `protocol.Transaction.raw`. */
const [REF_BLOCK_BYTES, REF_BLOCK_HASH, EXPIRATION, CONTRACT, TIMESTAMP, FEE_LIMIT] = [1, 4, 8, 11, 14, 18]

/** Names of the messages in a `google.protobuf.Any`. */
const TYPE_URL = 'type.googleapis.com/protocol.'

/** What a transaction is made of. */
export type NewTransaction = RawTransaction & { readonly message: Exclude<Message, { kind: 'other' }> }

/** Encodes a transaction; these bytes are signed, and their hash is its id. */
export function writeRawTransaction({ message, refBlock, expiresAt, createdAt, feeLimit }: NewTransaction): Uint8Array {
  const isCall = message.kind === 'call'
  const name = isCall ? 'TriggerSmartContract' : 'TransferContract'
  const parameter = writeFields([
    { number: 1, value: utf8ToBytes(TYPE_URL + name) },
    {
      number: 2,
      value: writeFields([
        { number: 1, value: prefixedBytes(message.from) },
        { number: 2, value: prefixedBytes(message.to) },
        { number: 3, value: message.units },
        ...(isCall ? [{ number: 4, value: message.data }] : []),
      ]),
    },
  ])
  const contract = writeFields([
    { number: 1, value: isCall ? TRIGGER : TRANSFER },
    { number: 2, value: parameter },
  ])
  return writeFields([
    { number: REF_BLOCK_BYTES, value: refBlock.bytes },
    { number: REF_BLOCK_HASH, value: refBlock.hash },
    { number: EXPIRATION, value: BigInt(expiresAt.getTime()) },
    { number: CONTRACT, value: contract },
    { number: TIMESTAMP, value: BigInt(createdAt.getTime()) },
    { number: FEE_LIMIT, value: feeLimit },
  ])
}

/** `protocol.Transaction`: the bytes that are signed, and the signature. */
export function writeSignedTransaction(raw: Uint8Array, signature: Uint8Array): Uint8Array {
  return writeFields([
    { number: 1, value: raw },
    { number: 2, value: signature },
  ])
}

/** Splits a signed transaction. @throws RangeError when the bytes are not one */
export function readSignedTransaction(bytes: Uint8Array): {
  readonly raw: Uint8Array
  readonly signatures: Uint8Array[]
} {
  const fields = readFields(bytes)
  return { raw: bytesAt(fields, 1), signatures: allBytesAt(fields, 2) }
}

/** Decodes the bytes of a transaction. @throws RangeError when they are none */
export function readRawTransaction(bytes: Uint8Array): RawTransaction {
  const fields = readFields(bytes)
  const [contract, ...more] = allBytesAt(fields, CONTRACT)
  if (contract === undefined || more.length > 0) throw new RangeError('A transaction has one contract')
  return {
    message: readContract(readFields(contract)),
    createdAt: new Date(Number(numberAt(fields, TIMESTAMP))),
    expiresAt: new Date(Number(numberAt(fields, EXPIRATION))),
    feeLimit: numberAt(fields, FEE_LIMIT),
    refBlock: { bytes: bytesAt(fields, REF_BLOCK_BYTES), hash: bytesAt(fields, REF_BLOCK_HASH) },
  }
}

/** The id of a transaction: SHA-256 of the bytes that are signed. */
export function transactionId(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes))
}

/** Signs the id of a transaction with the key of its sender: r, s and the recovery number. */
export function signTransaction(raw: Uint8Array, key: Uint8Array): { readonly txId: string; readonly raw: Uint8Array } {
  const txId = transactionId(raw)
  const [recovery = 0, ...rest] = secp256k1.sign(hexToBytes(txId), key, { prehash: false, format: 'recovered' })
  return { txId, raw: writeSignedTransaction(raw, Uint8Array.of(...rest, recovery)) }
}

/**
 * Returns the 20 bytes of the account that signed a transaction; null for an invalid signature. Its last byte is 0 or 1, or 27
 * or 28.
 */
export function transactionSigner(raw: Uint8Array, signature: Uint8Array): Uint8Array | null {
  const last = signature[SIGNATURE_BYTES - 1] ?? 0
  const recovery = last >= 27 ? last - 27 : last
  if (signature.length !== SIGNATURE_BYTES || recovery > 1) return null
  const bytes = Uint8Array.of(recovery, ...signature.subarray(0, SIGNATURE_BYTES - 1))
  try {
    return accountOf(secp256k1.recoverPublicKey(bytes, sha256(raw), { prehash: false }))
  } catch {
    return null
  }
}

const SIGNATURE_BYTES = 65

/** `protocol.Transaction.Contract`: its type, and a `google.protobuf.Any` with the message of that type. */
function readContract(fields: readonly Field[]): Message {
  const type = numberAt(fields, 1)
  if (type !== TRANSFER && type !== TRIGGER) return { kind: 'other' }
  const message = readFields(bytesAt(readFields(bytesAt(fields, 2)), 2))
  const [from, to] = [prefixedKey(bytesAt(message, 1)), prefixedKey(bytesAt(message, 2))]
  if (!from || !to) throw new RangeError('An address in a message has 21 bytes that begin with 0x41')
  const units = BigInt.asIntN(64, numberAt(message, 3))
  if (type === TRANSFER) return { kind: 'transfer', from, to, units }
  return { kind: 'call', from, to, units, data: bytesAt(message, 4) }
}

/** The last one counts, and one of another type is none (https://protobuf.dev/programming-guides/encoding/#last-one-wins). */
function numberAt(fields: readonly Field[], number: number): bigint {
  const values = fields.flatMap((field) => (field.number === number ? [field.value] : []))
  return values.findLast((value) => typeof value === 'bigint') ?? 0n
}

function bytesAt(fields: readonly Field[], number: number): Uint8Array {
  return allBytesAt(fields, number).at(-1) ?? new Uint8Array()
}

function allBytesAt(fields: readonly Field[], number: number): Uint8Array[] {
  return fields.flatMap((field) => (field.number === number && typeof field.value !== 'bigint' ? [field.value] : []))
}
