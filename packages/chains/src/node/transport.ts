import { RetryableRpcError } from '../errors.ts'

export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal; redirect: 'error' },
) => Promise<Response>

export type Post = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal: AbortSignal
  readonly fetch: Fetch
  /** Turns a reason into a message that names the node without its secrets. */
  readonly explain: (reason: string) => string
}

/**
 * Sends JSON and returns the JSON that comes back, of limited size and within limited time.
 * @throws RetryableRpcError for everything that is wrong with the node; the caller's own abort passes through
 */
export async function postJson(post: Post): Promise<unknown> {
  const timeout = AbortSignal.timeout(post.timeoutMs)
  try {
    const response = await post.fetch(post.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...post.headers },
      body: JSON.stringify(post.body),
      signal: AbortSignal.any([post.signal, timeout]),
      redirect: 'error',
    })
    const text = await readText(response, post)
    if (!response.ok && !isRpcAnswer(text)) throw refusal(response, post)
    return parse(text, post)
  } catch (error) {
    if (post.signal.aborted) throw post.signal.reason
    if (error instanceof RetryableRpcError) throw error
    if (timeout.aborted) throw new RetryableRpcError('timeout', post.explain(`no answer in ${post.timeoutMs} ms`))
    throw new RetryableRpcError('unreachable', post.explain(reasonOf(error)))
  }
}

async function readText(response: Response, post: Post): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  const body: AsyncIterable<Uint8Array> | [] = response.body ?? []
  for await (const chunk of body) {
    size += chunk.length
    if (size > post.maxBytes) {
      throw new RetryableRpcError('too-large', post.explain(`the answer is larger than ${post.maxBytes} bytes`))
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string, post: Post): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new RetryableRpcError('malformed', post.explain('the answer is not JSON'))
  }
}

/** Many nodes answer a refused call with an HTTP error and a proper JSON-RPC body. */
function isRpcAnswer(text: string): boolean {
  return text.startsWith('{') && text.includes('"jsonrpc"')
}

function refusal(response: Response, post: Post): RetryableRpcError {
  const retryAfterMs = retryAfter(response.headers.get('retry-after') ?? '')
  const kind = response.status === 429 ? 'limited' : 'unreachable'
  return new RetryableRpcError(kind, post.explain(`HTTP ${response.status}`), {
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
