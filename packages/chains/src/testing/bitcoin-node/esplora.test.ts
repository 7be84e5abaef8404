import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChainSession } from '../../adapter.ts'
import { bitcoinAdapter } from '../../bitcoin/adapter.ts'
import { chainIn, sessionAlone } from '../../chain.ts'
import { connect, jsonCall } from '../../node/client.ts'
import { probe } from '../../probe/probe.ts'
import { recordingFetch, replayingFetch } from '../../probe/samples.ts'
import { serveLocalEsplora } from './esplora.ts'
import { type LocalBitcoin, openLocalBitcoin } from './local-bitcoin.ts'
import { findBitcoinProgram } from './program.ts'

const { reader, mempool, psbts, addresses } = bitcoinAdapter
const KEY = Buffer.from('04a93b4a057059d66b91ca3117193383d656e304dee37739479da0f2b45213b6', 'hex')
const definition = findBlockchain('BTC')
const program = findBitcoinProgram()

/** The same blocks through an Esplora as by the node behind it; without a program there is nothing behind it. */
describe.runIf(program !== null)('the Bitcoin adapter and an Esplora over a real node', () => {
  const chain = chainIn('sandbox', definition ?? never())
  const script = addresses.key(chain, 'bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk')
  const isOurs = (key: Uint8Array) => Buffer.from(key).equals(Buffer.from(script))
  const filter = { assets: new Set([2]), matches: isOurs }
  let folder: string
  let local: LocalBitcoin
  let server: Awaited<ReturnType<typeof serveLocalEsplora>>
  let through: ChainSession
  let behind: ChainSession
  const both = <Answer>(ask: (session: ChainSession) => Promise<Answer>) => Promise.all([through, behind].map(ask))
  const same = async <Answer>(ask: (session: ChainSession) => Promise<Answer>): Promise<Answer> => {
    const [ours, theirs] = (await both(ask)) as [Answer, Answer]
    expect(ours).toEqual(theirs)
    return ours
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kassa-esplora-'))
    local = await openLocalBitcoin(program ?? never(), folder, KEY)
    const node = connect({ id: 1, url: local.url })
    server = await serveLocalEsplora((method, ...params) => node.call(jsonCall(method, ...params)))
    behind = sessionAlone(chain, node)
    through = sessionAlone(chain, connect({ id: 2, url: server.url }))
  })
  afterAll(async () => {
    await server.stop()
    await local.stop()
    rmSync(folder, { recursive: true })
  })

  it('sees a payment wait, be mined, be taken back and be mined again, as its node does', async () => {
    expect(await reader.identify(through)).toMatchObject({ isExpected: true, client: 'Esplora' })
    const sent = (await local.send({ to: script, units: 12_345_678n })) ?? never()
    expect(await same(mempool.list)).toEqual([sent.txId])
    expect(await same((session) => mempool.read(session, [sent.txId, 'ab'.repeat(32)], filter))).toMatchObject([
      { txId: sent.txId, transfers: [{ units: 12_345_678n }] },
    ])
    expect(await same((session) => reader.transaction(session, sent.txId))).toEqual({ state: 'pending' })
    const steps = [() => local.mine(1), () => local.reorganize(1), () => local.mine(1)]
    const found: number[] = []
    for (const step of steps) {
      const height = await step()
      const blocks = await same((session) => reader.blocks(session, { from: height - 1, to: height + 2 }, filter))
      found.push(blocks.flatMap(({ transfers }) => transfers).length)
      await same(reader.heads)
      await same((session) => reader.transaction(session, sent.txId))
    }
    expect(found).toEqual([1, 0, 1])
    await same((session) => reader.transaction(session, 'ab'.repeat(32)))
  })

  it('says what is spent, what a byte costs and what becomes of a broadcast, as its node does', async () => {
    const first = (await local.send({ to: script, units: 20_000n })) ?? never()
    const asks = [0, 1, 7].map((vout) => ({ txId: first.txId, vout }))
    const coins = first.coins.map(({ txId, at }) => ({ txId, vout: at }))
    expect(await same((session) => psbts.unspent(session, asks))).toEqual([true, true, false])
    expect(await same((session) => psbts.unspent(session, coins))).toEqual([false])
    await same(psbts.feeRate)
    const raw = String(await behind.node.call(jsonCall('getrawtransaction', first.txId, false)))
    const tx = { txId: first.txId, raw: Buffer.from(raw, 'hex') }
    const again = await same((session) => psbts.broadcast(session, tx))
    expect(['accepted', 'known']).toContain(again)
    const second = (await local.send({ to: local.payer, units: 20_000n, fee: 9_000n, replaces: first })) ?? never()
    expect(await same((session) => reader.transaction(session, first.txId))).toEqual({ state: 'unknown' })
    expect(await same((session) => psbts.unspent(session, asks))).toEqual([false, false, false])
    const refused = await both((session) => psbts.broadcast(session, tx))
    expect(refused).toMatchObject([{ code: 'underpriced' }, { code: 'underpriced' }])
    await local.mine(1)
    const gone = await both((session) => psbts.broadcast(session, tx))
    expect(gone).toMatchObject([{ code: 'gone' }, { code: 'gone' }])
    expect(await same((session) => reader.transaction(session, second.txId))).toMatchObject({ state: 'included' })
  })

  it('keeps to the rules that a node is probed by, and again from its sample', async () => {
    await local.mine(3)
    const { fetch, sample } = recordingFetch(server.url)
    const probing = (url: string, by: typeof fetch) =>
      probe(bitcoinAdapter, sessionAlone(chain, connect({ id: 1, url, fetch: by })), 4)
    const findings = await probing(server.url, fetch)
    expect(findings.filter(({ holds }) => !holds)).toEqual([])
    const elsewhere = 'http://other.example/api'
    const again = await probing(elsewhere, replayingFetch(elsewhere, sample))
    expect(again.filter(({ holds }) => !holds)).toEqual([])
  })
})

function never(): never {
  throw new Error('This cannot be')
}
