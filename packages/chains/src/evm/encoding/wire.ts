import type { BlockRef } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'

/** JSON-RPC answers of an EVM node, read strictly: hex is lower case, quantities are numbers or bigints. */
export type WireHeader = BlockRef & {
  readonly receiptsRoot: string
  /** Filter over all logs of the block, 256 bytes. */
  readonly logsBloom: string
  readonly raw: Json
}

export type WireBlock = WireHeader & { readonly transactions: readonly WireTransaction[] }

export type WireTransaction = {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly value: bigint
}

export type WireLog = { readonly address: string; readonly topics: readonly string[]; readonly data: string }

export type WireReceipt = {
  readonly txHash: string
  readonly blockHash: string
  readonly height: number
  readonly isSuccess: boolean
  readonly gasUsed: bigint
  readonly logs: readonly WireLog[]
  /** The number of its first log among all logs of the block; null without logs. */
  readonly firstLog: number | null
  readonly raw: Json
}

/** POLYGON writes events from Ethereum as a transaction without a sender, with a receipt outside the block's receipts root. */
export const NO_SENDER = /^0x0{40}$/

export type Json = Readonly<Record<string, unknown>>

const HEX = /^0x[0-9a-f]*$/i
const QUANTITY = /^0x[0-9a-f]{1,64}$/i
const HASH = /^0x[0-9a-f]{64}$/i
const ADDRESS = /^0x[0-9a-f]{40}$/i
const BLOOM = /^0x[0-9a-f]{512}$/i

/** Reads a block with whole transactions (`eth_getBlockByNumber(n, true)`); null when it does not exist yet. */
export function readBlock(answer: unknown): WireBlock | null {
  const header = readHeader(answer)
  return header && { ...header, transactions: list(header.raw['transactions'], 'transactions').map(readTransaction) }
}

/** Reads a block without its transactions; null when it does not exist yet. */
export function readHeader(answer: unknown): WireHeader | null {
  if (answer === null) return null
  const raw = object(answer, 'block')
  return {
    ...readRef(raw),
    receiptsRoot: match(raw['receiptsRoot'], HASH, 'receiptsRoot'),
    logsBloom: match(raw['logsBloom'], BLOOM, 'logsBloom'),
    raw,
  }
}

/** Reads only the reference of a block; null when it does not exist yet. */
export function readBlockRef(answer: unknown): BlockRef | null {
  return answer === null ? null : readRef(object(answer, 'block'))
}

/** Reads one receipt; null when the transaction is not mined. */
export function readReceipt(answer: unknown): WireReceipt | null {
  if (answer === null) return null
  const raw = object(answer, 'receipt')
  const logs = list(raw['logs'], 'logs').map((log) => object(log, 'log'))
  const indexes = logs.map((log) => quantity(log['logIndex'], 'logIndex'))
  requireRising(indexes)
  return {
    txHash: match(raw['transactionHash'], HASH, 'transactionHash'),
    blockHash: match(raw['blockHash'], HASH, 'blockHash'),
    height: Number(quantity(raw['blockNumber'], 'blockNumber')),
    // Receipts from before EIP-658 have a state root instead of a status, so they prove no success.
    isSuccess: raw['status'] === '0x1',
    gasUsed: quantity(raw['gasUsed'], 'gasUsed'),
    logs: logs.map(readLog),
    firstLog: indexes[0] === undefined ? null : Number(indexes[0]),
    raw,
  }
}

/** Reads a log of `eth_getLogs`, which also states its block and transaction. */
export function readPlacedLog(answer: unknown): WireLog & { readonly txHash: string; readonly blockHash: string } {
  const raw = object(answer, 'log')
  if (raw['removed'] === true) throw malformed('removed')
  return {
    ...readLog(raw),
    txHash: match(raw['transactionHash'], HASH, 'transactionHash'),
    blockHash: match(raw['blockHash'], HASH, 'blockHash'),
  }
}

/** Reads a transaction (`eth_getTransactionByHash`). */
export function readTransaction(answer: unknown): WireTransaction {
  const raw = object(answer, 'transaction')
  return {
    hash: match(raw['hash'], HASH, 'hash'),
    from: match(raw['from'], ADDRESS, 'from'),
    to: raw['to'] === null || raw['to'] === undefined ? null : match(raw['to'], ADDRESS, 'to'),
    value: quantity(raw['value'], 'value'),
  }
}

/** Reads a JSON-RPC quantity of up to 256 bits. */
export function quantity(value: unknown, name: string): bigint {
  return BigInt(match(value, QUANTITY, name))
}

/** Reads an estimate of gas; 0 would be a node's error, and a fee cannot be divided by it. */
export function gasEstimate(value: unknown): bigint {
  const gas = quantity(value, 'gas')
  if (gas > 0n) return gas
  throw new RetryableRpcError('inconsistent', 'The node estimates that a transaction uses no gas')
}

/** Reads a list. */
export function list(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(name)
  return value
}

/** Reads an object. */
export function object(value: unknown, name: string): Json {
  if (typeof value !== 'object' || value === null) throw malformed(name)
  return value as Json
}

/** Reads hex bytes of any length, lower case. */
export function hexBytes(value: unknown, name: string): string {
  return match(value, HEX, name)
}

function readRef(raw: Json): BlockRef {
  return {
    height: Number(quantity(raw['number'], 'number')),
    hash: match(raw['hash'], HASH, 'hash'),
    parentHash: match(raw['parentHash'], HASH, 'parentHash'),
    minedAt: new Date(Number(quantity(raw['timestamp'], 'timestamp')) * 1000),
  }
}

function readLog(raw: Json): WireLog {
  return {
    address: match(raw['address'], ADDRESS, 'address'),
    topics: list(raw['topics'], 'topics').map((topic) => match(topic, HASH, 'topic')),
    data: hexBytes(raw['data'], 'data'),
  }
}

/** A leg is the index of a log in its receipt, so the node must list logs in order. */
function requireRising(indexes: readonly bigint[]): void {
  if (indexes.some((index, at) => at > 0 && index !== (indexes[0] ?? 0n) + BigInt(at))) throw malformed('logIndex')
}

function match(value: unknown, pattern: RegExp, name: string): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw malformed(name)
  return value.toLowerCase()
}

function malformed(name: string): RetryableRpcError {
  return new RetryableRpcError('malformed', `The node's answer has no usable ${name}`)
}
