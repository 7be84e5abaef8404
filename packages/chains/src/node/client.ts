import { NodeRejected, RetryableRpcError } from '../errors.ts'
import { mapConcurrent } from './map-concurrent.ts'
import { maskSecrets, maskUrl, secretsOf } from './mask.ts'
import { type Fetch, send } from './transport.ts'

/**
 * One call: JSON-RPC 2.0, or an HTTP path below the node's URL, by GET without a body and by POST with one. Text is sent as it
 * is and everything else as JSON; the answer is JSON, trimmed text, or a Buffer.
 */
export type NodeCall =
  | { readonly rpc: 'json'; readonly method: string; readonly params: readonly unknown[] }
  | { readonly rpc: 'rest'; readonly path: string; readonly body?: unknown; readonly answer?: 'text' | 'bytes' }

export type JsonCall = Extract<NodeCall, { rpc: 'json' }>
export type RestCall = Extract<NodeCall, { rpc: 'rest' }>

export type CallOptions = {
  readonly signal?: AbortSignal
  /** Whole numbers that a double cannot hold are bigints in the answer. */
  readonly exactNumbers?: true
}

export type BatchOptions = CallOptions & {
  /** How many calls share a request: few where answers are large, because a node makes all of them before it sends any. */
  readonly perRequest?: number
}

/** One node. Failures are `RetryableRpcError` or `NodeRejected`, and their messages name the node without its secrets. */
export type NodeClient = {
  readonly id: number
  /** The node's URL, masked. */
  readonly label: string
  /** Makes one call and returns its `result`, or for `rest` the whole answer. */
  call(call: NodeCall, options?: CallOptions): Promise<unknown>
  /** Makes many calls, in few requests where the node takes batches; outcomes are in the order asked. */
  batch(calls: readonly NodeCall[], options?: BatchOptions): Promise<PromiseSettledResult<unknown>[]>
}

export type NodeOptions = {
  readonly id: number
  /** User-info in it becomes an Authorization header. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** What no message may contain, besides the secrets in the URL: the secrets in the headers. */
  readonly secrets?: readonly string[]
  readonly timeoutMs?: number
  readonly maxBytes?: number
  /** The guarded way out of the server; the platform's by default. */
  readonly fetch?: Fetch
}

/** Long enough for a busy node to trace a full block; a poll that waits longer is better spent on another node. */
const TIMEOUT_MS = 20_000

/** Several times the size of the largest block with receipts or traces on the chains of the catalogue. */
const MAX_BYTES = 64 * 1024 * 1024

/** Hosted nodes refuse larger batches. */
const BATCH_SIZE = 50

/** Keeps a node busy without tripping its rate limit. */
const REQUESTS_IN_FLIGHT = 4

/** Resource missing for now, unavailable, rate limited, internal: the codes of EIP-1474 that another node may not share. */
const RETRYABLE_CODES = new Set([-32001, -32002, -32005, -32603, 429])

/** Texts of nodes that come with the catch-all code −32000 but mean that the node does not have the block yet. */
const NOT_HERE_YET = /\b(header|block|state)\b.*\bnot (found|available)|unknown block|missing trie node/i

/** Longer texts from a node are cut: they end up in logs. */
const LONGEST_REASON = 300

/** Opens a client over HTTP for one node; nothing is sent before the first call. */
export function connect(options: NodeOptions): NodeClient {
  const label = maskUrl(options.url)
  const secrets = [...secretsOf(options.url), ...(options.secrets ?? [])]
  const explain = (text: string) => `${label}: ${maskSecrets(text, secrets).slice(0, LONGEST_REASON)}`
  const target = { ...splitUserInfo(options.url, options.headers), fetch: options.fetch ?? fetch }
  const limits = { timeoutMs: options.timeoutMs ?? TIMEOUT_MS, maxBytes: options.maxBytes ?? MAX_BYTES }
  let takesBatches = true

  const post = (body: unknown, wishes: CallOptions) =>
    send({ ...target, ...limits, ...wishes, body, isJsonRpc: true, explain })

  async function call(one: NodeCall, wishes: CallOptions = {}): Promise<unknown> {
    if (one.rpc === 'rest') {
      const url = urlBelow(target.url, one.path)
      const { body, answer } = one
      return send({ ...target, ...limits, ...wishes, url, body, answer, isJsonRpc: false, explain })
    }
    return resultOf(await post(envelope(one, 1), wishes), one.method, explain)
  }

  async function sendPiece(calls: readonly NodeCall[], wishes: CallOptions): Promise<PromiseSettledResult<unknown>[]> {
    // One after another: the batches themselves run concurrently.
    if (!takesBatches || calls.length === 1 || !calls.every(isJson)) {
      return mapConcurrent(1, calls, (one) => call(one, wishes))
    }
    const answer = await post(calls.map(envelope), wishes)
    if (!Array.isArray(answer)) {
      refuseUnlessBatchIsUnknown(answer, explain)
      takesBatches = false
      return sendPiece(calls, wishes)
    }
    const byId = new Map(answer.map((item: unknown) => [fieldOf(item, 'id'), item]))
    return Promise.allSettled(calls.map(async ({ method }, id) => resultOf(byId.get(id), method, explain)))
  }

  async function batch(
    calls: readonly NodeCall[],
    { perRequest = BATCH_SIZE, ...wishes }: BatchOptions = {},
  ): Promise<PromiseSettledResult<unknown>[]> {
    const size = takesBatches && calls.every(isJson) ? perRequest : 1
    const pieces: NodeCall[][] = []
    for (let at = 0; at < calls.length; at += size) pieces.push(calls.slice(at, at + size))
    const answers = await mapConcurrent(REQUESTS_IN_FLIGHT, pieces, (piece) => sendPiece(piece, wishes))
    return answers.flatMap((answer, at) =>
      answer.status === 'fulfilled' ? answer.value : (pieces[at] ?? []).map(() => answer),
    )
  }

  return { id: options.id, label, call, batch }
}

/** A JSON-RPC call of a method with its parameters. */
export function jsonCall(method: string, ...params: readonly unknown[]): JsonCall {
  return { rpc: 'json', method, params }
}

/** What a call needs of a session. */
type Asking = { readonly node: NodeClient; readonly signal: AbortSignal }

/** Makes one call. @throws its failure */
export function callNode({ node, signal }: Asking, call: NodeCall): Promise<unknown> {
  return node.call(call, { signal })
}

/** Makes many calls, and returns the outcome of each in order. */
export function callEach(
  { node, signal }: Asking,
  calls: readonly NodeCall[],
  options: Pick<BatchOptions, 'perRequest'> = {},
): Promise<PromiseSettledResult<unknown>[]> {
  return node.batch(calls, { signal, ...options })
}

/**
 * Makes many calls of which every one must succeed, and returns their results in order.
 * @throws the first failure
 */
export async function callAll(
  session: Asking,
  calls: readonly NodeCall[],
  options: Pick<BatchOptions, 'perRequest'> = {},
): Promise<unknown[]> {
  const outcomes = await callEach(session, calls, options)
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

function isJson(call: NodeCall): call is JsonCall {
  return call.rpc === 'json'
}

function envelope({ method, params }: JsonCall, id: number) {
  return { jsonrpc: '2.0', id, method, params }
}

/** The path goes behind the node's own, and keys in its query stay. */
function urlBelow(text: string, path: string): string {
  const url = new URL(text)
  const { pathname, searchParams } = new URL(path, url.origin)
  url.pathname = url.pathname.replace(/\/$/, '') + pathname
  for (const [name, value] of searchParams) url.searchParams.append(name, value)
  return url.href
}

/** A single object as the answer to a whole batch means that the node takes no batches, unless it says that it is busy. */
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
