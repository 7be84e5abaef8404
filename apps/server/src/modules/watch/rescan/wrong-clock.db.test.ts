import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../context.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { customerAddress } from '../../../testing/customer-address.ts'
import { testReader } from '../../../testing/test-follower.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { creditUnclaimed } from './credit-unclaimed.ts'
import { requestRescan } from './rescan-range.ts'
import { continueRescans } from './service.ts'
import { findRescan, takeRescan } from './store.ts'

const ETH = 1
let test: TestContext
let anvil: AnvilChain
/** A process whose clock was a day ahead, until it was corrected. */
let ahead: Context

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  ahead = { ...test.ctx, now: () => new Date(Date.now() + 86_400_000) }
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', anvil.url)
}, 60_000)
afterAll(async () => {
  await anvil.stop()
  await test.stop()
})

describe('watch after a clock that was ahead', () => {
  it('credits at once what it read before its address was assigned', async () => {
    const { id, address, customerId, projectId } = await customerAddress(test.ctx)
    const reader = await testReader(ahead, 'ETH')
    await reader.catchUp()
    await sql`UPDATE addresses SET status = 'open', customer_id = NULL, project_id = NULL WHERE id = ${id}`.execute(
      test.ctx.db,
    )
    await anvil.transfer(SANDBOX_TOKENS.usdc, address as Hex, 5_000_000n)
    await anvil.mine(2)
    await reader.catchUp()
    await sql`UPDATE addresses SET status = 'assigned', customer_id = ${customerId}, project_id = ${projectId}
      WHERE id = ${id}`.execute(test.ctx.db)
    await creditUnclaimed(test.ctx, reader.session)
    const { rows } = await sql`SELECT status, units FROM deposits WHERE address_id = ${id}`.execute(test.ctx.db)
    expect(rows).toEqual([{ status: 'unapplied', units: '5000000' }])
  })

  it('continues a rescan that it had taken, and no other one is taken twice', async () => {
    const to = await anvil.height()
    const asked = { blockchainId: ETH, from: to, to, reason: 'a payer asked', by: 'operator:1' }
    const rescan = await requestRescan(test.ctx, asked)
    expect(await takeRescan(ahead)).toMatchObject({ id: rescan.id })
    expect(await takeRescan(ahead)).toBeUndefined()
    await continueRescans(test.ctx)
    expect(await findRescan(test.ctx, rescan.id)).toMatchObject({ state: 'done' })
  })
})
