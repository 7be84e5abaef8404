import { RetryableRpcError } from '@kassa/chains/errors.ts'
import type { JsonCall } from '@kassa/chains/node/client.ts'
import type { Fetch } from '@kassa/chains/node/transport.ts'
import { answer, NodeRefusal } from '@kassa/chains/testing/fake-chain/answers.ts'
import type { ChainView, FakeChain } from '@kassa/chains/testing/fake-chain/block-tree.ts'

import { readFeeTransaction } from '@kassa/keys/evm/fee-transaction.ts'

import type { SignedPool } from './money-out/signed-pool.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'

/** A fault of a node for a while (money.md 8.1). */
export const NODE_FAULTS = [
  'timeout',
  'limited',
  'unavailable',
  'garbage',
  'flapping',
  'wrong chain',
  'stale',
  'fork',
  'missing receipts',
  'foreign receipts',
  'invented logs',
  'missing logs',
] as const
/** What a node does besides to whoever sends through it. */
export const SENDING_FAULTS = [...NODE_FAULTS, 'forgets', 'skips places', 'says it failed', 'hides balances'] as const
export type NodeFault = (typeof SENDING_FAULTS)[number]

/** Faults without any answer. */
const SILENT = ['timeout', 'limited', 'unavailable', 'garbage'] as const satisfies readonly NodeFault[]
type Silence = (typeof SILENT)[number]

export type SimulatedNode = {
  readonly name: string
  readonly url: string
  readonly chain: FakeChain
  /** What it was given to broadcast, as every node of its chain knows it at once. */
  readonly signed: SignedPool
  fault: NodeFault | null
  /** The chain a node serves while it is stale, forked, or of another network. */
  shown: ChainView | null
}

type Options = {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly nodes: readonly SimulatedNode[]
  /** The share of requests that fail without a fault. */
  readonly flaw: () => number
}

/** The network between the program and its nodes; every request is a point of the schedule. */
export function nodeNetwork({ scheduler, random, nodes, flaw }: Options): Fetch {
  return (url, init) => {
    const node = nodes.find((each) => url.startsWith(each.url))
    if (!node) return Promise.reject(new Error(`No node answers at ${url}`))
    const asked = JSON.parse(init.body ?? 'null') as Asked | Asked[]
    const methods = [asked].flat().map(({ method }) => method)
    const label = `asks ${node.name} ${methods[0]} of ${methods.length}`
    return scheduler.point(label, () => {
      const fault = silence(node, random, flaw())
      if (!fault) return ok(JSON.stringify(Array.isArray(asked) ? asked.map(reply(node)) : reply(node)(asked)))
      // A node may take a transaction and then say nothing.
      if (methods.includes(BROADCAST) && random.chance(TAKES_SILENTLY)) [asked].flat().forEach(reply(node))
      scheduler.note(fault)
      return failure(fault, random, scheduler)
    })
  }
}

type Asked = Pick<JsonCall, 'method' | 'params'> & { readonly id: number }

/** The share of broadcasts without an answer that the node has taken. */
const TAKES_SILENTLY = 0.5
const BROADCAST = 'eth_sendRawTransaction'

function silence(node: SimulatedNode, random: Random, flaw: number): Silence | null {
  const isFlapping = node.fault === 'flapping' && random.chance(0.5)
  if (isFlapping || random.chance(flaw)) return random.pick(SILENT)
  return SILENT.find((one) => one === node.fault) ?? null
}

function failure(fault: Silence, random: Random, scheduler: Scheduler): Response {
  switch (fault) {
    case 'timeout':
      scheduler.pass(20_000)
      throw new RetryableRpcError('timeout', 'no answer in time')
    case 'limited':
      return response(429, '', { 'retry-after': '3' })
    case 'unavailable':
      return response(503, 'upstream connect error')
    case 'garbage':
      return ok(random.pick(['<html>', '{"jsonrpc":"2.0","id":1', '[]', 'null', '{"jsonrpc":"2.0","id":1}', '42']))
  }
}

function reply(node: SimulatedNode): (asked: Asked) => unknown {
  return ({ id, method, params }) => {
    try {
      const view = node.shown ?? node.chain.view()
      const isForgotten = method === BROADCAST && node.fault === 'forgets'
      const honest =
        (isForgotten ? forgotten(params) : node.signed.answer(view, method, params)) ?? answer(view, { method, params })
      return { jsonrpc: '2.0', id, result: LIES[node.fault ?? '']?.(honest, method, node) ?? honest }
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
    }
  }
}

/** The id of a transaction that a node says it took, and did not. */
function forgotten([raw]: readonly unknown[]): string | undefined {
  return readFeeTransaction(Buffer.from(String(raw).slice(2), 'hex'))?.txId
}

type Lie = (honest: unknown, method: string, node: SimulatedNode) => unknown

const RECEIPTS = 'eth_getBlockReceipts'
const RECEIPT = 'eth_getTransactionReceipt'

/** The false answer of a faulty node. */
const LIES: Readonly<Record<string, Lie>> = {
  'missing receipts': (honest, method) => (method === RECEIPTS ? (honest as unknown[]).slice(0, -1) : honest),
  'foreign receipts': (honest, method, node) => {
    const other = node.chain.view().blocks.findLast(({ receipts }) => receipts.length > 0)
    return method === RECEIPTS && other ? other.receipts : honest
  },
  'invented logs': (honest, method) => (method === RECEIPTS ? (honest as Receipt[]).map(withTwice) : honest),
  'skips places': (honest, method) =>
    method === 'eth_getTransactionCount' ? `0x${(BigInt(String(honest)) + 3n).toString(16)}` : honest,
  'says it failed': (honest, method) => {
    if (method === RECEIPT) return honest && { ...(honest as Receipt), status: '0x0', logs: [] }
    return method === RECEIPTS ? (honest as Receipt[]).map((receipt) => ({ ...receipt, status: '0x0' })) : honest
  },
  'hides balances': (honest, method) => (method === 'eth_getBalance' ? '0x0' : honest),
  'missing logs': (honest, method) => {
    if (method === 'eth_getLogs') return []
    return method === RECEIPTS ? (honest as Receipt[]).map((receipt) => ({ ...receipt, logs: [] })) : honest
  },
}

type Receipt = { readonly logs: readonly { readonly logIndex: string }[] }

function withTwice(receipt: Receipt): Receipt {
  const last = receipt.logs.at(-1)
  if (!last) return receipt
  const logIndex = `0x${(Number(last.logIndex) + 1).toString(16)}`
  return { ...receipt, logs: [...receipt.logs, { ...last, logIndex }] }
}

function ok(text: string): Response {
  return response(200, text)
}

/** The parts of a `Response` that the transport reads; a real one delivers its body at unpredictable times. */
function response(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  const body = [Buffer.from(text)]
  return { ok: status < 400, status, headers: new Headers(headers), body } as unknown as Response
}
