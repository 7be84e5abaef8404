import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { nodesRoutes } from '@kassa/contract/blockchains/node-routes.ts'
import { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { type Anvil, startAnvil } from '@kassa/chains/testing/anvil.ts'
import { startFaultyNode, type FaultyNode } from '@kassa/chains/testing/faulty-node.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../testing/app.ts'
import { asSystem } from '../../context.ts'
import { openAddress } from './nodes/node-secrets.ts'
import { monitorNodes } from './nodes/monitor-nodes.ts'
import { findBlockchain } from './chains/service.ts'
import { nodesOf, openSession } from './nodes/service.ts'

const { testConnection, listNodes, addNode, changeNode, removeNode } = nodesRoutes
const { changeBlockchain } = blockchainChangesRoutes
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
beforeEach(async () => {
  await sql`DELETE FROM rpc_nodes`.execute(app.ctx.db)
  await sql`DELETE FROM secrets WHERE kind = 'node'`.execute(app.ctx.db)
  await sql`UPDATE blockchains SET status = 'active', inactive_cause = NULL WHERE id IN (1, 4)`.execute(app.ctx.db)
  proxy.trouble(null)
})

const add = (
  body: Parameters<typeof app.call<typeof addNode>>[1] extends infer I
    ? NonNullable<I> extends { body?: infer B }
      ? B
      : never
    : never,
) => app.call(addNode, { params: { x }, body }, { key })
const change = (id: number, body: object) => app.call(changeNode, { params: { x, id }, body }, { key })
const oneOfEach = (a: number, b: number) => (found: number[]) =>
  found.length === 2 && found.includes(a) && found.includes(b)
const codeOf = async (answer: Promise<{ refusal: { code: string } | undefined }>) => (await answer).refusal?.code
const secretCount = async () =>
  (await sql<{ count: bigint }>`SELECT count(*) FROM secrets WHERE kind = 'node'`.execute(app.ctx.db)).rows[0]?.count

describe('nodes.add (B5)', () => {
  it('adds a node that serves the network, and asks it first when it is preferred', async () => {
    const first = await add({ url: anvil.url })
    expect([first.status, first.body]).toMatchObject([
      201,
      {
        url: anvil.url,
        nodeType: 'free',
        isPreferred: false,
        isActive: true,
        maxDailyCalls: null,
        hasCredentials: false,
        health: null,
      },
    ])
    expect(first.body.chainIdentifier).toMatch(/^31337:0x/)
    const second = await add({ url: proxy.url, isPreferred: true, nodeType: 'paid', priority: 5, maxDailyCalls: 5_000 })
    expect(second.body).toMatchObject({ isPreferred: true, nodeType: 'paid', priority: 5, maxDailyCalls: 5_000 })
    const listed = (await app.call(listNodes, { params: { x } }, { key })).body
    expect(listed.map(({ id }) => id)).toEqual([second.body.id, first.body.id])
    const { body } = await app.call(blockchainsRoutes.getBlockchain, { params: { x } }, { key })
    expect(body).toMatchObject({ sourceCount: 2, rpcNodes: [{ id: second.body.id }, { id: first.body.id }] })
  })

  it('seals keys, user names and passwords in the vault, and shows them nowhere', async () => {
    const url = `${proxy.url.replace('//', '//someone:s3cret-word@')}/v2/0123456789abcdef0123?token=t0psecret`
    const { body, text } = await add({ url, apiKey: 'k3y-of-the-node' })
    expect(body).toMatchObject({
      url: `${proxy.url}/v2/•••?•••`,
      hasCredentials: true,
      apiKey: null,
      authPassword: null,
    })
    const node = (await nodesOf(app.ctx, ETH))[0]
    expect(await openAddress(app.ctx, node ?? { url: '', secretId: null })).toEqual({
      url: `${proxy.url}/v2/0123456789abcdef0123?token=t0psecret`,
      apiKey: 'k3y-of-the-node',
      authUsername: 'someone',
      authPassword: 's3cret-word',
    })
    await app.call(testConnection, { params: { x } }, { key })
    proxy.trouble({ kind: 'broken', status: 500 })
    const failed = await app.call(testConnection, { params: { x } }, { key })
    const rows = await sql`SELECT r::text FROM rpc_nodes r UNION ALL SELECT e::text FROM events e`.execute(app.ctx.db)
    const everything = text + failed.text + JSON.stringify(rows.rows) + app.logLines.join('')
    expect(everything).not.toMatch(/s3cret-word|0123456789abcdef0123|t0psecret|k3y-of-the-node/)
    expect(failed.body.nodes[0]).toMatchObject({ connected: false, error: expect.stringContaining('HTTP 500') })
  })

  it('sends them to the node: Basic for a user, the key in its own header', async () => {
    const seen: unknown[] = []
    const connect = (options: { headers?: object; url: string }) => {
      seen.push([options.url, options.headers])
      return app.ctx.connect(options as never)
    }
    await add({ url: `${proxy.url}/v2/0123456789abcdef0123`, apiKey: 'k3y', authUsername: 'me', authPassword: 'pw' })
    await openSession({ ...app.ctx, connect }, ETH)
    const basic = `Basic ${Buffer.from('me:pw').toString('base64')}`
    expect(seen).toEqual([[`${proxy.url}/v2/0123456789abcdef0123`, { 'x-api-key': 'k3y', authorization: basic }]])
  })

  it('activates a blockchain that only lacked a node, and not one that an operator switched off', async () => {
    await sql`UPDATE blockchains SET status = 'inactive', inactive_cause = '{"code": "no_node", "params": {}}' WHERE id = ${ETH}`.execute(
      app.ctx.db,
    )
    await add({ url: anvil.url })
    expect(await findBlockchain(app.ctx, x)).toMatchObject({ status: 'active', inactive: null })
    await app.call(changeBlockchain, { params: { x }, body: { status: 'inactive' } }, { key })
    await add({ url: proxy.url })
    expect(await findBlockchain(app.ctx, x)).toMatchObject({
      status: 'inactive',
      inactive: { code: 'switched_off' },
    })
  })

  it('refuses a node twice, also when only its keys differ in what is shown', async () => {
    await add({ url: `${proxy.url}/v2/0123456789abcdef0123` })
    expect(await codeOf(add({ url: `${proxy.url}/v2/0123456789abcdef0123`, apiKey: 'another' }))).toBe('NODE_EXISTS')
    expect((await add({ url: `${proxy.url}/v2/another-key-of-ours` })).status).toBe(201)
    await add({ url: anvil.url })
    expect(await codeOf(add({ url: `${anvil.url}/` }))).toBe('NODE_EXISTS')
    const both = await Promise.all([add({ url: `${proxy.url}/x` }), add({ url: `${proxy.url}/x` })])
    expect(both.map(({ status }) => status)).toSatisfy(oneOfEach(201, 409))
  })

  it('refuses a node of another network, saying which', async () => {
    const { status, refusal } = await add({ url: other.url })
    expect([status, refusal?.code]).toEqual([409, 'NODE_WRONG_NETWORK'])
    expect(refusal?.message).toBe('This node serves chain 31338, not 31337.')
  })

  it.each([
    [{ kind: 'broken', status: 503 }, 'HTTP 503'],
    [{ kind: 'garbage' }, 'not JSON'],
    [{ kind: 'gone' }, 'fetch failed'],
  ] as const)('refuses a node that does not answer properly (%o)', async (trouble, reason) => {
    proxy.trouble(trouble)
    const { status, refusal } = await add({ url: proxy.url })
    expect([status, refusal?.code]).toEqual([409, 'NODE_UNREACHABLE'])
    expect(refusal?.message).toContain(reason)
    expect(await nodesOf(app.ctx, ETH)).toEqual([])
  })

  it('refuses a private address until a root operator opens its network', async () => {
    const { status, refusal } = await add({ url: 'http://10.1.2.3:8545' })
    expect([status, refusal?.code]).toEqual([400, 'EGRESS_NOT_ALLOWED'])
    const allow = (value: string) =>
      app.call(settingsRoutes.saveSetting, { body: { key: 'security.egress_allow', value } }, { key })
    expect((await allow('node:192.168.0.0/16')).status).toBeLessThan(300)
    expect(await codeOf(add({ url: 'http://10.1.2.3:8545' }))).toBe('EGRESS_NOT_ALLOWED')
    await allow('node:0.0.0.0/8')
    expect(await codeOf(add({ url: 'http://0.0.0.0:9' }))).toBe('NODE_UNREACHABLE')
    await allow('')
    expect(await codeOf(add({ url: 'http://0.0.0.0:9' }))).toBe('EGRESS_NOT_ALLOWED')
  })

  it('refuses what is no address, and an unknown blockchain', async () => {
    const refused = await add({ url: 'ftp://node.example' })
    expect(refused.refusal).toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: { url: 'URL must be an http or https address' },
    })
    const at = (chain: string) => codeOf(app.call(addNode, { params: { x: chain }, body: { url: anvil.url } }, { key }))
    expect(await at('DOGE')).toBe('BLOCKCHAIN_NOT_FOUND')
  })

  it('lists no node of an unknown blockchain', async () => {
    expect(await codeOf(app.call(listNodes, { params: { x: 'DOGE' } }, { key }))).toBe('BLOCKCHAIN_NOT_FOUND')
  })

  it('requires a step-up', async () => {
    await sql`UPDATE sessions SET step_up_until = NULL`.execute(app.ctx.db)
    const { refusal } = await add({ url: anvil.url })
    expect(refusal?.code).toBe('STEP_UP_REQUIRED')
    await sql`UPDATE sessions SET step_up_until = now() + interval '30 min'`.execute(app.ctx.db)
  })
})

describe('nodes.change (B6)', () => {
  it('changes what is named and leaves the rest', async () => {
    const { body: node } = await add({ url: `${proxy.url}/v2/0123456789abcdef0123`, apiKey: 'k3y', maxDailyCalls: 500 })
    const changed = await change(node.id, { priority: 7, nodeType: 'paid' })
    expect(changed.body).toMatchObject({
      url: node.url,
      priority: 7,
      nodeType: 'paid',
      maxDailyCalls: 500,
      hasCredentials: true,
    })
    expect((await change(node.id, { maxDailyCalls: null, apiKey: '' })).body).toMatchObject({
      maxDailyCalls: null,
      priority: 7,
    })
    const [row] = await nodesOf(app.ctx, ETH)
    expect(await openAddress(app.ctx, row ?? { url: '', secretId: null })).toMatchObject({
      url: `${proxy.url}/v2/0123456789abcdef0123`,
      apiKey: '',
    })
    expect(await secretCount()).toBe(1n)
    expect((await change(node.id, { url: anvil.url })).body).toMatchObject({ url: anvil.url, hasCredentials: false })
    expect(await secretCount()).toBe(0n)
  })

  it('never sends the secrets of one host to another', async () => {
    const { body: node } = await add({ url: anvil.url, apiKey: 'k3y', authUsername: 'me', authPassword: 'pw' })
    await change(node.id, { url: proxy.url })
    const [row] = await nodesOf(app.ctx, ETH)
    expect(await openAddress(app.ctx, row ?? { url: '', secretId: null })).toMatchObject({
      apiKey: '',
      authPassword: '',
    })
  })

  it('prefers one node at a time', async () => {
    const [first, second] = [
      (await add({ url: anvil.url, isPreferred: true })).body,
      (await add({ url: proxy.url })).body,
    ]
    await change(second.id, { isPreferred: true })
    expect((await nodesOf(app.ctx, ETH)).map(({ id, isPreferred }) => [id, isPreferred])).toEqual([
      [second.id, true],
      [first.id, false],
    ])
    expect((await openSession(app.ctx, ETH))?.node.id).toBe(second.id)
  })

  it('tries a new address first, and stays with the former one when it fails', async () => {
    const { body: node } = await add({ url: anvil.url })
    await add({ url: proxy.url })
    expect(await codeOf(change(node.id, { url: other.url }))).toBe('NODE_WRONG_NETWORK')
    expect(await codeOf(change(node.id, { url: 'http://127.0.0.1:9' }))).toBe('NODE_UNREACHABLE')
    expect(await codeOf(change(node.id, { url: 'http://10.0.0.1' }))).toBe('EGRESS_NOT_ALLOWED')
    expect(await codeOf(change(node.id, { url: proxy.url }))).toBe('NODE_EXISTS')
    expect((await nodesOf(app.ctx, ETH)).map(({ url }) => url)).toContain(anvil.url)
  })

  it('uses a new address at once', async () => {
    const { body: node } = await add({ url: anvil.url })
    expect((await openSession(app.ctx, ETH))?.node.label).toBe(anvil.url)
    await change(node.id, { url: proxy.url })
    expect((await openSession(app.ctx, ETH))?.node.label).toBe(proxy.url)
  })

  it('refuses to turn the last node of an active blockchain off, and one it does not know', async () => {
    const [first, second] = [(await add({ url: anvil.url })).body, (await add({ url: proxy.url })).body]
    expect((await change(first.id, { isActive: false })).body.isActive).toBe(false)
    expect(await codeOf(change(second.id, { isActive: false }))).toBe('LAST_NODE')
    expect(await codeOf(change(999_999, {}))).toBe('NODE_NOT_FOUND')
    const elsewhere = app.call(changeNode, { params: { x: 'BASE', id: first.id }, body: {} }, { key })
    expect(await codeOf(elsewhere)).toBe('NODE_NOT_FOUND')
    expect(await codeOf(app.call(changeNode, { params: { x: 'DOGE', id: 1 }, body: {} }, { key }))).toBe(
      'BLOCKCHAIN_NOT_FOUND',
    )
    const both = await Promise.all([change(first.id, { isActive: true }), change(first.id, { isActive: true })])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const race = await Promise.all([change(first.id, { isActive: false }), change(second.id, { isActive: false })])
    expect(race.map(({ status }) => status)).toSatisfy(oneOfEach(200, 409))
  })
})

describe('nodes.remove (B7)', () => {
  it('removes a node with its secrets, but not the last one of an active blockchain', async () => {
    const first = (await add({ url: anvil.url, apiKey: 'k3y' })).body
    const second = (await add({ url: proxy.url })).body
    const remove = (id: number, chain = x) => app.call(removeNode, { params: { x: chain, id } }, { key })
    expect((await remove(first.id)).body).toEqual({ message: 'The node was removed.' })
    expect(await secretCount()).toBe(0n)
    expect(await codeOf(remove(second.id))).toBe('LAST_NODE')
    expect(await codeOf(remove(first.id))).toBe('NODE_NOT_FOUND')
    expect(await codeOf(remove(second.id, 'DOGE'))).toBe('BLOCKCHAIN_NOT_FOUND')
    await app.call(changeBlockchain, { params: { x }, body: { status: 'inactive' } }, { key })
    expect((await remove(second.id)).status).toBe(200)
  })
})

describe('nodes.test (B4)', () => {
  it('probes every node now, and succeeds when one is usable', async () => {
    await add({ url: anvil.url })
    await add({ url: proxy.url })
    proxy.trouble({ kind: 'other-network', chainId: 5 })
    const { body } = await app.call(testConnection, { params: { x } }, { key, method: 'POST' })
    expect(body.success).toBe(true)
    expect(body.nodes).toMatchObject([
      { url: anvil.url, connected: true, error: null, chainId: 31_337, lastBlockSeen: 0, consecutiveFails: 0 },
      {
        url: proxy.url,
        connected: false,
        error: expect.stringContaining('serves 5, so it is no node of Ethereum'),
        chainId: null,
        healthScore: 0,
      },
    ])
    expect(body.nodes[0]?.healthScore).toBeGreaterThan(60)
    expect(body.nodes[0]?.lastBlockTimestamp).toBeInstanceOf(Date)
    await sql`DELETE FROM rpc_nodes WHERE url = ${anvil.url}`.execute(app.ctx.db)
    expect((await app.call(testConnection, { params: { x } }, { key })).body.success).toBe(false)
    expect(await codeOf(app.call(testConnection, { params: { x: 'DOGE' } }, { key }))).toBe('BLOCKCHAIN_NOT_FOUND')
  })

  it('shows every process what the watcher last measured of a node', async () => {
    await add({ url: anvil.url })
    const row = await findBlockchain(app.ctx, x)
    if (row)
      await monitorNodes(asSystem(app.ctx), row, { signal: new AbortController().signal, compare: false, all: true })
    const { body } = await app.call(listNodes, { params: { x } }, { key })
    expect(body[0]?.health).toMatchObject({
      state: 'healthy',
      reason: null,
      lastBlockSeen: 0,
      consecutiveFails: 0,
    })
  })
})
