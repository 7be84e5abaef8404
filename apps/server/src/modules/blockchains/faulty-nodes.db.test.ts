/** How a blockchain behaves when its nodes fail: real chains behind proxies that answer falsely, hang and refuse. */
import type { ChainSession } from '@kassa/chains/adapter.ts'
import { connect } from '@kassa/chains/node/client.ts'
import { startAnvil, type Anvil } from '@kassa/chains/testing/anvil.ts'
import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { startFaultyNode, type Trouble, type FaultyNode } from '@kassa/chains/testing/faulty-node.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { registry } from '../../metrics/registry.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { openAlarms } from '../alarms/service.ts'
import { monitorNodes } from './nodes/monitor-nodes.ts'
import { adapterOf, findBlockchain, seedBlockchains } from './chains/service.ts'
import { changeNode } from './nodes/manage-nodes.ts'
import {
  markFailed,
  hasSecondOperator,
  isUsable,
  nodeCount,
  nodesOf,
  openSession,
  openAnother,
} from './nodes/service.ts'

const ETH = 1
const SECOND = 1_000
const HEIGHT = 100
const never = new AbortController().signal
const reader = adapterOf('ETH_Family')?.reader
const clock = { now: new Date('2026-03-01T12:00:00.000Z') }
let test: TestContext
let anvil: AnvilChain
let stranger: Anvil
let open: FaultyNode[] = []

beforeAll(async () => {
  ;[test, anvil, stranger] = await Promise.all([
    testContext({ now: () => clock.now }),
    openAnvilChain(),
    startAnvil({ chainId: 31_337 }),
  ])
  await anvil.mine(HEIGHT - (await anvil.height()))
  await callNode(stranger.url, 'anvil_mine', '0xc8')
  await seedBlockchains(test.ctx)
}, 60_000)
afterAll(async () => {
  await anvil.stop()
  await stranger.stop()
  await test.stop()
})
beforeEach(async () => {
  await sql`DELETE FROM rpc_nodes`.execute(test.ctx.db)
  await sql`DELETE FROM alarms`.execute(test.ctx.db)
})
afterEach(async () => {
  await Promise.all(open.map((node) => node.stop()))
  open = []
})

async function callNode(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await response.json()) as { result: unknown }).result
}

/** Stores a node of ETH behind a proxy; the first one is preferred. */
async function addProxy(upstream = anvil.url, columns: { maxDailyCalls?: number } = {}): Promise<FaultyNode> {
  const proxy = await startFaultyNode(upstream)
  await sql`INSERT INTO rpc_nodes (blockchain_id, url, is_preferred, max_daily_calls)
            VALUES (${ETH}, ${proxy.url}, ${open.length === 0}, ${columns.maxDailyCalls ?? null})`.execute(test.ctx.db)
  open.push(proxy)
  return proxy
}

async function opened(): Promise<ChainSession> {
  const chain = await openSession(test.ctx, ETH)
  if (!chain) throw new Error('ETH has no node')
  return chain
}

/**
 * One poll as the watcher does it: a failure of any kind marks the node as failed. Returns the node's URL, or the
 * failure.
 */
async function poll(chain?: ChainSession): Promise<string> {
  let current = chain
  try {
    current ??= await opened()
    await reader?.heads(current)
    return current.node.label
  } catch (error) {
    if (current) markFailed(current.node)
    return (error as Error).message
  }
}

async function probeAll(): Promise<void> {
  const row = await findBlockchain(test.ctx, 'ETH')
  if (row) await monitorNodes(test.ctx, row, { signal: never, compare: true, all: true })
}

const pass = (ms: number) => void (clock.now = new Date(clock.now.getTime() + ms))
const states = async () => (await nodesOf(test.ctx, ETH)).map(({ health }) => health?.state)
const bad: readonly Trouble[] = [
  { kind: 'busy', retryAfter: '9' },
  { kind: 'broken', status: 502 },
  { kind: 'garbage' },
  { kind: 'gone' },
  { kind: 'other-network', chainId: 1 },
]

describe('nodes.failOver', () => {
  it.each(bad)('leaves a node that is $kind at its first failure, and returns when it is healthy', async (trouble) => {
    const [first, second] = [await addProxy(), await addProxy()]
    const chain = await opened()
    expect(await poll(chain)).toBe(first.url)
    first.trouble(trouble)
    expect(await poll(chain)).not.toBe(first.url)
    expect(isUsable(chain.node)).toBe(false)
    expect(await poll()).toBe(second.url)
    await probeAll()
    expect((await states())[1]).toBe('healthy')
    expect(['backoff', 'wrong_network']).toContain((await states())[0])
    first.trouble(null)
    pass(61 * SECOND)
    await probeAll()
    expect(await states()).toEqual(['healthy', 'healthy'])
    expect(await poll()).toBe(first.url)
  })

  it('sends a busy node nothing for as long as it asks, even when there is no other', async () => {
    const only = await addProxy()
    await poll()
    only.trouble({ kind: 'busy', retryAfter: '7' })
    const chain = await opened()
    await poll(chain)
    const before = only.asked.length
    expect(await poll()).toBe('No node of ETH can be used right now.')
    pass(6 * SECOND)
    await poll()
    expect(only.asked).toHaveLength(before)
    only.trouble(null)
    pass(SECOND)
    expect(await poll()).toBe(only.url)
  })

  it('continues with the only node after any other failure', async () => {
    const only = await addProxy()
    only.trouble({ kind: 'gone' })
    for (const _ of Array.from({ length: 6 })) expect(await poll()).toMatch(/fetch failed|closed/)
    only.trouble(null)
    expect(await poll()).toBe(only.url)
  })

  it('detects a hanging node when it probes it, within 5 s', async () => {
    const [first, second] = [await addProxy(), await addProxy()]
    const chain = await opened()
    expect(await poll(chain)).toBe(first.url)
    first.trouble({ kind: 'hangs' })
    await probeAll()
    expect(isUsable(chain.node)).toBe(false)
    expect(await poll()).toBe(second.url)
  }, 15_000)

  it('leaves a node whose receipts belong to another block', async () => {
    const [first, second] = [await addProxy(), await addProxy()]
    await anvil.send({ to: anvil.payer, value: 1n })
    const height = await anvil.height()
    const everything = { assets: new Set([1, 7]), matches: () => true }
    const chain = await opened()
    first.trouble({ kind: 'other-receipts' })
    await expect(reader?.blocks(chain, { from: height, to: height }, everything)).rejects.toMatchObject({
      name: 'RetryableRpcError',
    })
    markFailed(chain.node)
    const other = await opened()
    expect(other.node.label).toBe(second.url)
    expect(await reader?.blocks(other, { from: height, to: height }, everything)).toHaveLength(1)
  })

  it('leaves a node whose head does not move, and returns when it has caught up', async () => {
    const [first, second] = [await addProxy(), await addProxy()]
    const height = await anvil.height()
    await probeAll()
    const chain = await opened()
    expect(chain.node.label).toBe(first.url)
    first.trouble({ kind: 'stale', height: height - 3 })
    await probeAll()
    expect(isUsable(chain.node)).toBe(true)
    first.trouble({ kind: 'stale', height: height - 4 })
    await probeAll()
    expect(isUsable(chain.node)).toBe(false)
    expect((await opened()).node.label).toBe(second.url)
    expect((await nodesOf(test.ctx, ETH))[0]?.health).toMatchObject({
      state: 'lagging',
      reason: 'It is 4 blocks behind the best node.',
      lastBlockSeen: height - 4,
    })
    first.trouble(null)
    await probeAll()
    expect((await opened()).node.label).toBe(first.url)
  })

  it('counts failures per node and kind, and shows the score', async () => {
    const first = await addProxy()
    await addProxy()
    await probeAll()
    first.trouble({ kind: 'broken', status: 500 })
    await probeAll()
    const text = await registry.metrics()
    expect(text).toContain(`kassa_rpc_errors_total{node="${first.url}",kind="unreachable"} 1\n`)
    expect(text).toMatch(new RegExp(`kassa_node_score\\{blockchain="ETH",node="${first.url}"\\} [5-9]\\d`))
  })
})

describe('nodes.network', () => {
  it('refuses a node that began to serve another network, until it serves ours again', async () => {
    const only = await addProxy()
    expect(await poll()).toBe(only.url)
    only.trouble({ kind: 'other-network', chainId: 1 })
    const chain = await opened()
    expect(await poll(chain)).toContain('serves chain 1, not')
    await expect(opened()).rejects.toMatchObject({ code: 'NODE_WRONG_NETWORK' })
    await probeAll()
    expect((await nodesOf(test.ctx, ETH))[0]?.health).toMatchObject({
      state: 'wrong_network',
      reason: expect.stringContaining('serves 1, so it is no node of'),
    })
    only.trouble(null)
    expect(await poll()).toBe(only.url)
  })

  it('identifies a node again every ten minutes, besides reading its chain id with every head', async () => {
    const only = await addProxy()
    await addProxy()
    await probeAll()
    const identifications = () => only.asked.filter((method) => method === 'web3_clientVersion').length
    expect(identifications()).toBe(1)
    pass(5 * 60 * SECOND)
    await probeAll()
    expect(identifications()).toBe(1)
    pass(5 * 60 * SECOND)
    await probeAll()
    expect(identifications()).toBe(2)
  })
})

describe('nodes.overhead', () => {
  it('costs a single node nothing extra: one identification, then the calls of a poll', async () => {
    const only = await addProxy()
    for (const _ of Array.from({ length: 5 })) await poll()
    const asked = only.asked.filter((method) => method === 'web3_clientVersion' || method === 'debug_traceBlockByHash')
    expect(asked).toHaveLength(2)
    expect(only.asked.filter((method) => method === 'eth_chainId')).toHaveLength(1 + 5)
    expect(only.asked).toHaveLength(3 + 4 + 5 * 2)
  })
})

describe('nodes.branches', () => {
  it('marks a node as forked that most contradict about a final block, until an operator turns it on', async () => {
    const [first, second, third] = [await addProxy(), await addProxy(), await addProxy()]
    await probeAll()
    const chain = await opened()
    first.trouble({ kind: 'forked', from: 10 })
    await probeAll()
    expect(isUsable(chain.node)).toBe(false)
    expect((await opened()).node.label).toBe(second.url)
    const [node] = await nodesOf(test.ctx, ETH)
    expect(node?.forked).toMatch(/^It serves another branch: block \d+ is 0xf0f0f0f0/)
    expect(await openAlarms(test.ctx)).toMatchObject([
      { kind: 'node_forked', text: expect.stringContaining(new URL(first.url).host) },
    ])
    first.trouble(null)
    await probeAll()
    expect((await opened()).node.label).toBe(second.url)
    expect((await states())[0]).toBe('forked')
    const row = await findBlockchain(test.ctx, 'ETH')
    if (row && node) await changeNode(test.ctx, row, node.id, { change: { isActive: true }, tried: null })
    expect(await openAlarms(test.ctx)).toEqual([])
    await probeAll()
    expect((await opened()).node.label).toBe(first.url)
    expect(third.asked.length).toBeGreaterThan(0)
  })

  it('raises an alarm when two nodes disagree, and uses both: neither has a majority', async () => {
    await addProxy()
    const second = await addProxy(stranger.url)
    await probeAll()
    expect(await openAlarms(test.ctx)).toMatchObject([
      { kind: 'node_forked', subject: 'ETH', text: expect.stringMatching(/disagree about block \d+, which is final/) },
    ])
    expect((await nodesOf(test.ctx, ETH)).map(({ forked }) => forked)).toEqual([null, null])
    await sql`DELETE FROM rpc_nodes WHERE url = ${second.url}`.execute(test.ctx.db)
    await addProxy()
    await probeAll()
    expect(await openAlarms(test.ctx)).toEqual([])
  })
})

describe('nodes.openAnother', () => {
  it('opens a node of another operator, never the first one', async () => {
    const [first, second] = [await addProxy(), await addProxy()]
    const chain = await opened()
    expect(chain.node.label).toBe(first.url)
    expect((await openAnother(test.ctx, ETH, chain.node.id))?.node.label).toBe(second.url)
    expect([await nodeCount(test.ctx, ETH), await hasSecondOperator(test.ctx, ETH)]).toEqual([2, true])
  })

  it('is null with one node, or with a second one of the same operator', async () => {
    await addProxy()
    const chain = await opened()
    expect(await openAnother(test.ctx, ETH, chain.node.id)).toBeNull()
    expect(await hasSecondOperator(test.ctx, ETH)).toBe(false)
    await sql`DELETE FROM rpc_nodes`.execute(test.ctx.db)
    // The transport sends every host to the local chain, whatever its name.
    const ctx = { ...test.ctx, memory: new Map(), connect: ({ id }: { id: number }) => connect({ id, url: anvil.url }) }
    const addNamed = (url: string) =>
      sql`INSERT INTO rpc_nodes (blockchain_id, url) VALUES (${ETH}, ${url})`.execute(test.ctx.db)
    await addNamed('https://a.node.example')
    await addNamed('https://b.node.example')
    const first = (await openSession(ctx, ETH))?.node.id ?? 0
    expect(await openAnother(ctx, ETH, first)).toBeNull()
    expect([await nodeCount(ctx, ETH), await hasSecondOperator(ctx, ETH)]).toEqual([2, false])
    await addNamed('https://a.other.example')
    const third = (await nodesOf(ctx, ETH)).at(-1)?.id
    expect((await openAnother(ctx, ETH, first))?.node.id).toBe(third)
    expect([await nodeCount(ctx, ETH), await hasSecondOperator(ctx, ETH)]).toEqual([3, true])
  })

  it('is null while the other one is unreachable, which differs from having none', async () => {
    const second = (await addProxy()) && (await addProxy())
    const chain = await opened()
    second.trouble({ kind: 'gone' })
    expect(await openAnother(test.ctx, ETH, chain.node.id)).toBeNull()
    expect(await hasSecondOperator(test.ctx, ETH)).toBe(true)
    second.trouble(null)
    expect((await openAnother(test.ctx, ETH, chain.node.id))?.node.label).toBe(second.url)
  })
})

describe('session.another', () => {
  it('goes on to one operator after the other, each once', async () => {
    const [first, second, third] = [await addProxy(), await addProxy(), await addProxy()]
    const session = await opened()
    const other = await session.another()
    const last = await other?.another()
    expect([session, other, last].map((one) => one?.node.label)).toEqual([first.url, second.url, third.url])
    expect(await last?.another()).toBeNull()
    expect((await session.another())?.node.label).toBe(second.url)
  })

  it('may lead back to the node that another one was opened beside', async () => {
    const [first] = [await addProxy(), await addProxy()]
    const session = await opened()
    const beside = await openAnother(test.ctx, ETH, session.node.id)
    expect((await beside?.another())?.node.label).toBe(first.url)
  })
})

describe('nodes.budget', () => {
  it('uses another node when the calls of a day are used up, audits earlier than the head, and starts anew at midnight', async () => {
    const [first, second] = [await addProxy(anvil.url, { maxDailyCalls: 60 }), await addProxy()]
    const labelOf = async (use: 'head' | 'audit') => (await openSession(test.ctx, ETH, never, use))?.node.label
    for (const _ of Array.from({ length: 16 })) expect(await poll()).toBe(first.url)
    expect([await labelOf('audit'), await labelOf('head')]).toEqual([second.url, first.url])
    for (const _ of Array.from({ length: 6 })) await poll()
    expect(await labelOf('head')).toBe(second.url)
    expect(first.asked.length).toBeLessThanOrEqual(60)
    pass(31 * SECOND)
    await probeAll()
    expect((await nodesOf(test.ctx, ETH))[0]).toMatchObject({
      callsToday: first.asked.length,
      health: { state: 'backoff', reason: 'Its 60 calls of today are used up.' },
    })
    pass(86_400 * SECOND)
    expect(await labelOf('head')).toBe(first.url)
  })
})
