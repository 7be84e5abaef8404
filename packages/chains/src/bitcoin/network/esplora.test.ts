import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { describe, expect, it } from 'vitest'
import { chainIn, sessionAlone } from '../../chain.ts'
import { connect } from '../../node/client.ts'
import { bitcoinAdapter } from '../adapter.ts'

const definition = findBlockchain('BTC')
if (!definition) throw new Error('There is no BTC')
const chain = chainIn('mainnet', definition)
const { reader, psbts } = bitcoinAdapter
const GENESIS = chain.network.genesisHash ?? ''
const TX = 'ab'.repeat(32)
const KEY = 'k3y-of-ours-in-the-path'

type Reply = { readonly status?: number; readonly body?: string; readonly headers?: Record<string, string> }

/** A server that answers the given paths, and every other path with 404. */
function serverOf(replies: Readonly<Record<string, Reply | string>>) {
  const asked: string[] = []
  const node = connect({
    id: 1,
    url: `https://esplora.example/${KEY}`,
    fetch: async (url, { method, body }) => {
      const path = url.split(KEY)[1] ?? ''
      asked.push(`${method} ${path}${body === null ? '' : ` ${body}`}`)
      const reply = replies[path] ?? { status: 404, body: 'endpoint does not exist' }
      const { status = 200, body: text = '', headers = {} } = typeof reply === 'string' ? { body: reply } : reply
      return new Response(text, { status, headers })
    },
  })
  return { asked, session: sessionAlone(chain, node) }
}

const known = { '/block-height/0': GENESIS }

describe('bitcoin.esplora', () => {
  it('is known by block 0 at its path, and no JSON-RPC is asked', async () => {
    const { asked, session } = serverOf(known)
    expect(await reader.identify(session)).toEqual({
      chainIdentifier: GENESIS,
      client: 'Esplora',
      completeness: 1,
      isExpected: true,
    })
    expect(asked).toEqual(['GET /block-height/0'])
    const other = serverOf({ '/block-height/0': '00'.repeat(32) })
    expect(await reader.identify(other.session)).toMatchObject({ isExpected: false })
    await expect(reader.heads(other.session)).rejects.toThrow('another network')
  })

  it.each([
    ['a page', { body: '<html>' }, 'unreachable'],
    ['a server that is down', { status: 503, body: 'down' }, 'unreachable'],
    ['a server that is busy', { status: 429, headers: { 'retry-after': '7' } }, 'limited'],
  ])('is not taken for one that answers with %s', async (_what, reply, kind) => {
    const { session } = serverOf({ '/block-height/0': reply, '': { status: 405 }, '/': { status: 405 } })
    await expect(reader.identify(session)).rejects.toMatchObject({ name: 'RetryableRpcError', kind })
  })

  it.each([
    ['a page in place of a hash', '<html>', 'malformed'],
    ['its own trouble as a refusal', { status: 400, body: `rocksdb of ${KEY} is closed` }, 'internal'],
    ['nothing where it has blocks', { status: 404, body: 'Block not found' }, 'inconsistent'],
    ['too many callers', { status: 429 }, 'limited'],
  ])('fails as a node that answers with %s, and repeats no key', async (_what, reply, kind) => {
    const { session } = serverOf({ ...known, '/blocks/tip/hash': reply })
    const failure = await reader.heads(session).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'RetryableRpcError', kind })
    expect(String(failure)).not.toContain(KEY)
  })

  it('calls no output unspent of a transaction that it has never heard of', async () => {
    const unheard = { [`/tx/${TX}/status`]: '{"confirmed":false}', '/mempool/txids': '[]' }
    const spends = { [`/tx/${TX}/outspends`]: '[{"spent":false},{"spent":true}]' }
    const asks = [0, 1, 2].map((vout) => ({ txId: TX, vout }))
    const { session } = serverOf({ ...known, ...unheard, ...spends })
    expect(await psbts.unspent(session, asks)).toEqual([false, false, false])
    const heard = serverOf({ ...known, ...unheard, ...spends, '/mempool/txids': JSON.stringify([TX]) })
    expect(await psbts.unspent(heard.session, asks)).toEqual([true, false, false])
  })

  it.each([
    ['{ "144": 1.027, "2": 87.882 }', 2n],
    ['{}', 1n],
  ])('rounds a price up: %s', async (estimates, rate) => {
    expect(await psbts.feeRate(serverOf({ ...known, '/fee-estimates': estimates }).session)).toBe(rate)
  })

  it.each(['{ "144": "1" }', '{ "144": -1 }', '{ "144": 100000 }', '[', 'null'])(
    'believes no price of %s',
    async (text) => {
      const { session } = serverOf({ ...known, '/fee-estimates': text })
      await expect(psbts.feeRate(session)).rejects.toMatchObject({ name: 'RetryableRpcError' })
    },
  )

  it('hands on what the node behind it says of a transaction, and nothing else as a refusal', async () => {
    const send = (reply: Reply | string) => {
      const { asked, session } = serverOf({ ...known, '/tx': reply })
      return { asked, sent: psbts.broadcast(session, { txId: TX, raw: Uint8Array.of(1, 2) }) }
    }
    const said = (code: number, message: string) => ({
      status: 400,
      body: `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`,
    })
    const taken = send(TX)
    expect(await taken.sent).toBe('accepted')
    expect(taken.asked).toContain('POST /tx 0102')
    expect(await send(said(-27, 'Transaction already in block chain')).sent).toBe('known')
    expect(await send(said(-25, 'bad-txns-inputs-missingorspent')).sent).toMatchObject({ code: 'gone' })
    expect(await send(said(-26, 'min relay fee not met')).sent).toMatchObject({ code: 'underpriced' })
    for (const trouble of [{ status: 400, body: 'failed to connect' }, 'cd'.repeat(32), '<html>']) {
      await expect(send(trouble).sent).rejects.toMatchObject({ name: 'RetryableRpcError' })
    }
  })
})
