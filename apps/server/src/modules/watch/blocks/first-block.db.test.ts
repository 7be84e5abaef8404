import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { type TestContext, testContext } from '../../../testing/context.ts'
import { customerAddress } from '../../../testing/customer-address.ts'
import { testReader } from '../../../testing/test-follower.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'

let test: TestContext
let anvil: AnvilChain

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', anvil.node.label)
}, 60_000)
afterAll(async () => {
  await anvil.stop()
  await test.stop()
})

it('credits what arrived after a chain became active, however many blocks were mined before its first poll', async () => {
  const { id, address } = await customerAddress(test.ctx)
  await anvil.mine(300)
  await sql`UPDATE blockchains SET activated_at = now() WHERE code = 'ETH'`.execute(test.ctx.db)
  await anvil.transfer(SANDBOX_TOKENS.usdc, address as Hex, 5_000_000n)
  await anvil.mine(200)
  const reader = await testReader(test.ctx, 'ETH')
  await reader.catchUp()
  const { rows } = await sql<{ units: string }>`SELECT units FROM deposits WHERE address_id = ${id}`.execute(
    test.ctx.db,
  )
  expect(rows).toEqual([{ units: '5000000' }])
})
