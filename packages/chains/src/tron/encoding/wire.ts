import type { BlockRef } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { fromHex } from './hex.ts'
import { type RawTransaction, readRawTransaction, transactionId } from '@kassa/keys/tron/transaction.ts'
import { blockId } from './block-id.ts'

/** Answers of a TRON node (https://developers.tron.network/reference), strictly parsed; hex is lower case without `0x`. */
export type WireBlock = BlockRef & { readonly transactions: readonly WireTransaction[] }

export type WireTransaction = {
  readonly txId: string
  /** The node's result of the transaction: nothing but SUCCESS moves money. */
  readonly isSuccess: boolean
  readonly raw: RawTransaction
}

export type WireLog = { readonly address: string; readonly topics: readonly string[]; readonly data: string }

/** A value that a contract sent, or left to another account when it was destroyed. */
export type WireInternal = {
  readonly from: string
  readonly to: string
  readonly units: bigint
  readonly by: 'call' | 'destruction'
}

/** The result of execution (`gettransactioninfobyid`). */
export type WireInfo = {
  readonly txId: string
  /** Null until it is in a block. */
  readonly height: number | null
  readonly isSuccess: boolean
  /** Its total cost, in sun. */
  readonly fee: bigint
  readonly logs: readonly WireLog[]
  /** What moved TRX and was not undone, in its order. */
  readonly internal: readonly WireInternal[]
  /** How many calls inside it the node has recorded, whatever they moved. */
  readonly records: number
}

export type Json = Readonly<Record<string, unknown>>

const HASH = /^[0-9a-f]{64}$/i
const HEX = /^(?:[0-9a-f]{2})*$/i
const BARE_ADDRESS = /^[0-9a-f]{40}$/i
const PREFIXED_ADDRESS = /^41[0-9a-f]{40}$/i

/** What brings TRX, by its note as nodes print it: hex of "call" and of "suicide". */
const NOTES: Readonly<Record<string, WireInternal['by']>> = { '63616c6c': 'call', '73756963696465': 'destruction' }

/** Longer texts from a node are cut: they end up in logs. */
const LONGEST_REASON = 200

/** Reads a block with its transactions (`getblockbynum`); null when it does not exist yet. @throws RetryableRpcError */
export function readBlock(answer: unknown): WireBlock | null {
  const raw = object(answer, 'block')
  requireAnswer(raw)
  if (raw['blockID'] === undefined) return null
  return { ...refOf(raw), transactions: optionalList(raw['transactions'], 'transactions').map(readTransaction) }
}

/** Reads only a block's reference; null when it does not exist yet. @throws RetryableRpcError */
export function readBlockRef(answer: unknown): BlockRef | null {
  const raw = object(answer, 'block')
  requireAnswer(raw)
  return raw['blockID'] === undefined ? null : refOf(raw)
}

/** Reads a transaction with the node's result; its id is computed from the signed bytes. */
export function readTransaction(answer: unknown): WireTransaction {
  const raw = object(answer, 'transaction')
  const bytes = fromHex(match(raw['raw_data_hex'], HEX, 'raw_data_hex'))
  const txId = match(raw['txID'], HASH, 'txID')
  if (transactionId(bytes) !== txId) throw malformed('txID')
  const results = optionalList(raw['ret'], 'ret').map((one) => object(one, 'ret')['contractRet'])
  return { txId, isSuccess: results.length === 1 && results[0] === 'SUCCESS', raw: decoded(bytes) }
}

/** Reads the result of a transaction's execution; null while the node does not know it. */
export function readInfo(answer: unknown): WireInfo | null {
  const raw = object(answer, 'info')
  requireAnswer(raw)
  if (raw['id'] === undefined) return null
  const records = optionalList(raw['internal_transactions'], 'internal_transactions')
  const result = raw['receipt'] === undefined ? undefined : object(raw['receipt'], 'receipt')['result']
  return {
    txId: match(raw['id'], HASH, 'id'),
    height: raw['blockNumber'] === undefined ? null : Number(whole(raw['blockNumber'], 'blockNumber')),
    isSuccess: raw['result'] !== 'FAILED' && result === 'SUCCESS',
    fee: whole(raw['fee'], 'fee'),
    logs: optionalList(raw['log'], 'log').map(readLog),
    internal: records.flatMap(readInternal),
    records: records.length,
  }
}

/** Reads a whole number, which nodes leave out when it is 0. */
export function whole(value: unknown, name: string): bigint {
  if (value === undefined) return 0n
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  throw malformed(name)
}

/** Reads an object. */
export function object(value: unknown, name: string): Json {
  if (typeof value !== 'object' || value === null) throw malformed(name)
  return value as Json
}

/** Reads a list. */
export function list(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(name)
  return value
}

/** Passes an answer unless it is one of the failures that nodes send with status 200. @throws RetryableRpcError */
export function requireAnswer(raw: Json): void {
  const error = raw['Error']
  if (error === undefined) return
  const reason = typeof error === 'string' ? error.slice(0, LONGEST_REASON) : 'no reason given'
  throw new RetryableRpcError('internal', `The node failed: ${reason}`)
}

/** The error for an answer that does not match its call. */
export function malformed(name: string): RetryableRpcError {
  return new RetryableRpcError('malformed', `The node's answer has a malformed ${name}`)
}

/** The id of a block proves its header; the id of block 0 is given by the network. */
function refOf(raw: Json): BlockRef {
  const header = object(object(raw['block_header'], 'block_header')['raw_data'], 'raw_data')
  const hash = match(raw['blockID'], HASH, 'blockID')
  const number = whole(header['number'], 'number')
  const timestamp = whole(header['timestamp'], 'timestamp')
  const parentHash = match(header['parentHash'], HASH, 'parentHash')
  const bytes = (name: string) => fromHex(match(header[name] ?? '', HEX, name))
  const computed = blockId({
    timestamp,
    number,
    txTrieRoot: bytes('txTrieRoot'),
    parentHash: fromHex(parentHash),
    witnessId: whole(header['witness_id'], 'witness_id'),
    witnessAddress: bytes('witness_address'),
    version: whole(header['version'], 'version'),
    accountStateRoot: bytes('accountStateRoot'),
  })
  if (number > 0n && computed !== hash) throw malformed('blockID')
  return { height: Number(number), hash, parentHash, minedAt: new Date(Number(timestamp)) }
}

function decoded(bytes: Uint8Array): RawTransaction {
  try {
    return readRawTransaction(bytes)
  } catch (error) {
    if (error instanceof RangeError) throw malformed(`raw_data_hex: ${error.message}`)
    throw error
  }
}

function readLog(answer: unknown): WireLog {
  const raw = object(answer, 'log')
  return {
    address: match(raw['address'], BARE_ADDRESS, 'address'),
    topics: optionalList(raw['topics'], 'topics').map((topic) => match(topic, HASH, 'topic')),
    data: match(raw['data'] ?? '', HEX, 'data'),
  }
}

/** One entry per value in TRX; values of TRC-10 tokens have a `tokenId` and are ignored. */
function readInternal(answer: unknown): WireInternal[] {
  const raw = object(answer, 'internal transaction')
  const by = NOTES[String(raw['note'])]
  if (raw['rejected'] === true || !by) return []
  const values = optionalList(raw['callValueInfo'], 'callValueInfo').map((one) => object(one, 'callValueInfo'))
  return values
    .filter((one) => one['tokenId'] === undefined)
    .map((one) => ({
      from: match(raw['caller_address'], PREFIXED_ADDRESS, 'caller_address').slice(2),
      to: match(raw['transferTo_address'], PREFIXED_ADDRESS, 'transferTo_address').slice(2),
      units: whole(one['callValue'], 'callValue'),
      by,
    }))
}

function optionalList(value: unknown, name: string): readonly unknown[] {
  return value === undefined ? [] : list(value, name)
}

function match(value: unknown, pattern: RegExp, name: string): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw malformed(name)
  return value.toLowerCase()
}
