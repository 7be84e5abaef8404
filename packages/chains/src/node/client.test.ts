import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { NodeRejected, RetryableRpcError } from '../errors.ts'
import { callAll, connect, jsonCall, type NodeClient, type NodeOptions } from './client.ts'

type Asked = { id: number; method: string; params: unknown[] }
type Reply = (asked: Asked | Asked[], response: ServerResponse, request: IncomingMessage) => unknown

const signal = new AbortController().signal
const chainId = jsonCall('eth_chainId')
let server: Server | undefined

afterEach(() => server?.close())

/** Serves a scripted node: the result of `reply` is sent as JSON; undefined means that `reply` has sent the answer. */
async function serve(reply: Reply, options: Partial<NodeOptions> = {}, path = ''): Promise<NodeClient> {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const answer = reply((text === '' ? null : JSON.parse(text)) as Asked, response, request)
      if (answer !== undefined) response.end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return connect({ id: 1, url: `http://127.0.0.1:${port}${path}`, ...options })
}

const echo = (asked: Asked) => ({ jsonrpc: '2.0', id: asked.id, result: asked.method })
const refuse = (code: number, message: string) => () => ({ jsonrpc: '2.0', id: 1, error: { code, message } })
const failure = (client: NodeClient): Promise<unknown> =>
  client.call(chainId, { signal }).catch((error: unknown) => error)

describe('node.call', () => {
  it('returns the result', async () => {
    expect(await (await serve((asked) => echo(asked as Asked))).call(chainId, { signal })).toBe('eth_chainId')
  })

  it.each([
    [-32601, 'the method does not exist'],
    [-32602, 'invalid params'],
    [3, 'execution reverted'],
    [-32000, 'nonce too low'],
  ])('says that the chain refused on code %i (%s)', async (code, message) => {
    const error = await failure(await serve(refuse(code, message)))
    expect(error).toBeInstanceOf(NodeRejected)
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it.each([
    [-32005, 'limit exceeded', 'limited'],
    [-32603, 'internal error', 'internal'],
    [-32000, 'header not found', 'internal'],
  ])('calls code %i (%s) retryable', async (code, message, kind) => {
    const error = await failure(await serve(refuse(code, message)))
    expect(error).toBeInstanceOf(RetryableRpcError)
    expect(error).toMatchObject({ kind })
  })

  it('reads a refusal that comes with an HTTP error', async () => {
    const client = await serve((_, response) => {
      response.statusCode = 400
      return refuse(-32602, 'bad')()
    })
    expect(await failure(client)).toMatchObject({ code: -32602 })
  })

  it('passes on how long a busy node wants to be left alone', async () => {
    const client = await serve((_, response) => {
      response.writeHead(429, { 'retry-after': '7' }).end('slow down')
    })
    expect(await failure(client)).toMatchObject({ kind: 'limited', retryAfterMs: 7_000 })
  })

  it.each([
    ['an HTTP error', 'unreachable', (response: ServerResponse) => void response.writeHead(502).end('<html>')],
    ['a page that is not JSON', 'malformed', (response: ServerResponse) => void response.end('<html>')],
    ['an answer without a result', 'malformed', (response: ServerResponse) => void response.end('{"jsonrpc":"2.0"}')],
    ['an answer that is too large', 'too-large', (response: ServerResponse) => void response.end('x'.repeat(2_000))],
    ['silence', 'timeout', () => undefined],
    ['a closed connection', 'unreachable', (response: ServerResponse) => void response.destroy()],
  ])('calls %s retryable', async (_, kind, reply) => {
    // What answers has all the time of a busy machine.
    const timeoutMs = kind === 'timeout' ? 300 : 10_000
    const client = await serve((_asked, response) => reply(response), { maxBytes: 1_000, timeoutMs })
    expect(await failure(client)).toMatchObject({ name: 'RetryableRpcError', kind })
  })

  it('does not follow a redirect', async () => {
    const client = await serve((asked, response, request) =>
      request.url === '/next' ? echo(asked as Asked) : void response.writeHead(307, { location: '/next' }).end(),
    )
    expect(await failure(client)).toMatchObject({ kind: 'unreachable' })
  })

  it('ends at once when the caller gives up', async () => {
    const client = await serve(() => undefined)
    const controller = new AbortController()
    const result = client.call(chainId, { signal: controller.signal })
    controller.abort(new Error('poll ended'))
    await expect(result).rejects.toThrow('poll ended')
  })

  it('names the node without the keys in its URL, even when the node repeats them', async () => {
    const client = await serve(
      refuse(-32602, 'no such key S3CRET-PROJECT-KEY or tok3n'),
      {},
      '/v2/S3CRET-PROJECT-KEY?token=tok3n',
    )
    const error = (await failure(client)) as Error
    expect(error.message).not.toMatch(/S3CRET|tok3n/)
    expect(error.message).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2\/•••\?•••: eth_chainId failed with -32602/)
  })

  it('repeats no secret of the headers, though the node does', async () => {
    const options = { headers: { 'x-api-key': 'k3y-of-ours' }, secrets: ['k3y-of-ours'] }
    const client = await serve(refuse(-32602, 'unknown key k3y-of-ours'), options)
    expect(((await failure(client)) as Error).message).toMatch(/unknown key •••$/)
  })

  it('reads a date in retry-after as well', async () => {
    const client = await serve((_, response) => {
      response.writeHead(429, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }).end()
    })
    const { retryAfterMs } = (await failure(client)) as RetryableRpcError
    expect(retryAfterMs).toBeGreaterThan(57_000)
    expect(retryAfterMs).toBeLessThanOrEqual(60_000)
  })

  it('sends user-info as a header and never shows it', async () => {
    let sent: string | undefined
    const node = await serve((asked, _, request) => {
      sent = request.headers.authorization
      return echo(asked as Asked)
    })
    const client = connect({ id: 2, url: node.label.replace('//', '//kassa:p%40ss@') })
    await client.call(chainId, { signal })
    expect(sent).toBe(`Basic ${Buffer.from('kassa:p@ss').toString('base64')}`)
    expect(client.label).not.toMatch(/kassa|p%40ss/)
  })
})

describe('node.batch', () => {
  const calls = (count: number) => Array.from({ length: count }, (_, at) => jsonCall(`m${at}`))

  /** A node that answers once it cannot get more requests; it notes their sizes, and how many it had at most. */
  async function slowNode(reply: (asked: Asked | Asked[]) => unknown) {
    const sizes: number[] = []
    let [inFlight, most] = [0, 0]
    const client = await serve((asked, response) => {
      sizes.push(Array.isArray(asked) ? asked.length : 1)
      inFlight += 1
      most = Math.max(most, inFlight)
      setTimeout(() => {
        inFlight -= 1
        response.end(JSON.stringify(reply(asked)))
      }, 20)
    })
    return { sizes, most: () => most, client }
  }

  it('returns outcomes in the order asked, whatever the order of the answers', async () => {
    const client = await serve((asked) => (asked as Asked[]).map(echo).toReversed())
    expect(await callAll({ node: client, signal }, calls(120))).toEqual(calls(120).map(({ method }) => method))
  })

  it('keeps a refusal to its own call', async () => {
    const client = await serve((asked) => {
      const [first, second] = asked as [Asked, Asked]
      return [echo(first), { id: second.id, error: { code: -32601, message: 'no' } }]
    })
    const outcomes = await client.batch(calls(2), { signal })
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    await expect(callAll({ node: client, signal }, calls(2))).rejects.toThrow(NodeRejected)
  })

  it('asks one by one when the node takes no batches, and remembers it', async () => {
    let batches = 0
    const client = await serve((asked) => {
      if (!Array.isArray(asked)) return echo(asked)
      batches += 1
      return { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'batches are not supported' } }
    })
    expect(await callAll({ node: client, signal }, calls(3))).toEqual(['m0', 'm1', 'm2'])
    await callAll({ node: client, signal }, calls(3))
    expect(batches).toBe(1)
  })

  it('puts as many calls into a request as are wished, with four requests in flight', async () => {
    const { sizes, most, client } = await slowNode((asked) => (asked as Asked[]).map(echo))
    const answers = await callAll({ node: client, signal }, calls(12), { perRequest: 2 })
    expect(answers).toEqual(calls(12).map(({ method }) => method))
    expect([sizes, most()]).toEqual([[2, 2, 2, 2, 2, 2], 4])
  })

  it('has no more requests in flight where they are asked one by one', async () => {
    const { most, client } = await slowNode((asked) =>
      Array.isArray(asked) ? { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } } : echo(asked),
    )
    const asking = () => callAll({ node: client, signal }, calls(12), { perRequest: 3 })
    expect(await asking()).toEqual(calls(12).map(({ method }) => method))
    expect(await asking()).toHaveLength(12)
    expect(most()).toBe(4)
  })

  it('does not take a rate limit for a node without batches', async () => {
    let isBusy = true
    const client = await serve((asked) => {
      if (isBusy) return refuse(-32005, 'rate limit')()
      return Array.isArray(asked) ? asked.map(echo) : refuse(-32600, 'batches only')()
    })
    await expect(callAll({ node: client, signal }, calls(3))).rejects.toMatchObject({ kind: 'limited' })
    isBusy = false
    expect(await callAll({ node: client, signal }, calls(3))).toEqual(['m0', 'm1', 'm2'])
  })

  it('calls a missing answer retryable', async () => {
    const client = await serve((asked) => (asked as Asked[]).slice(1).map(echo))
    await expect(callAll({ node: client, signal }, calls(3))).rejects.toMatchObject({ kind: 'malformed' })
  })
})

describe('node.call of HTTP paths', () => {
  const block = { rpc: 'rest', path: '/wallet/getnowblock' } as const

  it('reads a path below the URL of the node, with the keys in its query', async () => {
    const seen: (string | undefined)[] = []
    const client = await serve(
      (_asked, _response, { method, url }) => {
        seen.push(`${method} ${url}`)
        return { height: 7 }
      },
      {},
      '/tron?apikey=secret',
    )
    expect(await client.call(block)).toEqual({ height: 7 })
    await client.call({ rpc: 'rest', path: '/wallet/getblock?detail=true' })
    expect(seen).toEqual([
      'GET /tron/wallet/getnowblock?apikey=secret',
      'GET /tron/wallet/getblock?apikey=secret&detail=true',
    ])
  })

  it('posts a body as JSON', async () => {
    const client = await serve((asked, _response, { method, headers }) => [method, headers['content-type'], asked])
    const asked = await client.call({ rpc: 'rest', path: '/wallet/getblock', body: { id_or_num: '7' } })
    expect(asked).toEqual(['POST', 'application/json', { id_or_num: '7' }])
  })

  it.each([400, 404])('says that the chain refused on HTTP %i', async (status) => {
    const client = await serve((_asked, response) => void response.writeHead(status).end('{}'))
    await expect(client.call(block)).rejects.toMatchObject({ name: 'NodeRejected', code: status })
  })

  it.each([
    [401, 'unreachable'],
    [429, 'limited'],
    [503, 'unreachable'],
  ])('calls HTTP %i retryable, and hides the key', async (status, kind) => {
    const client = await serve((_asked, response) => void response.writeHead(status).end(), {}, '/?apikey=secret')
    const error = await client.call(block).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind })
    expect(String(error)).not.toContain('secret')
  })

  it('asks one by one for many, beside JSON-RPC', async () => {
    const client = await serve((asked, _response, { url }) => (asked ? echo(asked as Asked) : url))
    const outcomes = await client.batch([block, chainId, block])
    expect(outcomes.map((one) => one.status === 'fulfilled' && one.value)).toEqual([
      '/wallet/getnowblock',
      'eth_chainId',
      '/wallet/getnowblock',
    ])
  })

  it('keeps every digit of whole numbers where that is asked for', async () => {
    const text = '{"amount":9223372036854775807,"fee":1,"share":0.5}'
    const client = await serve((_asked, response) => void response.end(text))
    expect(await client.call(block, { exactNumbers: true })).toEqual({ amount: 2n ** 63n - 1n, fee: 1, share: 0.5 })
    expect(await client.call(block)).toMatchObject({ amount: 2 ** 63 })
  })
})
