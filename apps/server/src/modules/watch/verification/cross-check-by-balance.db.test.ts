import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { sql } from 'kysely'
import { type Hex, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FaultyNode, faultyNode } from '../../../testing/faulty-node.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../../testing/customer-address.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { crossCheck } from './cross-check.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'

const ETH = 1
let test: TestContext
let anvil: AnvilChain
let first: FaultyNode
let blind: FaultyNode
let reader: TestReader
let address: CustomerAddress

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  ;[first, blind] = await Promise.all([faultyNode(anvil.url), faultyNode(anvil.url)])
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', first.url)
  await sql`INSERT INTO rpc_nodes (blockchain_id, url, priority) VALUES (${ETH}, ${blind.url}, 9)`.execute(test.ctx.db)
}, 60_000)
afterAll(async () => {
  await Promise.all([first.stop(), blind.stop()])
  await anvil.stop()
  await test.stop()
})
beforeEach(async () => {
  first.setFault(null)
  blind.setFault(null, withoutTraces)
  address = await customerAddress(test.ctx)
  reader = await testReader(test.ctx, 'ETH')
})

const withoutTraces = (request: string) => request.replaceAll('debug_trace', 'no_trace')

/** Three ether that a contract forwards: a high-value transfer, seen by traces alone. */
async function forwardAndAsk(): Promise<boolean> {
  const value = parseEther('3')
  await anvil.probeCalls([{ target: address.address as Hex, value }], value)
  await anvil.mine(2)
  await reader.catchUp()
  const { cursor } = reader.progress
  if (!cursor) throw new Error('There is no cursor')
  return crossCheck(test.ctx, reader.session, reader.follower.adapter, cursor)
}
const deposits = async () =>
  (
    await sql<{ status: string; reason: string | null; quorum: number }>`
      SELECT status, reason, quorum FROM deposits WHERE address_id = ${address.id}`.execute(test.ctx.db)
  ).rows

describe('watch.crossCheckByBalance (2.8)', () => {
  it('agrees when the balance rose by as much', async () => {
    expect(await forwardAndAsk()).toBe(true)
    expect(await deposits()).toMatchObject([{ status: 'unapplied', quorum: 2 }])
  })

  it('quarantines what one node reports as forwarded, when the balance did not rise by that', async () => {
    const [real, invented] = [parseEther('3'), parseEther('4')].map((value) => `"value":"${numberToHex(value)}"`)
    first.setFault((answer, request) =>
      request.includes('debug_trace') ? answer.replaceAll(real ?? '', invented ?? '') : answer,
    )
    await forwardAndAsk()
    expect(await deposits()).toMatchObject([{ status: 'quarantined', reason: 'NODE_DISAGREEMENT' }])
  })

  it('quarantines what was invented beside a real transfer', async () => {
    first.setFault((answer, request) => (request.includes('debug_trace') ? withAnotherCall(answer) : answer))
    await forwardAndAsk()
    const quarantined = { status: 'quarantined', reason: 'NODE_DISAGREEMENT' }
    expect(await deposits()).toMatchObject([quarantined, quarantined])
  })

  it('finalizes with one operator when the second node has pruned the balances of that block', async () => {
    blind.setFault((answer, request) => (request.includes('eth_getBalance') ? refused(answer) : answer), withoutTraces)
    expect(await forwardAndAsk()).toBe(true)
    expect(await deposits()).toMatchObject([{ status: 'unapplied', quorum: 1 }])
  })

  it('waits while the second node does not answer about balances', async () => {
    blind.setFault((answer, request) => (request.includes('eth_getBalance') ? null : answer), withoutTraces)
    expect(await forwardAndAsk()).toBe(false)
    expect(await deposits()).toMatchObject([{ status: 'seen', quorum: 0 }])
  })
})

/** Every call that a contract made, and one more like it of two ether. */
function withAnotherCall(answer: string): string {
  const value = numberToHex(parseEther('2'))
  return JSON.stringify(
    JSON.parse(answer, (key, calls: unknown) =>
      key === 'calls' && Array.isArray(calls) ? [...calls, { ...(calls[0] as object), value }] : calls,
    ),
  )
}

/** The answer of a node without that state. */
function refused(answer: string): string {
  const error = { code: -32_000, message: 'missing trie node' }
  const request = JSON.parse(answer) as { id: number } | { id: number }[]
  const all = Array.isArray(request) ? request.map(({ id }) => ({ jsonrpc: '2.0', id, error })) : null
  return JSON.stringify(all ?? { jsonrpc: '2.0', id: (request as { id: number }).id, error })
}
