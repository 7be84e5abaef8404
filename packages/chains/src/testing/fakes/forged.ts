import { bloomOf } from '../../evm/encoding/bloom.ts'
import { toHex, toQuantity } from '../../evm/encoding/hex.ts'
import { headerHash, receiptsRootOf } from '../../evm/encoding/receipts-root.ts'
import { type Json, readReceipt, type WireLog } from '../../evm/encoding/wire.ts'
import type { Random } from './random.ts'

/** One call of a trace as `callTracer` prints it. */
export type Frame = {
  readonly type: string
  readonly from: string
  readonly to?: string
  readonly value?: string
  readonly error?: unknown
  readonly calls?: readonly Frame[]
}

/** What a transaction truly brings to us; the leg says where in it. */
export type Owed = { readonly assetId: number; readonly to: string; readonly units: bigint; readonly leg: string }

/** A transaction to be put into a block; what is absent is plain. */
export type ForgedTx = {
  readonly hash?: string
  readonly from?: string
  readonly to?: string | null
  readonly value?: bigint
  readonly isFailed?: boolean
  readonly logs?: readonly WireLog[]
  readonly calls?: readonly Frame[]
  /** Changes the root of the trace. */
  readonly root?: Partial<Frame>
  readonly extra?: Json
  readonly owed?: readonly Owed[]
}

export type Placed = { readonly hash: string; readonly owed: readonly Owed[] }

/** A block with all that a node says about it, consistent down to its hash. */
export type ForgedBlock = {
  readonly height: number
  readonly hash: string
  readonly json: Json
  readonly receipts: readonly Json[]
  readonly traces: readonly Json[]
  readonly placed: readonly Placed[]
}

/** Gas of a call that runs some code. */
const SOME_GAS = '0xea60'

/** Builds a block on a parent; every log gets its place in the block. */
export function forgeBlock(
  random: Random,
  parent: { readonly height: number; readonly hash: string },
  txs: readonly ForgedTx[],
  changes: Json = {},
): ForgedBlock {
  const height = parent.height + 1
  const full = txs.map((tx) => fullTx(random, tx))
  let logIndex = 0
  const drafts = full.map((tx, at): Json => {
    const logs = tx.logs.map((log) => ({ ...log, logIndex: toQuantity(logIndex++), transactionHash: tx.hash }))
    return { ...receiptOf(tx, logs, at), blockNumber: toQuantity(height), blockHash: `0x${'00'.repeat(32)}` }
  })
  const header = headerOf(random, parent.hash, height, drafts, changes)
  const hash = headerHash(header) ?? ''
  const here = { blockHash: hash, blockNumber: toQuantity(height) }
  return {
    height,
    hash,
    json: { ...header, hash, transactions: full.map(({ json }) => ({ ...json, ...here })), uncles: [] },
    receipts: drafts.map((draft) => ({
      ...draft,
      ...here,
      logs: (draft['logs'] as Json[]).map((log) => ({ ...log, ...here })),
    })),
    traces: full.map((tx) => ({ txHash: tx.hash, result: rootOf(tx) })),
    placed: full.map(({ hash: txHash, owed }) => ({ hash: txHash, owed })),
  }
}

type FullTx = Required<Omit<ForgedTx, 'extra'>> & { readonly json: Json }

function fullTx(random: Random, tx: ForgedTx): FullTx {
  const { hash = random.hex(32), from = random.hex(20), to = random.hex(20), value = 0n, extra = {} } = tx
  const { isFailed = false, logs = [], calls = [], root = {}, owed = [] } = tx
  const json = {
    hash,
    from,
    to,
    value: toQuantity(value),
    nonce: toQuantity(random.below(1000)),
    type: '0x2',
    ...extra,
  }
  return { hash, from, to, value, isFailed, logs, calls, root, owed, json }
}

function rootOf({ from, to, value, isFailed, calls, root }: FullTx): Json {
  const target = to === null ? { type: 'CREATE' } : { type: 'CALL', to }
  const failure = isFailed ? { error: 'execution reverted' } : {}
  return { ...target, from, value: toQuantity(value), ...failure, ...(calls.length > 0 && { calls }), ...root }
}

function receiptOf(tx: FullTx, logs: readonly Json[], at: number): Json {
  return {
    type: tx.json['type'],
    status: tx.isFailed ? '0x0' : '0x1',
    cumulativeGasUsed: toQuantity(60_000 * (at + 1)),
    gasUsed: SOME_GAS,
    logsBloom: toHex(bloomOf(tx.logs)),
    logs,
    transactionHash: tx.hash,
    transactionIndex: toQuantity(at),
    from: tx.from,
    to: tx.to,
    contractAddress: null,
    ...(tx.json['type'] === '0x7e' && { depositNonce: tx.json['nonce'], depositReceiptVersion: '0x1' }),
  }
}

function headerOf(random: Random, parentHash: string, height: number, drafts: readonly Json[], changes: Json): Json {
  const receipts = drafts.map(readReceipt).filter((receipt) => receipt !== null)
  const zero = `0x${'00'.repeat(32)}`
  return {
    parentHash,
    number: toQuantity(height),
    timestamp: toQuantity(1_700_000_000 + height * 12),
    receiptsRoot: receiptsRootOf(receipts),
    logsBloom: toHex(bloomOf(receipts.flatMap(({ logs }) => logs))),
    sha3Uncles: zero,
    miner: random.hex(20),
    stateRoot: random.hex(32),
    transactionsRoot: random.hex(32),
    mixHash: zero,
    nonce: '0x0000000000000000',
    extraData: '0x',
    difficulty: '0x0',
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    baseFeePerGas: '0x7',
    ...changes,
  }
}
