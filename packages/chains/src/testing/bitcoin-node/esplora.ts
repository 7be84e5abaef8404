import { createServer, type IncomingMessage } from 'node:http'
import { readTransaction } from '../../bitcoin/encoding/wire.ts'
import { NodeRejected } from '../../errors.ts'
import { connect, type NodeClient } from '../../node/client.ts'

/** Asks the node behind an Esplora. @throws NodeRejected with the code of Bitcoin Core */
type AskNode = (method: string, ...params: readonly unknown[]) => Promise<unknown>

type Answer = { readonly status: number; readonly body: string | Buffer }

const NOT_FOUND: Answer = { status: 404, body: 'not found' }

/** Bitcoin Core, `src/rpc/protocol.h`: no such block or transaction, and no such height. */
const UNKNOWN = new Set<number | null>([-5, -8])

/** Transactions of `mempool/recent`. */
const RECENT = 10
const WITHIN_BLOCKS = [2, 6, 144]

/** A client of an Esplora in this process, over a node of which only the answers are needed. */
export function esploraClient(ask: AskNode): NodeClient {
  const base = 'http://esplora.example/api'
  return connect({
    id: 1,
    url: base,
    fetch: async (url, { body }) => {
      const { status, body: answered } = await answerEsplora(ask, url.slice(base.length), body)
      return new Response(new Uint8Array(Buffer.from(answered)), { status })
    },
  })
}

/** Serves the interface of Esplora over a local node, on this machine only. */
export async function serveLocalEsplora(
  ask: AskNode,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    void textOf(request)
      .then((body) => answerEsplora(ask, request.url ?? '/', request.method === 'POST' ? body : null))
      .then(
        ({ status, body }) => response.writeHead(status).end(body),
        (error: unknown) => response.writeHead(400).end(String(error)),
      )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The local Esplora has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers as `electrs` does (https://github.com/Blockstream/electrs, `src/rest.rs`), as far as Kassa asks. */
export async function answerEsplora(ask: AskNode, path: string, body: string | null): Promise<Answer> {
  const [, noun = '', id = '', part = ''] = path.split('/')
  try {
    if (body !== null) return noun === 'tx' ? await broadcast(ask, body) : NOT_FOUND
    const find = answers[part === '' || noun === 'blocks' ? noun : `${noun} ${part}`]
    if (!find) return NOT_FOUND
    const found = await find(ask, id)
    return { status: 200, body: typeof found === 'string' || Buffer.isBuffer(found) ? found : JSON.stringify(found) }
  } catch (error) {
    if (error instanceof NodeRejected && UNKNOWN.has(error.code)) return NOT_FOUND
    throw error
  }
}

const answers: Readonly<Record<string, (ask: AskNode, id: string) => Promise<unknown>>> = {
  'block-height': (ask, height) => ask('getblockhash', Number(height)),
  blocks: (ask) => ask('getbestblockhash'),
  block: async (ask, hash) => ({ id: hash, height: fieldOf(await ask('getblockheader', hash, true), 'height') }),
  'block header': (ask, hash) => ask('getblockheader', hash, false),
  'block raw': async (ask, hash) => bytesOf(await ask('getblock', hash, 0)),
  'tx raw': async (ask, txId) => bytesOf(await ask('getrawtransaction', txId, false)),
  'tx status': async (ask, txId) => {
    const found = await ask('getrawtransaction', txId, true).catch(() => ({}))
    const isMined = Number(fieldOf(found, 'confirmations') ?? 0) > 0
    return isMined ? { confirmed: true, block_hash: fieldOf(found, 'blockhash') } : { confirmed: false }
  },
  'tx outspends': async (ask, txId) => {
    const { outputs } = readTransaction(bytesOf(await ask('getrawtransaction', txId, false)))
    return Promise.all(outputs.map(async (_, at) => ({ spent: (await ask('gettxout', txId, at, true)) === null })))
  },
  // The newest first or all of them, by what would be an id elsewhere.
  mempool: async (ask, which) => {
    const ids = (await ask('getrawmempool')) as string[]
    return which === 'recent' ? ids.slice(-RECENT).map((txid) => ({ txid })) : ids
  },
  'fee-estimates': async (ask) => {
    const asked = await Promise.all(WITHIN_BLOCKS.map((blocks) => ask('estimatesmartfee', blocks)))
    const rates = asked.map((estimate) => fieldOf(estimate, 'feerate'))
    return Object.fromEntries(
      WITHIN_BLOCKS.flatMap((blocks, at) =>
        typeof rates[at] === 'number' ? [[blocks, (rates[at] * 100_000_000) / 1_000]] : [],
      ),
    )
  },
}

/** Refused in the words of the node. */
async function broadcast(ask: AskNode, hex: string): Promise<Answer> {
  try {
    return { status: 200, body: String(await ask('sendrawtransaction', hex)) }
  } catch (error) {
    if (!(error instanceof NodeRejected)) throw error
    const { code, message } = error
    return { status: 400, body: `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}` }
  }
}

function bytesOf(hex: unknown): Buffer {
  return Buffer.from(String(hex), 'hex')
}

function fieldOf(value: unknown, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key]
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  return text
}
