import type { ChainSession, Leg, Transfer } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { connect } from '@kassa/chains/node/client.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { eth } from '@kassa/primitives/chains/definitions/eth.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem, type Context } from '../../../context.ts'
import { type DatabasePool, openDatabase } from '../../../db/database.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, depositsTo, dollars, openCashier, type Pinned } from '../../../testing/cashier.ts'
import { openShop } from '../../../testing/shop.ts'
import { logStatements } from '../../../testing/database/log-statements.ts'
import { listAssets } from '../../blockchains/chains/service.ts'
import { type Cursor, insertCursor } from '../blocks/cursor-store.ts'
import { advance } from './apply-blocks.ts'

const ETH = 1
const ETH_FAMILY = 1
const STRANGER = '0x00000000000000000000000000000000000Beef1'

/** The cursor, the lock of the blockchain, its customers, and the window. */
const LEAST = 5

/** Nothing is asked of its node: the block was read already. */
const session: ChainSession = {
  chain: chainIn('sandbox', eth),
  node: connect({ id: 1, url: 'https://node.example' }),
  signal: new AbortController().signal,
  another: async () => null,
}

let app: TestApp
let cashier: Cashier
let counted: DatabasePool
let statements: string[]
let ctx: Context
let cursor: Cursor

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
  const key = await app.signUp()
  const shop = await openShop(app, key)
  cashier = openCashier(app, shop)
  await app.call(webhooksRoutes.createWebhook, { params: { p: shop.p }, body: { url: 'http://127.0.0.1:9/' } }, { key })
  counted = openDatabase(app.connectionString, { isDirect: true })
  statements = logStatements(counted.pool)
  ctx = { ...asSystem(app.ctx), db: counted.db }
  cursor = await insertCursor(ctx, {
    blockchainId: ETH,
    block: blockAt(100),
    headHeight: 100,
    finalizedHeight: -1,
    holder: 'test',
  })
})
afterAll(async () => {
  await counted.close()
  await app.stop()
})

const blockAt = (height: number) => ({
  height,
  hash: `0xb${height}`,
  parentHash: `0xb${height - 1}`,
  minedAt: app.clock.now,
})

/** Applies the next block, as a poll does after it asked the nodes; returns how often it asks the database. */
async function apply(payments: readonly { to: string }[] = []): Promise<number> {
  const block = blockAt(cursor.height + 1)
  const transfers = payments.map(({ to }, at): Transfer => {
    const txId = `0x${block.height.toString(16).padStart(32, '0')}${at.toString(16).padStart(32, '0')}`
    const parts = { kind: 'token', leg: 'log:0' as Leg, evidence: 'receipt', senders: [STRANGER] } as const
    return { ...parts, assetId: ASSET.USDC_ON_ETH, to, units: dollars(100), txId, block }
  })
  const step = {
    facts: [{ block, transfers, internalTransfers: 'complete' as const }],
    undecodable: new Map(),
    headHeight: block.height,
    finalizedHeight: -1,
    finalizedHash: null,
    assets: await listAssets(ctx),
    checks: new Map(),
    state: 'running' as const,
    addressHigh: 1_000_000n,
  }
  statements.length = 0
  cursor = (await advance(ctx, session, cursor, { familyId: ETH_FAMILY, step })).cursor
  return statements.filter((text) => text !== 'begin' && text !== 'commit').length
}

describe('watch.advance', () => {
  it('asks the database five times for a block without deposits', async () => {
    expect(await apply()).toBe(LEAST)
  })

  it('asks at most 21 times for a block with one deposit, and no more often for a second customer', async () => {
    const payers = [await cashier.newPayment(), await cashier.newPayment(), await cashier.newPayment()]
    for (const payer of payers) {
      expect(await apply([payer])).toBeLessThanOrEqual(21)
      expect(await depositsTo(app, payer.to)).toMatchObject([{ status: 'seen' }])
      await apply()
      await apply()
    }
  })

  it('asks no more often for twenty deposits than for one', async () => {
    const payers: Pinned[] = []
    for (let payer = 0; payer < 20; payer += 1) payers.push(await cashier.newPayment())
    expect(await apply(payers)).toBeLessThanOrEqual(21)
    await apply()
  })

  it('asks at most 18 times for a block that makes a deposit final', async () => {
    const payer = await cashier.newPayment()
    await apply([payer])
    expect(await apply()).toBeLessThanOrEqual(18)
    expect(await cashier.show(payer.ref)).toMatchObject({ paymentState: 'FILLED' })
  })
})
