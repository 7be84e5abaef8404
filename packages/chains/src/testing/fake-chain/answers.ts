import { SUM_PROGRAM } from '../../evm/blocks/balance-sums.ts'
import { toQuantity } from '../../evm/encoding/hex.ts'
import type { JsonCall } from '../../node/client.ts'
import type { ChainView } from './block-tree.ts'
import type { FakeBlock } from './sealing.ts'
import { type FakeTransaction, type Hex, word } from './transactions.ts'

/** A JSON-RPC error as a node words it. */
export class NodeRefusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

type Json = Readonly<Record<string, unknown>>

/** Answers one call as a healthy node that shows this view. @throws NodeRefusal */
export function answer(view: ChainView, { method, params }: Pick<JsonCall, 'method' | 'params'>): unknown {
  const respond = METHODS[method]
  if (!respond) throw new NodeRefusal(-32601, `the method ${method} does not exist`)
  return respond(view, params)
}

const METHODS: Readonly<Record<string, (view: ChainView, params: readonly unknown[]) => unknown>> = {
  eth_chainId: (view) => toQuantity(view.chainId),
  net_version: (view) => String(view.chainId),
  web3_clientVersion: () => 'Fake/v1',
  eth_syncing: () => false,
  eth_blockNumber: (view) => toQuantity(view.blocks.length - 1),
  eth_getBlockByNumber: (view, [tag, isFull]) => print(atTag(view, tag), isFull === true),
  eth_getBlockByHash: (view, [hash, isFull]) => print(withHash(view, hash), isFull === true),
  eth_getBlockReceipts: (view, [hash]) => withHash(view, hash)?.receipts ?? null,
  eth_getTransactionByHash: (view, [hash]) => {
    const found = findTransaction(view, hash)
    return found ? printTransaction(found.block, found.at) : null
  },
  eth_getTransactionReceipt: (view, [hash]) => {
    const found = findTransaction(view, hash)
    return found?.block.receipts[found.at] ?? null
  },
  eth_getLogs: (view, [filter]) => logsOf(view, filter as Json),
  debug_traceBlockByHash: (view, [hash]) => {
    const block = withHash(view, hash)
    if (!block || block.height === 0) throw new NodeRefusal(-32000, 'block not found')
    return block.transactions.map((tx) => ({ txHash: tx.hash, result: trace(tx) }))
  },
  debug_traceTransaction: (view, [hash]) => {
    const tx = findTransaction(view, hash)
    return tx ? trace(tx.block.transactions[tx.at]) : null
  },
  eth_getTransactionCount: (view, [address, where]) => toQuantity(countOf(view, where, String(address))),
  eth_getRawTransactionByHash: (view, [hash]) => {
    const found = findTransaction(view, hash)
    return found?.block.transactions[found.at]?.signed?.raw ?? null
  },
  eth_getCode: () => '0x',
  eth_maxPriorityFeePerGas: () => toQuantity(TIP),
  eth_estimateGas: (view, [call]) => {
    const transfer = requireAffordable(view, call as Json)
    return toQuantity(transfer ? TOKEN_GAS : COIN_GAS)
  },
  eth_getBalance: (view, [address, where]) => toQuantity(balance(view, where, null, String(address))),
  eth_call: (view, [call, where]) => {
    const { to, data = '0x' } = call as { to?: Hex; data?: Hex }
    if (to === undefined) return sumOf(view, where, data)
    if (requireAffordable(view, call as Json)) return word('0x1')
    return word(toQuantity(balance(view, where, to.toLowerCase(), `0x${data.slice(-40)}`)))
  },
}

/** What a node suggests as tip, and what the two kinds of transfers use. */
const TIP = 1_000_000_000n
export const TOKEN_GAS = 60_000n
export const COIN_GAS = 21_000n

/** How many transactions of an account blocks hold. */
function countOf(view: ChainView, where: unknown, address: string): bigint {
  const key = address.toLowerCase()
  const last = where === 'pending' ? view.blocks.length - 1 : heightOf(view, where)
  const mined = view.blocks.slice(0, last + 1).flatMap(({ transactions }) => transactions)
  return BigInt(mined.filter(({ from, signed }) => signed && from === key).length)
}

/** The transfer that a call of a token asks for, or null for any other call. */
export function transferOf(data: string): { readonly to: Hex; readonly units: bigint } | null {
  const match = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/i.exec(data)
  return match && { to: `0x${match[1]?.toLowerCase()}`, units: BigInt(`0x${match[2]}`) }
}

/** Reverts as a node does when the sender has too little; returns whether the call is the transfer of a token. */
function requireAffordable(view: ChainView, { from, to, value, data }: Json): boolean {
  const transfer = transferOf(String(data))
  const [token, units] = transfer
    ? [String(to).toLowerCase(), transfer.units]
    : [null, BigInt((value as string | undefined) ?? 0)]
  if (units > 0n && balance(view, 'latest', token, String(from)) < units) throw new NodeRefusal(3, 'execution reverted')
  return transfer !== null
}

function atTag(view: ChainView, tag: unknown): FakeBlock | undefined {
  if (tag === 'latest') return view.blocks.at(-1)
  if (tag !== 'finalized' && tag !== 'safe') return view.blocks[Number(tag)]
  if (view.finalizedHeight === null) throw new NodeRefusal(-32602, `the tag ${tag} is not supported`)
  return view.blocks[Math.min(view.finalizedHeight, view.blocks.length - 1)]
}

function withHash(view: ChainView, hash: unknown): FakeBlock | undefined {
  return view.blocks.findLast((block) => block.hash === hash)
}

function print(block: FakeBlock | undefined, isFull: boolean): unknown {
  if (!block) return null
  const transactions = block.transactions.map((tx, at) => (isFull ? printTransaction(block, at) : tx.hash))
  return { ...block.header, hash: block.hash, uncles: [], size: '0x400', transactions }
}

function printTransaction(block: FakeBlock, at: number): Json | null {
  const tx = block.transactions[at]
  if (!tx) return null
  return {
    blockHash: block.hash,
    blockNumber: toQuantity(block.height),
    transactionIndex: toQuantity(at),
    hash: tx.hash,
    type: '0x2',
    from: tx.from,
    to: tx.to,
    value: toQuantity(tx.value),
    input: '0x',
    nonce: toQuantity(tx.signed?.nonce ?? 0n),
  }
}

function findTransaction(view: ChainView, hash: unknown): { block: FakeBlock; at: number } | undefined {
  for (const block of view.blocks) {
    const at = block.transactions.findIndex((tx) => tx.hash === hash)
    if (at !== -1) return { block, at }
  }
  return undefined
}

function logsOf(view: ChainView, filter: Json): unknown[] {
  const addresses = new Set([filter['address']].flat().map((address) => String(address).toLowerCase()))
  const wanted = (filter['topics'] ?? []) as (string | null)[]
  const blocks =
    typeof filter['blockHash'] === 'string'
      ? [withHash(view, filter['blockHash'])].flatMap((block) => block ?? [])
      : view.blocks.slice(Number(filter['fromBlock']), Number(filter['toBlock']) + 1)
  return blocks
    .flatMap(({ receipts }) => receipts.flatMap(({ logs }) => logs))
    .filter(({ address }) => filter['address'] === undefined || addresses.has(String(address)))
    .filter(({ topics }) => wanted.every((topic, at) => topic === null || (topics as string[])[at] === topic))
}

function trace(tx: FakeTransaction | undefined): unknown {
  if (!tx) return null
  const frame = ({ value, ...rest }: FakeTransaction['calls'][number]) => ({ ...rest, value: toQuantity(value) })
  const root = { type: 'CALL', from: tx.from, to: tx.to, value: toQuantity(tx.value), calls: tx.calls.map(frame) }
  return tx.isSuccess ? root : { ...root, error: 'execution reverted' }
}

/** What truly arrived at an address up to the newest block, less what truly left it. */
export function heldBy(view: ChainView, token: Hex | null, address: string): bigint {
  return balance(view, 'latest', token, address)
}

/** The same up to a block. */
function balance(view: ChainView, where: unknown, token: Hex | null, address: string): bigint {
  const key = address.toLowerCase()
  const last = heightOf(view, where)
  let units = 0n
  for (const { transactions } of view.blocks.slice(0, last + 1)) {
    for (const move of transactions.flatMap(({ moves }) => moves)) {
      if (move.token !== token) continue
      if (move.to === key) units += move.units
      if (move.from === key) units -= move.units
    }
  }
  return units > 0n ? units : 0n
}

/** The result of the program that adds up balances: no address has code here. */
function sumOf(view: ChainView, where: unknown, data: Hex): Hex {
  const addresses = data.slice(2 + SUM_PROGRAM.length).match(/.{40}/g) ?? []
  const sum = addresses.reduce((total, address) => total + balance(view, where, null, `0x${address}`), 0n)
  return `0x${[heightOf(view, where), sum, 0].map((value) => word(toQuantity(value)).slice(2)).join('')}`
}

function heightOf(view: ChainView, where: unknown): number {
  if (typeof where === 'object' && where !== null) {
    const block = withHash(view, (where as Json)['blockHash'])
    if (!block) throw new NodeRefusal(-32000, 'header not found')
    return block.height
  }
  return where === undefined || where === 'latest' ? view.blocks.length - 1 : Number(where)
}
