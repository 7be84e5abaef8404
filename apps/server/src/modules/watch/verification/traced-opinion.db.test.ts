import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { sql } from 'kysely'
import { type Hex, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BentNode, bentNode } from '../../../testing/bent-node.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../../testing/customer-address.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { crossCheck } from './cross-check.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'

const ETH = 1
let test: TestContext
let anvil: AnvilChain
let first: BentNode
let blind: BentNode
let reader: TestReader
let address: CustomerAddress

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  ;[first, blind] = await Promise.all([bentNode(anvil.url), bentNode(anvil.url)])
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
  first.bend(null)
  blind.bend(null, withoutTraces)
  address = await customerAddress(test.ctx)
  reader = await testReader(test.ctx, 'ETH')
})

const withoutTraces = (request: string) => request.replaceAll('debug_trace', 'no_trace')

/** Three ether that a contract sends on: worth far more than the setting, and seen by traces alone. */
async function forwardAndAsk(): Promise<boolean> {
  const value = parseEther('3')
  await anvil.probeCalls([{ target: address.address as Hex, value }], value)
  await anvil.mine(2)
  await reader.catchUp()
  const { cursor } = reader.progress
  if (!cursor) throw new Error('There is no cursor')
  return crossCheck(test.ctx, reader.chain, reader.watch.reader, cursor)
}
const deposits = async () =>
  (
    await sql<{ status: string; reason: string | null; quorum: number }>`
      SELECT status, reason, quorum FROM deposits WHERE address_id = ${address.id}`.execute(test.ctx.db)
  ).rows

describe('watch and a second source without traces (2.8)', () => {
  it('takes a balance that rose by as much for its word', async () => {
    expect(await forwardAndAsk()).toBe(true)
    expect(await deposits()).toMatchObject([{ status: 'unapplied', quorum: 2 }])
  })

  it('holds what one node says was forwarded, when the balance did not rise by that', async () => {
    const [real, told] = [parseEther('3'), parseEther('4')].map((value) => `"value":"${numberToHex(value)}"`)
    first.bend((answer, request) =>
      request.includes('debug_trace') ? answer.replaceAll(real ?? '', told ?? '') : answer,
    )
    await forwardAndAsk()
    expect(await deposits()).toMatchObject([{ status: 'quarantined', reason: 'NODE_DISAGREEMENT' }])
  })

  it('holds what was invented beside money that did come', async () => {
    first.bend((answer, request) => (request.includes('debug_trace') ? withAnotherCall(answer) : answer))
    await forwardAndAsk()
    const held = { status: 'quarantined', reason: 'NODE_DISAGREEMENT' }
    expect(await deposits()).toMatchObject([held, held])
  })

  it('goes on with one source when the second has forgotten the balances of that time', async () => {
    blind.bend((answer, request) => (request.includes('eth_getBalance') ? refused(answer) : answer), withoutTraces)
    expect(await forwardAndAsk()).toBe(true)
    expect(await deposits()).toMatchObject([{ status: 'unapplied', quorum: 1 }])
  })

  it('waits while the second does not answer about balances', async () => {
    blind.bend((answer, request) => (request.includes('eth_getBalance') ? null : answer), withoutTraces)
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

/** As nodes without that state say it. */
function refused(answer: string): string {
  const error = { code: -32_000, message: 'missing trie node' }
  const given = JSON.parse(answer) as { id: number } | { id: number }[]
  const all = Array.isArray(given) ? given.map(({ id }) => ({ jsonrpc: '2.0', id, error })) : null
  return JSON.stringify(all ?? { jsonrpc: '2.0', id: (given as { id: number }).id, error })
}
