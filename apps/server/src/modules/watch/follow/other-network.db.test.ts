/** A node that serves another network than when it was asked who it is: nothing of it says that our chain was replaced. */
import { connect } from '@kassa/chains/node/client.ts'
import type { Fetch } from '@kassa/chains/node/transport.ts'
import { createFakeChain, type FakeChain } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import { answerTron } from '@kassa/chains/testing/fake-chain/tron/answers.ts'
import { sealTron } from '@kassa/chains/testing/fake-chain/tron/blocks.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Context } from '../../../context.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { findCursor } from '../blocks/cursor-store.ts'

const TRX = 3
const NODE = 'http://127.0.0.1:7003'
const CHAIN_ID = findBlockchain('TRX')?.networks.sandbox.chainId ?? 0
/** Blocks that are left, and more than a program may follow. */
const [FIRST, DEEP] = [10, 70] as const

let test: TestContext
let ctx: Context
let shown: FakeChain
let reader: TestReader

beforeAll(async () => {
  test = await testContext()
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'TRX', NODE)
})
afterAll(() => test.stop())

beforeEach(async () => {
  for (const table of ['alarms', 'chain_blocks', 'chain_cursors']) {
    await sql`DELETE FROM ${sql.table(table)}`.execute(test.ctx.db)
  }
  const fetch: Fetch = async (url, { body }) => {
    const answer = answerTron(shown.view(), new URL(url).pathname, JSON.parse(body ?? '{}') as {})
    return answer === undefined ? new Response('', { status: 404 }) : Response.json(answer)
  }
  ctx = { ...test.ctx, memory: new Map(), connect: (node) => connect({ ...node, fetch }) }
  shown = chainOf(CHAIN_ID)
  mine(FIRST + DEEP)
  reader = await testReader(ctx, 'TRX')
  await reader.catchUp()
})

function chainOf(chainId: number): FakeChain {
  const genesisHash = chainId.toString(16).padStart(64, '0')
  return createFakeChain({ chainId, genesisHash, startTime: 1_700_000_000, hasFinality: false, seal: sealTron })
}

function mine(blocks: number): void {
  for (let at = 0; at < blocks; at += 1) shown.mine(shown.head().time + 3, [])
}

const cursor = () => findCursor(test.ctx, TRX)

describe('watch.poll', () => {
  it('does not halt at a node that serves another network by now', async () => {
    const before = await cursor()
    shown = chainOf(CHAIN_ID + 1)
    mine(FIRST + DEEP + 5)
    await expect(reader.catchUp()).rejects.toThrow('serves another network')
    expect(await cursor()).toMatchObject({ height: before?.height, hash: before?.hash, state: 'running' })
  })

  it('halts when the same network replaces as much', async () => {
    shown.leave(DEEP)
    mine(DEEP + 5)
    expect(await reader.catchUp()).toMatchObject({ kind: 'halted', why: { case: 'too_deep' } })
  })
})
