import { vi } from 'vitest'

/** One call a screen made. */
export type SentCall = {
  readonly method: string
  readonly path: string
  readonly body: unknown
  /** What the write starts from, where it says so. */
  readonly since?: string
}

/** What a call is answered with, given what its address asks for: a value for 200, or a Response. */
export type Answers = Readonly<Record<string, (call: SentCall, query: URLSearchParams) => unknown>>

/** Answers `METHOD /path` below `/api/v1` by hand and returns every call as it comes; anything else is a 404. */
export function stubServer(answers: Answers): SentCall[] {
  const calls: SentCall[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, window.location.href)
    const call = {
      method: init.method ?? 'GET',
      path: pathname.replace('/api/v1', ''),
      body: bodyOf(init),
      ...sinceOf(init),
    }
    calls.push(call)
    const answer = await answers[`${call.method} ${call.path}`]?.(call, searchParams)
    if (answer instanceof Response) return answer
    return answer === undefined ? refusal(404, 'ROUTE_NOT_FOUND', `No ${call.path}`) : Response.json(answer)
  })
  return calls
}

/** A refusal in the shape of api.md 1.3. */
export function refusal(status: number, code: string, message: string, more: object = {}): Response {
  return Response.json({ error: { code, message, requestId: '01J', ...more }, message }, { status })
}

function sinceOf({ headers }: RequestInit): { since?: string } {
  const since = new Headers(headers).get('If-Unmodified-Since')
  return since === null ? {} : { since }
}

function bodyOf({ body }: RequestInit): unknown {
  if (typeof body === 'string') return JSON.parse(body)
  return body instanceof FormData ? Object.fromEntries(body) : undefined
}
