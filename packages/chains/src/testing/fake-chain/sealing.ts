import { fromHex, keccak, toHex, toQuantity } from '../../evm/encoding/hex.ts'
import { orderedRoot } from '../../evm/encoding/ordered-trie.ts'
import { encodeRlp, rlpBytes, rlpQuantity } from '@kassa/keys/evm/rlp.ts'
import type { FakeLog, FakeTransaction, Hex } from './transactions.ts'

export type FakeBlock = {
  readonly height: number
  readonly hash: Hex
  readonly parentHash: Hex
  /** Seconds since 1970. */
  readonly time: number
  readonly transactions: readonly FakeTransaction[]
  /** As a node prints it, without transactions. */
  readonly header: Readonly<Record<string, unknown>>
  /** As a node prints them. */
  readonly receipts: readonly FakeReceipt[]
  /** As its family writes it, where nodes give out bytes. */
  readonly bytes?: Uint8Array
}

/** Seals a block of a family on another one. */
export type Seal = (input: {
  readonly parent: { readonly height: number; readonly hash: Hex }
  /** Seconds since 1970. */
  readonly time: number
  readonly transactions: readonly FakeTransaction[]
  /** Makes two blocks of the same content different. */
  readonly salt: string
}) => FakeBlock

export type FakeReceipt = Readonly<Record<string, unknown>> & {
  readonly logs: readonly Readonly<Record<string, unknown>>[]
}

const ZERO = `0x${'0'.repeat(64)}`
/** keccak256 of the RLP of an empty list: a block without uncles. */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
/** EIP-1559 transactions, the most usual. */
const TYPE = 2
const BLOOM_BYTES = 256
/** Wei for one unit of gas, in every block. */
export const BASE_FEE = 7n
const NO_BLOOM = `0x${'0'.repeat(2 * BLOOM_BYTES)}`

/** Seals a block as Ethereum does: receipts root (Yellow Paper, appendix D), log bloom (4.3.1) and header hash are right. */
export const seal: Seal = ({ parent, time, transactions, salt }) => {
  const height = parent.height + 1
  const sealed = receiptBodies(transactions)
  const fields: Record<string, string> = {
    parentHash: parent.hash,
    sha3Uncles: NO_UNCLES,
    miner: `0x${'0'.repeat(40)}`,
    stateRoot: ZERO,
    transactionsRoot: ZERO,
    receiptsRoot: orderedRoot(sealed.map(({ bytes }) => bytes)),
    logsBloom: joined(sealed.map(({ bloom }) => bloom)),
    difficulty: '0x0',
    number: toQuantity(height),
    gasLimit: '0x1c9c380',
    gasUsed: toQuantity(sealed.at(-1)?.cumulativeGas ?? 0n),
    timestamp: toQuantity(time),
    extraData: toHex(keccak(Buffer.from(salt))),
    mixHash: ZERO,
    nonce: '0x0000000000000000',
    baseFeePerGas: toQuantity(BASE_FEE),
  }
  const hash = toHex(keccak(encodeRlp(Object.entries(fields).map(([name, value]) => encodeField(name, value)))))
  const place = { blockHash: hash, blockNumber: toQuantity(height) }
  return {
    height,
    hash,
    parentHash: parent.hash,
    time,
    transactions,
    header: { ...fields, hash },
    receipts: printReceipts(transactions, sealed, place),
  }
}

const QUANTITIES = new Set(['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas'])

function encodeField(name: string, value: string): Uint8Array {
  return QUANTITIES.has(name) ? rlpQuantity(BigInt(value)) : rlpBytes(value)
}

type Sealed = { readonly bytes: Uint8Array; readonly bloom: Hex; readonly cumulativeGas: bigint }

function receiptBodies(transactions: readonly FakeTransaction[]): Sealed[] {
  let cumulativeGas = 0n
  return transactions.map(({ isSuccess, gasUsed, logs }) => {
    cumulativeGas += gasUsed
    const bloom = bloomOf(logs)
    const body = encodeRlp([
      rlpQuantity(isSuccess ? 1n : 0n),
      rlpQuantity(cumulativeGas),
      rlpBytes(bloom),
      logs.map((log) => [rlpBytes(log.address), log.topics.map(rlpBytes), rlpBytes(log.data)]),
    ])
    return { bytes: Buffer.concat([Uint8Array.of(TYPE), body]), bloom, cumulativeGas }
  })
}

function printReceipts(
  transactions: readonly FakeTransaction[],
  sealed: readonly Sealed[],
  place: { readonly blockHash: Hex; readonly blockNumber: Hex },
): FakeReceipt[] {
  let logIndex = -1
  return transactions.map((tx, at) => ({
    ...place,
    type: toQuantity(TYPE),
    transactionHash: tx.hash,
    transactionIndex: toQuantity(at),
    from: tx.from,
    to: tx.to,
    status: tx.isSuccess ? '0x1' : '0x0',
    gasUsed: toQuantity(tx.gasUsed),
    cumulativeGasUsed: toQuantity(sealed[at]?.cumulativeGas ?? 0n),
    effectiveGasPrice: toQuantity(tx.signed?.gasPrice ?? BASE_FEE),
    logsBloom: sealed[at]?.bloom ?? NO_BLOOM,
    logs: tx.logs.map((log) => {
      logIndex += 1
      return {
        ...place,
        ...log,
        transactionHash: tx.hash,
        transactionIndex: toQuantity(at),
        logIndex: toQuantity(logIndex),
        removed: false,
      }
    }),
  }))
}

function bloomOf(logs: readonly FakeLog[]): Hex {
  if (logs.length === 0) return NO_BLOOM
  const bloom = Buffer.alloc(BLOOM_BYTES)
  for (const item of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const digest = keccak(fromHex(item))
    for (const pair of [0, 2, 4]) {
      const bit = (((digest[pair] ?? 0) << 8) | (digest[pair + 1] ?? 0)) & 2047
      const at = BLOOM_BYTES - 1 - (bit >> 3)
      bloom[at] = (bloom[at] ?? 0) | (1 << (bit & 7))
    }
  }
  return toHex(bloom)
}

function joined(blooms: readonly Hex[]): Hex {
  const filled = blooms.filter((bloom) => bloom !== NO_BLOOM)
  const [first] = filled
  if (first === undefined) return NO_BLOOM
  if (filled.length === 1) return first
  const bytes = Buffer.alloc(BLOOM_BYTES)
  for (const bloom of filled) fromHex(bloom).forEach((byte, at) => (bytes[at] = (bytes[at] ?? 0) | byte))
  return toHex(bytes)
}
