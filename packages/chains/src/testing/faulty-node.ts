import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What is wrong with a node. */
export type Trouble =
  /** It answers 429, with or without a wish. */
  | { readonly kind: 'busy'; readonly retryAfter?: string }
  /** It answers with an HTTP error. */
  | { readonly kind: 'broken'; readonly status: number }
  /** It answers something that is no JSON. */
  | { readonly kind: 'garbage' }
  /** It accepts the request and never answers. */
  | { readonly kind: 'hangs' }
  /** It closes the connection. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** It knows no block above this height. */
  | { readonly kind: 'stale'; readonly height: number }
  /** From this height on its blocks have other hashes. */
  | { readonly kind: 'forked'; readonly from: number }
  /** It answers the receipts of the block before the one it was asked for. */
  | { readonly kind: 'other-receipts' }
  /** It names another network than it serves. */
  | { readonly kind: 'other-network'; readonly chainId: number }
  /** It serves the chain of the node at this address. */
  | { readonly kind: 'elsewhere'; readonly url: string }

export type FaultyNode = {
  readonly url: string
  /** Methods it was asked, in order. */
  readonly asked: readonly string[]
  /** From now on this is wrong with it; null: nothing. */
  readonly trouble: (trouble: Trouble | null) => void
  readonly stop: () => Promise<void>
}

type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }
type Block = { readonly number: string; readonly hash: string; readonly parentHash: string }

/** Starts a proxy in front of a real JSON-RPC node, whose troubles a test switches on and off. */
export async function startFaultyNode(upstream: string): Promise<FaultyNode> {
  const asked: string[] = []
  const forged = new Map<string, string>()
  let trouble: Trouble | null = null
  const server = createServer((request, response) => {
    readBody(request)
      .then((text) => {
        asked.push(...methodsIn(text))
        return answer({ upstream, trouble, forged }, text, response)
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    trouble: (next) => {
      trouble = next
      forged.clear()
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

type Place = { readonly upstream: string; readonly trouble: Trouble | null; readonly forged: Map<string, string> }

async function answer(place: Place, text: string, response: ServerResponse): Promise<void> {
  const { trouble } = place
  if (trouble?.kind === 'slow') await sleep(trouble.ms)
  if (trouble && answersNothing(trouble, response)) return
  const asked = JSON.parse(unforge(place, text)) as Call | Call[]
  const answers = Array.isArray(asked)
    ? await Promise.all(asked.map((call) => answerCall(place, call)))
    : await answerCall(place, asked)
  response.setHeader('content-type', 'application/json')
  response.end(forge(place, answers))
}

/** Whether the trouble lies before any call is looked at; then it was answered, or never will be. */
function answersNothing(trouble: Trouble, response: ServerResponse): boolean {
  const { kind } = trouble
  if (kind === 'gone') response.destroy()
  if (kind === 'garbage') response.end('<html>Welcome</html>')
  if (kind === 'broken') response.writeHead(trouble.status).end('upstream error')
  if (kind === 'busy') {
    response.writeHead(429, trouble.retryAfter === undefined ? {} : { 'retry-after': trouble.retryAfter }).end()
  }
  return ['gone', 'garbage', 'broken', 'busy', 'hangs'].includes(kind)
}

async function answerCall(place: Place, call: Call): Promise<unknown> {
  const { trouble } = place
  if (trouble?.kind === 'other-network' && call.method === 'eth_chainId') {
    return { jsonrpc: '2.0', id: call.id, result: hex(trouble.chainId) }
  }
  if (trouble?.kind === 'stale') return answerStale(place, call, trouble.height)
  if (trouble?.kind === 'other-receipts' && call.method === 'eth_getBlockReceipts') {
    const at = String(call.params[0])
    const method = at.length === 66 ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
    const block = (await ask(place, { ...call, method, params: [at, false] })).result as Block | null
    return ask(place, block ? { ...call, params: [hex(Number(block.number) - 1)] } : call)
  }
  return ask(place, call)
}

/** What is above the height does not exist; what is final lies at it or below. */
async function answerStale(place: Place, call: Call, height: number): Promise<unknown> {
  if (call.method === 'eth_blockNumber') return { jsonrpc: '2.0', id: call.id, result: hex(height) }
  if (call.method !== 'eth_getBlockByNumber') return ask(place, call)
  const [at, full] = call.params
  if (at === 'latest') return ask(place, { ...call, params: [hex(height), full] })
  const found = await ask(place, call)
  const block = found.result as Block | null | undefined
  if (!block || Number(block.number) <= height) return found
  return at === 'safe' || at === 'finalized'
    ? ask(place, { ...call, params: [hex(height), full] })
    : { ...found, result: null }
}

async function ask({ upstream, trouble }: Place, call: Call): Promise<{ id: unknown; result?: unknown }> {
  const response = await fetch(trouble?.kind === 'elsewhere' ? trouble.url : upstream, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', ...call }),
  })
  return (await response.json()) as { id: unknown; result?: unknown }
}

/** Replaces the hashes of blocks above the fork, wherever they stand in the answers. */
function forge({ trouble, forged }: Place, answers: unknown): string {
  const text = JSON.stringify(answers)
  if (trouble?.kind !== 'forked') return text
  for (const one of Array.isArray(answers) ? answers : [answers]) {
    const block = (one as { result?: Partial<Block> | null }).result
    if (!block?.number || !block.hash || !block.parentHash) continue
    const height = Number(block.number)
    if (height >= trouble.from) forged.set(block.hash, otherHash(block.hash))
    if (height > trouble.from) forged.set(block.parentHash, otherHash(block.parentHash))
  }
  return [...forged].reduce((changed, [real, fake]) => changed.replaceAll(real, fake), text)
}

function unforge({ forged }: Place, text: string): string {
  return [...forged].reduce((changed, [real, fake]) => changed.replaceAll(fake, real), text)
}

function otherHash(hash: string): string {
  return `0xf0f0f0f0${hash.slice(10)}`
}

function hex(value: number): string {
  return `0x${value.toString(16)}`
}

function methodsIn(text: string): string[] {
  const asked = JSON.parse(text) as Call | Call[]
  return [asked].flat().map(({ method }) => method)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
