import { sha256 } from '@noble/hashes/sha2.js'
import type { AddressKey } from '../../adapter.ts'
import { prefixedKey } from '../addresses/addresses.ts'
import { type Field, readFields, writeFields } from './protobuf.ts'

/** Numbers of `protocol.Transaction.Contract.ContractType` (tronprotocol/protocol, core/Tron.proto). */
const [TRANSFER, TRIGGER] = [1n, 31n]

/** What a transaction does, as far as it moves TRX or runs code; `other` moves neither to an address of ours. */
export type Message =
  | { readonly kind: 'transfer'; readonly from: AddressKey; readonly to: AddressKey; readonly units: bigint }
  | { readonly kind: 'call'; readonly from: AddressKey; readonly to: AddressKey; readonly units: bigint }
  | { readonly kind: 'other' }

/** The bytes that are signed, decoded: `protocol.Transaction.raw`. */
export type RawTransaction = {
  readonly message: Message
  /** When it can no longer be mined. */
  readonly expiresAt: Date
}

/** Fields of `protocol.BlockHeader.raw`, in the order of their numbers. */
export type RawHeader = {
  readonly timestamp: bigint
  readonly txTrieRoot: Uint8Array
  readonly parentHash: Uint8Array
  readonly number: bigint
  readonly witnessId: bigint
  readonly witnessAddress: Uint8Array
  readonly version: bigint
  readonly accountStateRoot: Uint8Array
}

const CONTRACT = 11
const EXPIRATION = 8

/** Decodes the bytes of a transaction. @throws RangeError when they are none */
export function readRawTransaction(bytes: Uint8Array): RawTransaction {
  const fields = readFields(bytes)
  const contracts = fields.filter(({ number }) => number === CONTRACT)
  const [contract] = contracts
  if (contracts.length !== 1 || contract === undefined) throw new RangeError('A transaction has one contract')
  return {
    message: readContract(readFields(bytesOf(contract))),
    expiresAt: new Date(Number(numberAt(fields, EXPIRATION))),
  }
}

/** The id of a transaction: SHA-256 of the bytes that are signed. */
export function transactionId(bytes: Uint8Array): string {
  return Buffer.from(sha256(bytes)).toString('hex')
}

/** The id of a block: its height in 8 bytes, then the last 24 bytes of SHA-256 of its header. */
export function blockId(header: RawHeader): string {
  const hash = sha256(
    writeFields([
      { number: 1, value: header.timestamp },
      { number: 2, value: header.txTrieRoot },
      { number: 3, value: header.parentHash },
      { number: 7, value: header.number },
      { number: 8, value: header.witnessId },
      { number: 9, value: header.witnessAddress },
      { number: 10, value: header.version },
      { number: 11, value: header.accountStateRoot },
    ]),
  )
  return header.number.toString(16).padStart(16, '0') + Buffer.from(hash.subarray(8)).toString('hex')
}

/** `protocol.Transaction.Contract`: its type, and a `google.protobuf.Any` with the message of that type. */
function readContract(fields: readonly Field[]): Message {
  const type = numberAt(fields, 1)
  if (type !== TRANSFER && type !== TRIGGER) return { kind: 'other' }
  const message = readFields(bytesAt(readFields(bytesAt(fields, 2)), 2))
  const [from, to] = [prefixedKey(bytesAt(message, 1)), prefixedKey(bytesAt(message, 2))]
  if (!from || !to) throw new RangeError('An address in a message has 21 bytes that begin with 0x41')
  const units = BigInt.asIntN(64, numberAt(message, 3))
  if (type === TRANSFER) return { kind: 'transfer', from, to, units }
  return { kind: 'call', from, to, units }
}

function numberAt(fields: readonly Field[], number: number): bigint {
  const value = fields.findLast((field) => field.number === number)?.value ?? 0n
  if (typeof value === 'bigint') return value
  throw new RangeError(`Field ${number} is no number`)
}

function bytesAt(fields: readonly Field[], number: number): Uint8Array {
  const field = fields.findLast((one) => one.number === number)
  return field ? bytesOf(field) : new Uint8Array()
}

function bytesOf({ number, value }: Field): Uint8Array {
  if (typeof value !== 'bigint') return value
  throw new RangeError(`Field ${number} has no bytes`)
}
