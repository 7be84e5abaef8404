import type { SentFacts } from '@kassa/chains/adapter.ts'
import { accountOfPrivateKey } from '@kassa/chains/private-keys.ts'
import { openLocalTron, type LocalTron } from '@kassa/chains/testing/tron-node/chain.ts'
import { serveLocalTron } from '@kassa/chains/testing/tron-node/http-node.ts'
import { addressText } from '@kassa/chains/tron/addresses/addresses.ts'
import { tronSender } from '@kassa/chains/tron/sender/sender.ts'
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Context } from '../../../context.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { openRelay } from './relay.ts'

const [CHAIN, NATIVE] = [3, 3]
const KEY = Buffer.alloc(32, 5)
const PAYER = accountOfPrivateKey(KEY)
const MINUTE = 60_000

let test: TestContext
let ctx: Context
let local: LocalTron
let clock = 0
const stops: (() => Promise<void>)[] = []
const now = () => new Date(Date.now() + clock)

/** A public network of TRON as two operators serve it: one chain, behind two addresses. */
beforeAll(async () => {
  test = await testContext({ now })
  ctx = { ...test.ctx, config: { ...test.ctx.config, network: 'testnet' } }
  const { chainId = 0, genesisHash } = trx.networks.testnet
  local = await openLocalTron({ chainId, genesisHash, payer: PAYER, now })
  await seedBlockchains(ctx)
  await sql`UPDATE blockchains SET status = 'active', inactive_cause = NULL WHERE id = ${CHAIN}`.execute(ctx.db)
  for (const priority of [0, 1]) {
    const { url, stop } = await serveLocalTron(local)
    stops.push(stop)
    await sql`INSERT INTO rpc_nodes (blockchain_id, url, priority, is_preferred)
      VALUES (${CHAIN}, ${url}, ${priority}, ${priority === 0})`.execute(ctx.db)
  }
}, 60_000)
afterAll(async () => {
  for (const stop of stops) await stop()
  await test.stop()
})

const relay = async () => {
  const opened = await openRelay(ctx, CHAIN)
  if (!opened) throw new Error('TRON has no node')
  return opened
}

/** What is signed for a payment of TRX, and given to no node. */
async function signed(): Promise<{ facts: SentFacts; raw: Buffer; txId: string }> {
  const { session } = await relay()
  const from = addressText(PAYER)
  const to = addressText(Buffer.alloc(20, 9))
  const intent = { kind: 'transfer', assetId: NATIVE, to, units: 5_000_000n } as const
  const plan = await tronSender.plan(session, { from, intent, maxFee: 10_000_000n })
  if (plan.kind !== 'planned') throw new Error(plan.why.code)
  const { txId, raw } = tronSender.sign(session.chain, plan.tx, KEY)
  const { validUntil, body } = plan.tx
  return {
    facts: { from, sequence: null, sinceHeight: plan.height, attempts: [{ txId, validUntil, body }] },
    raw: Buffer.from(raw),
    txId,
  }
}

describe('relay.outcome', () => {
  it('knows that an expired transaction on TRON is never mined, with nodes of exactly two operators', async () => {
    const { facts } = await signed()
    clock += 11 * MINUTE
    await local.mine(1)
    expect(await (await relay()).outcome('it', facts)).toBeNull()
    await local.mine(20)
    expect(await (await relay()).outcome('it', facts)).toMatchObject({
      state: 'impossible',
      proof: { kind: 'expired' },
    })
  })

  it('never says so of what a block holds', async () => {
    const { facts, raw, txId } = await signed()
    expect(await (await relay()).broadcast({ txId, raw })).toBe(true)
    clock += 11 * MINUTE
    await local.mine(21)
    expect(await (await relay()).outcome('it', facts)).toMatchObject({ state: 'mined', tx: { txId } })
  })

  it('says nothing while the second operator is silent', async () => {
    const { facts } = await signed()
    clock += 11 * MINUTE
    await local.mine(21)
    await stops.pop()?.()
    expect(await (await relay()).outcome('it', facts)).toBeNull()
  })
})
