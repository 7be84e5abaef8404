/** Requests by the contract: each route and path in turn, by callers of every kind, with heads and bodies that may be ill-formed. */
import { allRoutes } from '@kassa/contract/contract.ts'
import type { Route } from '@kassa/contract/kit/route.ts'

import type { Random } from '../simulator/random.ts'
import { hostileValue, type Known, pathText, textOf, valueOf } from './values.ts'

export type FuzzRequest = {
  readonly route: Route
  readonly method: string
  /** Path and query, encoded. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export type Callers = { readonly root: string; readonly lead: string; readonly apiKey: string }

const BAD_BODIES = [
  '{',
  '[',
  'null',
  '"text"',
  '[]',
  '1e999',
  '{"a":}',
  '\ufeff{}',
  '{"a":1,"a":2}',
  `${'['.repeat(5_000)}`,
  '\u0000',
  'a=b&c=d',
]
const BAD_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'x',
  'application/x-www-form-urlencoded',
]
const BAD_HEADERS: readonly (readonly [string, string])[] = [
  ['idempotency-key', 'a'],
  ['idempotency-key', 'x'.repeat(300)],
  ['idempotency-key', 'key with spaces'],
  ['if-unmodified-since', 'yesterday'],
  ['if-unmodified-since', '2026-01-01T00:00:00.000Z'],
  ['origin', 'null'],
  ['origin', 'http://evil.example'],
  ['host', 'evil.example'],
  ['host', '['],
  ['x-forwarded-for', '1.2.3.4, unknown, ::1'],
  ['forwarded', 'for="_x";proto=https'],
  ['accept-language', '*;q=0,xx-@@'],
  ['user-agent', 'é'.repeat(400)],
  ['authorization', 'Bearer'],
  ['authorization', 'Bearer \t'],
  ['range', 'bytes=9-1'],
  ['expect', 'nothing'],
  ['content-encoding', 'gzip'],
]

/** What the contract declares, in an endless order that follows from the seed. */
export function* requests(random: Random, known: () => Known, callers: () => Callers): Generator<FuzzRequest, never> {
  const all = allRoutes().flatMap((route) => route.paths.map((path) => ({ route, path })))
  for (;;) for (const { route, path } of random.shuffled(all)) yield make(random, route, path, known(), callers())
}

function make(random: Random, route: Route, path: string, known: Known, callers: Callers): FuzzRequest {
  const declared = random.pick(route.methods)
  const method = random.chance(0.02)
    ? random.pick(['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST', 'GET'])
    : declared
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encode(random, pathText(random, name, known)))
  const full = filled.startsWith('//') ? filled.slice(1) : `/api/v1${filled}`
  const query = route.query && random.chance(0.9) ? queryText(random, valueOf(random, route.query, known)) : ''
  const headers: Record<string, string> = { host: 'localhost', ...credentials(random, callers) }
  if (random.chance(0.08))
    headers[random.pick(BAD_HEADERS)[0]] = random.pick(BAD_HEADERS)[1].replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
  const body = method === 'GET' || method === 'HEAD' ? undefined : bodyOf(random, route, known, headers)
  // Node's own client sends no length with DELETE and OPTIONS.
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
  return { route, method, target: `${full}${query}`, headers, body }
}

function bodyOf(random: Random, route: Route, known: Known, headers: Record<string, string>): string | undefined {
  if (random.chance(0.03)) return undefined
  headers['content-type'] = random.chance(0.03) ? random.pick(BAD_TYPES) : 'application/json'
  if (random.chance(0.04)) return random.pick(BAD_BODIES)
  const value = route.body ? valueOf(random, route.body, known) : random.chance(0.5) ? {} : hostileValue(random)
  if (route.multipart && random.chance(0.5)) return formOf(random, value, headers)
  return JSON.stringify(value)
}

function formOf(random: Random, value: unknown, headers: Record<string, string>): string {
  headers['content-type'] = 'multipart/form-data; boundary=----fuzz'
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const parts = fields.map(([name, field]) => {
    const isFile = random.chance(0.3)
    const kind = isFile ? `; filename="a.${random.pick(['png', 'svg', 'csv', ''])}"\r\ncontent-type: image/png` : ''
    return `------fuzz\r\ncontent-disposition: form-data; name="${name}"${kind}\r\n\r\n${textOf(field)}\r\n`
  })
  return `${parts.join('')}${random.chance(0.9) ? '------fuzz--\r\n' : '------fu'}`
}

function credentials(random: Random, { root, lead, apiKey }: Callers): Record<string, string> {
  const draw = random.next()
  if (draw < 0.55) return random.chance(0.9) ? { 'api-key': root } : { authorization: `Bearer ${root}` }
  if (draw < 0.8) return { 'api-key': apiKey }
  if (draw < 0.9) return { 'api-key': lead }
  return draw < 0.95
    ? {}
    : { 'api-key': random.pick(['x', 'ks_', `ks_${'a'.repeat(43)}`, `kp_test_${'b'.repeat(43)}`]) }
}

function queryText(random: Random, query: unknown): string {
  if (typeof query !== 'object' || query === null) return random.chance(0.5) ? '?%E0%A4%A' : '?=&&==&a'
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const items = Array.isArray(value) && random.chance(0.7) ? value.slice(0, 50) : [value]
    return items.map((item) => `${encode(random, name)}=${encode(random, textOf(item))}`)
  })
  return pairs.length > 0 ? `?${pairs.join('&')}`.slice(0, 8_000) : ''
}

/** Percent-encoded; now and then wrongly, but always what an HTTP client can send. */
function encode(random: Random, text: string): string {
  if (random.chance(0.01)) return random.pick(['%', '%zz', '%ff%fe', '%00', '..', '%2e%2e%2f', '%2F%2F'])
  return encodeURIComponent(text.toWellFormed())
}
