import { NodeRejected, RetryableRpcError } from '../errors.ts'

export type Fetch = (
  url: string,
  init: {
    method: string
    headers: Record<string, string>
    body: string | null
    signal: AbortSignal
    redirect: 'error'
  },
) => Promise<Response>

export type Request = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent by POST, as JSON unless it is text; undefined asks by GET. */
  readonly body: unknown
  /** The form of the answer; JSON when absent. */
  readonly answer?: 'text' | 'bytes' | undefined
  /** An HTTP error may carry the JSON-RPC error that explains it. */
  readonly isJsonRpc: boolean
  readonly exactNumbers?: true
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal?: AbortSignal
  readonly fetch: Fetch
  /** Turns a reason into a message that names the node without its secrets. */
  readonly explain: (reason: string) => string
}

/** HTTP statuses of a call that the node understood and refused; another node would do the same. */
const REFUSED = new Set([400, 404, 405, 410, 422])

/**
 * Sends a body, or asks without one, and returns what comes back, of limited size and within limited time.
 * @throws RetryableRpcError for everything that is wrong with the node, NodeRejected when it refuses a question that is not
 * JSON-RPC; the caller's own abort passes through
 */
export async function send(request: Request): Promise<unknown> {
  const timeout = AbortSignal.timeout(request.timeoutMs)
  const { type, body } = bodyOf(request.body)
  try {
    const response = await request.fetch(request.url, {
      method: body === null ? 'GET' : 'POST',
      headers: { ...(type && { 'content-type': type }), ...request.headers },
      body,
      signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
      redirect: 'error',
    })
    const bytes = await readBytes(response, request)
    if (response.ok && request.answer === 'bytes') return bytes
    const text = bytes.toString('utf8')
    if (!response.ok && !(request.isJsonRpc && isRpcAnswer(text))) throw refusal(response, request, text)
    return request.answer === 'text' ? text.trim() : parse(text, request)
  } catch (error) {
    if (request.signal?.aborted) throw request.signal.reason
    if (error instanceof RetryableRpcError || error instanceof NodeRejected) throw error
    if (timeout.aborted) throw new RetryableRpcError('timeout', request.explain(`no answer in ${request.timeoutMs} ms`))
    throw new RetryableRpcError('unreachable', request.explain(reasonOf(error)))
  }
}

function bodyOf(body: unknown): { readonly type?: string; readonly body: string | null } {
  if (body === undefined) return { body: null }
  if (typeof body === 'string') return { type: 'text/plain', body }
  return { type: 'application/json', body: JSON.stringify(body) }
}

async function readBytes(response: Response, request: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  const body: AsyncIterable<Uint8Array> | [] = response.body ?? []
  for await (const chunk of body) {
    size += chunk.length
    if (size > request.maxBytes) {
      throw new RetryableRpcError('too-large', request.explain(`the answer is larger than ${request.maxBytes} bytes`))
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parse(text: string, request: Request): unknown {
  try {
    return request.exactNumbers ? parseExactly(text) : (JSON.parse(text) as unknown)
  } catch {
    throw new RetryableRpcError('malformed', request.explain('the answer is not JSON'))
  }
}

/** A whole number beyond 2^53 keeps all of its digits, as a bigint. */
function parseExactly(text: string): unknown {
  return parseWithSource(text, (_key, value, { source = '' }) => {
    const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    return isRounded ? BigInt(source) : value
  })
}

/** The third argument (ECMA-262, JSON.parse source text access) is not in TypeScript's library yet. */
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown

/** How nodes of Bitcoin begin a refusal: they speak JSON-RPC 1.0, whose messages do not name the version. */
const OLD_REFUSAL = '{"result":null,"error":{'

/** Many nodes answer a refused call with an HTTP error and a proper JSON-RPC body. */
function isRpcAnswer(text: string): boolean {
  return text.startsWith(OLD_REFUSAL) || (text.startsWith('{') && text.includes('"jsonrpc"'))
}

function refusal(response: Response, request: Request, text: string): Error {
  if (!request.isJsonRpc && REFUSED.has(response.status)) {
    // A node that answers in text gives its reason in text.
    const why = request.answer === undefined ? '' : `: ${text.trim()}`
    return new NodeRejected(request.explain(`HTTP ${response.status}${why}`), response.status)
  }
  const retryAfterMs = retryAfter(response.headers.get('retry-after') ?? '')
  const kind = response.status === 429 ? 'limited' : 'unreachable'
  return new RetryableRpcError(kind, request.explain(`HTTP ${response.status}`), {
    ...(retryAfterMs !== null && { retryAfterMs }),
  })
}

/** Milliseconds to wait, of a number of seconds or a date (RFC 9110 10.2.3); null for anything else. */
function retryAfter(value: string): number | null {
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now())
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed'
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
