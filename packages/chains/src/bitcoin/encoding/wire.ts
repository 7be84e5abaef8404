import { createHash } from 'node:crypto'
import type { BlockRef } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'

/**
 * Blocks and transactions as Bitcoin serializes them (Bitcoin Core, `src/primitives/transaction.h`; BIP-144). Every id is
 * computed from the bytes, and amounts are whole numbers in them.
 */
export type WireTransaction = {
  readonly txId: string
  readonly isCoinbase: boolean
  readonly inputs: readonly WireInput[]
  readonly outputs: readonly WireOutput[]
}

/** An input: it shows which key spent an output, but not what the output held. */
export type WireInput = {
  /** The output's name: its transaction and place. */
  readonly spends: string
  readonly script: Uint8Array
  readonly witness: readonly Uint8Array[]
}

export type WireOutput = { readonly units: bigint; readonly script: Uint8Array }

export type WireHeader = {
  readonly hash: string
  readonly parentHash: string
  readonly root: string
  readonly minedAt: Date
  /** The target of its work, in the four bytes of a header. */
  readonly bits: number
}

export type WireBlock = WireHeader & { readonly transactions: readonly WireTransaction[] }

const HEADER_BYTES = 80
const HASH_BYTES = 32

/** More coins than this never exist: 21 million of 10^8 units. */
const MOST_UNITS = 2_100_000_000_000_000n

/** Reads a header. @throws RetryableRpcError */
export function readHeader(bytes: Buffer): WireHeader {
  if (bytes.length < HEADER_BYTES) throw malformed('header')
  return {
    hash: idOf(doubleHash(bytes.subarray(0, HEADER_BYTES))),
    parentHash: idOf(bytes.subarray(4, 36)),
    root: idOf(bytes.subarray(36, 68)),
    minedAt: new Date(bytes.readUInt32LE(68) * 1000),
    bits: bytes.readUInt32LE(72),
  }
}

/** Reads a block whose header proves each of its transactions. @throws RetryableRpcError */
export function readBlock(bytes: Buffer): WireBlock {
  const header = readHeader(bytes)
  const cursor = new Cursor(bytes, HEADER_BYTES)
  const transactions = cursor.many(() => readTransactionAt(cursor))
  if (!cursor.isAtEnd()) throw malformed('block')
  const [coinbase] = transactions
  if (!coinbase?.isCoinbase || merkleRoot(transactions.map(({ txId }) => txId)) !== header.root) {
    throw malformed('block: its header is not that of its transactions')
  }
  return { ...header, transactions }
}

/** Reads one transaction. @throws RetryableRpcError */
export function readTransaction(bytes: Buffer): WireTransaction {
  const cursor = new Cursor(bytes, 0)
  const transaction = readTransactionAt(cursor)
  if (!cursor.isAtEnd()) throw malformed('transaction')
  return transaction
}

/** Reads hex text as bytes. @throws RetryableRpcError */
export function bytesOf(value: unknown, name: string): Buffer {
  if (typeof value !== 'string' || value.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(value)) throw malformed(name)
  return Buffer.from(value, 'hex')
}

/** Reads the hash of a block or transaction. @throws RetryableRpcError */
export function hashText(value: unknown, name: string): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value)) throw malformed(name)
  return value
}

/** Reads an object. @throws RetryableRpcError */
export function object(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw malformed(name)
  return value as Readonly<Record<string, unknown>>
}

/** Reads a small whole number. @throws RetryableRpcError */
export function integer(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw malformed(name)
  return value
}

/** A reference to a block at a height that the caller knows, because a header contains none. */
export function refOf({ hash, parentHash, minedAt }: WireHeader, height: number): BlockRef {
  return { height, hash, parentHash, minedAt }
}

/** The error of an answer that does not have the promised form. */
export function malformed(name: string): RetryableRpcError {
  return new RetryableRpcError('malformed', `The node's answer has a malformed ${name}`)
}

/** The id of a transaction leaves its witness out (BIP-141), so the parts around the witness are hashed. */
function readTransactionAt(cursor: Cursor): WireTransaction {
  const start = cursor.at
  cursor.take(4)
  const isSegwit = cursor.peek(0) === 0 && cursor.peek(1) === 1
  if (isSegwit) cursor.take(2)
  const body = cursor.at
  let isCoinbase = false
  const spent = cursor.many(() => {
    const outpoint = cursor.take(HASH_BYTES + 4)
    isCoinbase ||= outpoint.subarray(0, HASH_BYTES).every((byte) => byte === 0)
    const script = cursor.takeSized()
    cursor.take(4)
    return { spends: outpoint.toString('hex'), script }
  })
  const outputs = cursor.many(() => readOutput(cursor))
  const bodyEnd = cursor.at
  const inputs = spent.map((input) => ({ ...input, witness: isSegwit ? cursor.many(() => cursor.takeSized()) : [] }))
  cursor.take(4)
  const pieces = [cursor.slice(start, start + 4), cursor.slice(body, bodyEnd), cursor.slice(cursor.at - 4, cursor.at)]
  return { txId: idOf(doubleHash(...pieces)), isCoinbase, inputs, outputs }
}

function readOutput(cursor: Cursor): WireOutput {
  const units = cursor.take(8).readBigUInt64LE()
  if (units > MOST_UNITS) throw malformed('amount')
  return { units, script: cursor.takeSized() }
}

/**
 * Computes the Merkle root of a block's transactions. A level whose last hashes are equal could also be that of fewer
 * transactions (CVE-2012-2459), so it is refused.
 */
function merkleRoot(txIds: readonly string[]): string | null {
  let level: Buffer[] = txIds.map((id) => Buffer.from(id, 'hex').reverse())
  while (level.length > 1) {
    const next: Buffer[] = []
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at], level[at + 1]]
      if (!left || (right && left.equals(right))) return null
      next.push(doubleHash(left, right ?? left))
    }
    level = next
  }
  return level[0] ? idOf(level[0]) : null
}

function doubleHash(...pieces: readonly Buffer[]): Buffer {
  const first = createHash('sha256')
  for (const piece of pieces) first.update(piece)
  return createHash('sha256').update(first.digest()).digest()
}

/** Hashes are printed with their bytes reversed. */
function idOf(hash: Buffer): string {
  return Buffer.from(hash).reverse().toString('hex')
}

/** The position of reading in the bytes. Everything it returns is a view of them. */
class Cursor {
  readonly #bytes: Buffer
  at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  isAtEnd(): boolean {
    return this.at === this.#bytes.length
  }

  peek(offset: number): number | undefined {
    return this.#bytes[this.at + offset]
  }

  slice(from: number, to: number): Buffer {
    return this.#bytes.subarray(from, to)
  }

  take(length: number): Buffer {
    const from = this.at
    if (from + length > this.#bytes.length) throw malformed('length')
    this.at += length
    return this.#bytes.subarray(from, this.at)
  }

  takeSized(): Buffer {
    return this.take(this.#count())
  }

  /** Each item takes at least a byte, so a count cannot exceed the remaining bytes. */
  many<Item>(read: () => Item): Item[] {
    const items: Item[] = []
    for (let left = this.#count(); left > 0; left -= 1) items.push(read())
    return items
  }

  /** A count of 1, 3, 5 or 9 bytes; none of 9 bytes occurs. */
  #count(): number {
    const first = this.take(1)[0] ?? 0
    if (first < 0xfd) return first
    if (first === 0xfd) return this.take(2).readUInt16LE()
    if (first === 0xfe) return this.take(4).readUInt32LE()
    throw malformed('count')
  }
}
