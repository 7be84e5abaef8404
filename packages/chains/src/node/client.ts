import { NodeRejected, RetryableRpcError } from '../errors.ts'
import { mapConcurrent } from './map-concurrent.ts'
import { maskSecrets, maskUrl, secretsOf } from './mask.ts'
import { type Fetch, postJson } from './transport.ts'

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

/** One node. Failures are `RetryableRpcError` or `NodeRejected`, and their messages name the node without its secrets. */
export type RpcClient = {
  readonly id: number
  /** The node's URL, masked. */
  readonly label: string
  /** Makes one call and returns its `result`. */
  call(call: RpcCall, signal: AbortSignal): Promise<unknown>
  /** Makes many calls, in few requests where the node takes batches; outcomes are in the order asked. */
  batch(calls: readonly RpcCall[], signal: AbortSignal): Promise<PromiseSettledResult<unknown>[]>
}

export type RpcOptions = {
  readonly id: number
  /** User-info in it becomes an Authorization header. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** What no message may repeat, besides the secrets in the URL: those in the headers. */
  readonly secrets?: readonly string[]
  readonly timeoutMs?: number
  readonly maxBytes?: number
  /** The guarded way out of the server; the platform's by default. */
  readonly fetch?: Fetch
}

/** Long enough for a busy node to trace a full block; a turn that waits longer is better spent on another node. */
const TIMEOUT_MS = 20_000

/** Several times the largest block with receipts or traces seen on the seeded chains. */
const MAX_BYTES = 64 * 1024 * 1024

/** Hosted nodes refuse larger batches. */
const BATCH_SIZE = 50

/** Keeps a node busy without tripping its rate limit. */
const REQUESTS_IN_FLIGHT = 4

/** Resource missing for now, unavailable, rate limited, internal: the codes of EIP-1474 that another node may not share. */
const RETRYABLE_CODES = new Set([-32001, -32002, -32005, -32603, 429])

/** Node texts that come with the catch-all code −32000 but mean that this node has not got the block yet. */
const NOT_HERE_YET = /\b(header|block|state)\b.*\bnot (found|available)|unknown block|missing trie node/i

/** Longer texts from a node are cut: they end up in logs. */
const LONGEST_REASON = 300

/** Opens a JSON-RPC 2.0 client over HTTP for one node; nothing is sent before the first call. */
export function connect(options: RpcOptions): RpcClient {
  const label = maskUrl(options.url)
  const secrets = [...secretsOf(options.url), ...(options.secrets ?? [])]
  const explain = (text: string) => `${label}: ${maskSecrets(text, secrets).slice(0, LONGEST_REASON)}`
  const target = { ...splitUserInfo(options.url, options.headers), fetch: options.fetch ?? fetch }
  const limits = { timeoutMs: options.timeoutMs ?? TIMEOUT_MS, maxBytes: options.maxBytes ?? MAX_BYTES }
  let takesBatches = true

  const post = (body: unknown, signal: AbortSignal) => postJson({ ...target, ...limits, body, signal, explain })

  async function call({ method, params }: RpcCall, signal: AbortSignal): Promise<unknown> {
    const answer = await post({ jsonrpc: '2.0', id: 1, method, params }, signal)
    return resultOf(answer, method, explain)
  }

  async function postBatch(calls: readonly RpcCall[], signal: AbortSignal): Promise<PromiseSettledResult<unknown>[]> {
    if (!takesBatches || calls.length === 1) return mapConcurrent(REQUESTS_IN_FLIGHT, calls, (one) => call(one, signal))
    const answer = await post(
      calls.map((one, id) => ({ jsonrpc: '2.0', id, ...one })),
      signal,
    )
    if (!Array.isArray(answer)) {
      refuseUnlessBatchIsUnknown(answer, explain)
      takesBatches = false
      return postBatch(calls, signal)
    }
    const byId = new Map(answer.map((item: unknown) => [fieldOf(item, 'id'), item]))
    return Promise.allSettled(calls.map(async ({ method }, id) => resultOf(byId.get(id), method, explain)))
  }

  async function batch(calls: readonly RpcCall[], signal: AbortSignal): Promise<PromiseSettledResult<unknown>[]> {
    const pieces: RpcCall[][] = []
    for (let at = 0; at < calls.length; at += BATCH_SIZE) pieces.push(calls.slice(at, at + BATCH_SIZE))
    const answers = await mapConcurrent(REQUESTS_IN_FLIGHT, pieces, (piece) => postBatch(piece, signal))
    return answers.flatMap((answer, at) =>
      answer.status === 'fulfilled' ? answer.value : (pieces[at] ?? []).map(() => answer),
    )
  }

  return { id: options.id, label, call, batch }
}

/**
 * Makes many calls of which every one must succeed, and returns their results in order.
 * @throws the first failure
 */
export async function callAll(client: RpcClient, calls: readonly RpcCall[], signal: AbortSignal): Promise<unknown[]> {
  const outcomes = await client.batch(calls, signal)
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

/** One object for a whole batch is a node that takes none, unless it says that it is busy. */
function refuseUnlessBatchIsUnknown(answer: unknown, explain: (text: string) => string): void {
  try {
    resultOf(answer, 'A batch', explain)
  } catch (error) {
    if (error instanceof RetryableRpcError) throw error
  }
}

function resultOf(answer: unknown, method: string, explain: (text: string) => string): unknown {
  const error = fieldOf(answer, 'error')
  if (error === undefined || error === null) {
    const result = fieldOf(answer, 'result')
    if (result !== undefined) return result
    throw new RetryableRpcError('malformed', explain(`${method} got an answer without a result`))
  }
  const code = Number(fieldOf(error, 'code'))
  const said = fieldOf(error, 'message')
  const message = explain(`${method} failed with ${code}: ${typeof said === 'string' ? said : 'no reason given'}`)
  if (code === -32005 || code === 429) throw new RetryableRpcError('limited', message)
  if (RETRYABLE_CODES.has(code) || NOT_HERE_YET.test(message)) throw new RetryableRpcError('internal', message)
  throw new NodeRejected(message, code)
}

function fieldOf(value: unknown, key: 'id' | 'result' | 'error' | 'code' | 'message'): unknown {
  return typeof value === 'object' && value !== null ? (value as Partial<Record<typeof key, unknown>>)[key] : undefined
}

function splitUserInfo(
  text: string,
  headers: Readonly<Record<string, string>> = {},
): { url: string; headers: Record<string, string> } {
  const url = new URL(text)
  if (!url.username && !url.password) return { url: url.href, headers }
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  return { url: url.href, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}`, ...headers } }
}
