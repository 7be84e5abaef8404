import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FaultyNode, faultyNode } from '../../../testing/faulty-node.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../../testing/customer-address.ts'
import { openAlarms } from '../../alarms/service.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { requestRescan, runRescan } from './rescan-range.ts'
import { findCursor } from '../blocks/cursor-store.ts'
import { testReader } from '../../../testing/test-follower.ts'

const ETH = 1
const STORED_STATES = 120
let test: TestContext
let anvil: AnvilChain
let node: FaultyNode
let address: CustomerAddress

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  node = await faultyNode(anvil.url)
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', node.url)
  address = await customerAddress(test.ctx)
}, 60_000)
afterAll(async () => {
  await node.stop()
  await anvil.stop()
  await test.stop()
})

const units = async () =>
  (await sql<{ units: string }>`SELECT units FROM deposits ORDER BY height`.execute(test.ctx.db)).rows.map((row) =>
    Number(row.units),
  )

describe('watch that catches up after nodes pruned their states (W-2)', () => {
  it('credits what receipts prove, reports what may be missing, and finds it with a node that has history', async () => {
    const reader = await testReader(test.ctx, 'ETH')
    await reader.catchUp()
    const to = address.address as Hex
    await anvil.transfer(SANDBOX_TOKENS.usdc, to, 5_000_000n)
    await anvil.probeCalls([{ target: to, value: 10n ** 16n }], 10n ** 16n)
    const forwarded = await anvil.height()
    await anvil.mine(STORED_STATES)
    const old = (await anvil.call('eth_getBlockByNumber', `0x${forwarded.toString(16)}`, false)) as { hash: string }
    node.setFault((answer, request) =>
      request.includes('debug_trace') && request.includes(old.hash)
        ? answer.replaceAll(/"result":\[.*?\]\}(?=[,\]]|$)/g, '"result":null}')
        : answer,
    )
    await reader.catchUp()
    expect(await findCursor(test.ctx, ETH)).toMatchObject({ height: await anvil.height() })
    expect(await units()).toEqual([5_000_000])
    const [alarm] = await openAlarms(test.ctx)
    expect(alarm).toMatchObject({ kind: 'watch_missed', subject: 'ETH traces' })
    expect(alarm?.text).toContain(`--to ${forwarded}`)

    const rescan = async () => {
      const range = { blockchainId: ETH, from: forwarded, to: forwarded, reason: 'traces', by: 'operator:1' }
      return runRescan(test.ctx, await requestRescan(test.ctx, range), new AbortController().signal)
    }
    expect(await rescan()).toMatchObject({ state: 'done', found: 0, error: expect.stringContaining('no traces') })
    node.setFault(null)
    expect(await rescan()).toMatchObject({ state: 'done', found: 1, error: null })
    expect(await units()).toEqual([5_000_000, 10 ** 16])
  })
})
