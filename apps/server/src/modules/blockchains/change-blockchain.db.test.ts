import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { nodesRoutes } from '@kassa/contract/blockchains/node-routes.ts'
import { type Anvil, startAnvil } from '@kassa/chains/testing/anvil.ts'
import { startFaultyNode, type FaultyNode } from '@kassa/chains/testing/faulty-node.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asSystem } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { fakeChain } from '../../testing/fake-chain.ts'
import { openShop } from '../../testing/shop.ts'
import { ASSET, dollars, openCashier } from '../../testing/cashier.ts'
import { changeBlockchain as runChange } from './change-blockchain.ts'
import { findBlockchain } from './chains/service.ts'
import { nodesOf } from './nodes/service.ts'

const ETH = 1
const x = 'ETH'
let app: TestApp
let key: string
let anvil: Anvil
let other: Anvil
let proxy: FaultyNode

beforeAll(async () => {
  ;[app, anvil, other] = await Promise.all([
    testApp(),
    startAnvil({ chainId: 31_337 }),
    startAnvil({ chainId: 31_338 }),
  ])
  proxy = await startFaultyNode(anvil.url)
  key = await app.signUp()
}, 60_000)
afterAll(async () => {
  await proxy.stop()
  await anvil.stop()
  await other.stop()
  await app.stop()
})
beforeEach(() => sql`DELETE FROM rpc_nodes`.execute(app.ctx.db))

const codeOf = async (answer: Promise<{ refusal: { code: string } | undefined }>) => (await answer).refusal?.code
const { changeBlockchain } = blockchainChangesRoutes
const add = (body: { url: string; isPreferred?: boolean }) =>
  app.call(nodesRoutes.addNode, { params: { x }, body }, { key })

describe('blockchains.change (B3)', () => {
  const set = (body: object, chain = x) => app.call(changeBlockchain, { params: { x: chain }, body }, { key })

  it('takes the names of older programs: the server becomes the preferred node', async () => {
    await add({ url: anvil.url, isPreferred: true })
    const raw = JSON.stringify({
      client: 'geth',
      server: proxy.url,
      server_api_key: 'k3y',
      server_username: '',
      min_confirmations: 7,
      height: 0,
    })
    const { body, text } = await app.call(changeBlockchain, { params: { x } }, { key, raw })
    expect(body).toMatchObject({
      minConfirmations: 7,
      rpcNodes: [{ url: proxy.url, isPreferred: true, hasCredentials: true }, { isPreferred: false }],
    })
    expect(text).not.toContain('k3y')
    expect((await set({ server: anvil.url })).body.rpcNodes.map(({ url, isPreferred }) => [url, isPreferred])).toEqual([
      [anvil.url, true],
      [proxy.url, false],
    ])
    expect(await nodesOf(app.ctx, ETH)).toHaveLength(2)
    await set({ minConfirmations: 2 })
  })

  it('reads the websocket of a node as its address over HTTP, and an empty server as none', async () => {
    const { body } = await set({ server: anvil.url.replace('http:', 'ws:') })
    expect(body.rpcNodes.map(({ url }) => url)).toEqual([anvil.url])
    expect((await set({ server: '' })).body.rpcNodes).toHaveLength(1)
    expect((await set({ server: 'grpc.example:50051' })).refusal?.fields).toEqual({
      server: 'URL must be an http or https address',
    })
  })

  it('takes the confirmations of a blockchain that has no node', async () => {
    expect((await set({ client: 'bitcoind', height: 0, minConfirmations: 3 }, 'BTC')).status).toBe(200)
  })

  it('renames, and shows explorers of one’s own, until they are cleared', async () => {
    const { body } = await set({
      name: 'Our Ethereum',
      explorerTransaction: 'https://scan.example/tx',
      explorerAddress: 'https://scan.example/a/{address}',
    })
    expect(body).toMatchObject({
      name: 'Our Ethereum',
      explorerTransaction: 'https://scan.example/tx/{tx}',
      explorerAddress: 'https://scan.example/a/{address}',
    })
    const cleared = (await set({ name: '', explorerTransaction: '', explorerAddress: null })).body
    expect(cleared).toMatchObject({ name: 'Ethereum', explorerTransaction: '/sandbox/ETH/tx/{tx}' })
  })

  it('sends payers to the explorer that operators chose', async () => {
    const shop = await openShop(app, key)
    const cashier = openCashier(app, shop)
    const { ref, to } = await cashier.newPayment({ chain: 'ETH', currency: 'USDC' })
    const chain = await fakeChain(app.ctx, ETH)
    const [txId] = await chain.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    const linkOf = async () => (await cashier.show(ref)).deposits[0]?.explorerTransaction
    expect(await linkOf()).toContain(`/sandbox/ETH/tx/${txId}`)
    await set({ explorerTransaction: 'https://scan.example/tx/' })
    expect(await linkOf()).toBe(`https://scan.example/tx/${txId}`)
    await set({ explorerTransaction: '' })
  })

  it('reads again from a height only when that is asked for', async () => {
    const sent: object[] = []
    const jobs = { send: async (_ctx: unknown, queue: string, data: object) => void sent.push({ queue, data }) }
    const row = await findBlockchain(app.ctx, x)
    if (!row) throw new Error('no ETH')
    const ctx = { ...asSystem(app.ctx), jobs: { ...app.ctx.jobs, ...jobs } }
    for (const change of [{ height: 5 }, { height: 0, rescan: true }, { rescan: true }])
      await runChange(ctx, row, change, null)
    expect(sent).toEqual([])
    await runChange(ctx, row, { height: 5, rescan: true }, null)
    expect(sent).toEqual([{ queue: 'watch.rescan', data: { blockchainId: ETH, fromHeight: 5, by: 'system' } }])
  })

  it('publishes the change', async () => {
    await set({ minConfirmations: 3 })
    const { rows } = await sql<{ payload: object }>`
      SELECT payload FROM events WHERE type = 'blockchain.changed' ORDER BY id DESC LIMIT 1`.execute(app.ctx.db)
    expect(rows[0]?.payload).toEqual({ blockchain_id: ETH, code: 'ETH' })
    await set({ minConfirmations: 2 })
  })

  it('switches off and on, on only with a node', async () => {
    expect((await set({ status: 'inactive' })).body).toMatchObject({
      status: 'inactive',
      reason: 'Switched off by an operator.',
    })
    expect(await codeOf(set({ status: 'active' }))).toBe('LAST_NODE')
    await add({ url: anvil.url })
    expect((await set({ status: 'active' })).body).toMatchObject({ status: 'active', reason: null })
  })

  it('refuses what the node routes refuse, and values out of bounds', async () => {
    expect(await codeOf(set({}, 'DOGE'))).toBe('BLOCKCHAIN_NOT_FOUND')
    expect(await codeOf(set({ server: other.url }))).toBe('NODE_WRONG_NETWORK')
    expect(await codeOf(set({ server: 'http://127.0.0.1:9' }))).toBe('NODE_UNREACHABLE')
    expect(await codeOf(set({ server: 'http://10.0.0.1' }))).toBe('EGRESS_NOT_ALLOWED')
    expect((await set({ serverApiKey: 'k3y' })).refusal?.fields).toEqual({ server: 'Server is required' })
    expect((await set({ minConfirmations: 1_001 })).refusal?.fields).toEqual({
      minConfirmations: 'Confirmations must be between 1 and 1000',
    })
    expect((await set({ explorerTransaction: 'javascript:alert(1)' })).refusal?.code).toBe('VALIDATION_FAILED')
  })
})
