import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { findBlockchain, seedBlockchains } from '../chains/service.ts'
import { monitorNodes } from './monitor-nodes.ts'
import { nodesOf } from './service.ts'

const ETH = 1
/** Half a character at the end of what is kept of it, and a character that no column of PostgreSQL holds. */
const WORDS = `\u0000out of gas \ud83d ${'⛽😀'.repeat(200)}`
const strange = createServer((request, response) => {
  request.resume()
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: WORDS } }))
})
let test: TestContext

beforeAll(async () => {
  test = await testContext()
  await seedBlockchains(test.ctx)
  await new Promise<void>((resolve) => void strange.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(strange.address() as AddressInfo).port}`
  await sql`INSERT INTO rpc_nodes (blockchain_id, url) VALUES (${ETH}, ${url})`.execute(test.ctx.db)
})
afterAll(async () => {
  strange.close()
  await test.stop()
})

describe('blockchains: a node that fails with words that cannot be stored', () => {
  it('is shown with what can be stored of them', async () => {
    const row = (await findBlockchain(test.ctx, ETH)) ?? expect.unreachable()
    const { signal } = new AbortController()
    for (const _probe of [1, 2, 3]) await monitorNodes(test.ctx, row, { signal, compare: false, all: true })
    const [node] = await nodesOf(test.ctx, ETH)
    expect(node?.health).toMatchObject({ state: 'backoff', consecutiveFails: 3 })
    expect(node?.health?.reason).toContain('out of gas')
  })
})
