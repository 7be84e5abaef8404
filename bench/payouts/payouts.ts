/**
 * Payouts on a local chain: decided, signed and sent, and how long until the last one is final, beside what the chain takes of plain
 * transfers; and decisions of one project in parallel, beside updates of one locked row.
 */
import { randomBytes } from 'node:crypto'

import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'

import { asSystem, type Context } from '../../apps/server/src/context.ts'
import { setSandboxNode } from '../../apps/server/src/modules/blockchains/nodes/service.ts'
import { newMemory } from '../../apps/server/src/modules/sends/following/following.ts'
import { followSends } from '../../apps/server/src/modules/sends/following/follow-sends.ts'
import { addHotWallet, findHotWallet } from '../../apps/server/src/modules/wallets/hot/service.ts'
import { createPayout, requestOfMerchant } from '../../apps/server/src/modules/withdrawals/payouts/service.ts'
import { signPending } from '../../apps/server/src/modules/withdrawals/sending/service.ts'
import { testReader } from '../../apps/server/src/testing/test-follower.ts'
import type { Cleanup, Figure, Measurement, Options } from '../harness/figure.ts'
import type { Pool } from '../harness/limits.ts'
import { repeat } from '../harness/load.ts'
import { openProgram } from '../harness/program.ts'
import { secondsOf } from '../harness/seconds.ts'

const PAYOUTS = 100
const CLIENTS = 16
const DECIDING_MS = 5_000
const CHAIN = 1
/** A wei of ether: what leaves is its fee. */
const AMOUNT = '0.000001'
const UNITS = 10n ** 12n

export const payouts: Measurement = { name: 'payouts', run }

async function run(cleanup: Cleanup, { isFull }: Options): Promise<readonly Figure[]> {
  const count = isFull ? 10 * PAYOUTS : PAYOUTS
  const anvil = await openAnvilChain('ETH')
  cleanup(() => anvil.stop())
  const { app, pool } = await openProgram(cleanup)
  const shop = await openShop(asSystem(app.ctx), pool, anvil)
  const plain = count / (await secondsOf(() => sendPlain(anvil, count)))
  const decided = count / (await secondsOf(() => shop.askFor(count)))
  const sent = await shop.payAll()
  const limit = { name: 'plain transfers that the chain takes and a client waits for', value: plain }
  return [
    { name: `${count} payouts decided, one client`, value: decided, unit: '/s', limit },
    { name: 'payouts signed', value: count / sent.signing, unit: '/s', limit },
    { name: 'payouts signed, sent and mined', value: count / sent.mined, unit: '/s', limit },
    {
      name: `${count} payouts, until the last one is final`,
      value: sent.final,
      unit: 's',
      limit: { name: 'as many plain transfers', value: count / plain },
    },
    await deciding(shop, pool),
  ]
}

type Shop = {
  readonly askFor: (count: number) => Promise<void>
  readonly payAll: () => Promise<{ readonly signing: number; readonly mined: number; readonly final: number }>
  readonly askOnce: () => Promise<void>
}

async function openShop(ctx: Context, pool: Pool, anvil: AnvilChain): Promise<Shop> {
  await setSandboxNode(ctx, 'ETH', anvil.url)
  const { rows } = await pool.query<{ id: number }>(`
    WITH operator AS (
      INSERT INTO operators (email, customer_id, password_hash) VALUES ('owner@shop.example', 'root', '') RETURNING id
    ), project AS (INSERT INTO projects (name) VALUES ('Bench') RETURNING id),
    rules AS (
      INSERT INTO payout_policies (project_id, auto_approve_limit_usd, hourly_limit_usd, daily_limit_usd, updated_at)
      SELECT id, 100000, 1000000, 1000000, now() FROM project
    ), key AS (
      INSERT INTO api_keys (project_id, name, key_hash, key_prefix, last4, scopes, created_by)
      SELECT project.id, 'Server', '\\x00', '', '', '{}', operator.id FROM project, operator
    )
    SELECT id FROM project`)
  const projectId = rows[0]?.id ?? 0
  await addHotWallet(ctx, { family: 'ETH_Family', name: 'Payouts', generate: true, functions: ['payout'] })
  const wallet = await findHotWallet(ctx, { blockchainId: CHAIN, purpose: 'payout' })
  if (!wallet) throw new Error('There is no hot wallet')
  const reader = await testReader(ctx, 'ETH')
  await reader.catchUp()
  await anvil.send({ to: wallet.address as `0x${string}`, value: 100n * 10n ** 18n })
  const settle = async () => {
    await anvil.mine(3)
    await reader.catchUp()
  }
  await settle()
  const key: Context = { ...ctx, caller: { kind: 'key', keyId: 1, projectId, knownTo: 1, scopes: new Set() } }
  const askOnce = async () => {
    const toAddress = checksumAddress(randomBytes(20))
    const input = { blockchainCode: 'ETH', currencyCode: 'ETH', amount: AMOUNT, email: 'payee@example.com', toAddress }
    await createPayout(key, await requestOfMerchant(key, projectId, input))
  }
  const countOpen = async () => {
    const { rows: left } = await pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM withdrawals WHERE status IN ('pending', 'initiated', 'sent')`,
    )
    return left[0]?.n ?? 0
  }
  const askFor = async (count: number) => {
    for (let n = 0; n < count; n += 1) await askOnce()
  }
  return { askOnce, askFor, payAll: () => payAll(ctx, { countOpen, settle }) }
}

type Work = { readonly countOpen: () => Promise<number>; readonly settle: () => Promise<void> }

/** As many as nodes keep are under way at once; the rest follows as they are final. */
async function payAll(ctx: Context, { countOpen, settle }: Work) {
  const memory = newMemory()
  let [signing, mined] = [0, 0]
  const final = await secondsOf(async () => {
    while ((await countOpen()) > 0) {
      const signed = await secondsOf(() => signPending(ctx))
      const followed = await secondsOf(() => followSends(ctx, CHAIN, memory))
      signing += signed
      mined += signed + followed
      await settle()
      await followSends(ctx, CHAIN, memory)
    }
  })
  return { signing, mined, final }
}

/** Transfers that an account of the chain sends one after the other, each mined at once. */
async function sendPlain(anvil: AnvilChain, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await anvil.send({ to: checksumAddress(randomBytes(20)) as `0x${string}`, value: UNITS })
  }
}

/** Every decision of a project waits for the one before: so does an update of one row. */
async function deciding({ askOnce }: Shop, pool: Pool): Promise<Figure> {
  await pool.query('CREATE TABLE IF NOT EXISTS bench_row (id int PRIMARY KEY, n bigint NOT NULL)')
  await pool.query('INSERT INTO bench_row VALUES (1, 0) ON CONFLICT DO NOTHING')
  const decisions = await repeat({ clients: CLIENTS, forMs: DECIDING_MS }, askOnce)
  const updates = await repeat({ clients: CLIENTS, forMs: DECIDING_MS }, async () => {
    await pool.query('UPDATE bench_row SET n = n + 1 WHERE id = 1')
  })
  return {
    name: `payouts of one project decided, ${CLIENTS} clients`,
    value: decisions.perSecond,
    unit: '/s',
    limit: { name: 'updates of one row', value: updates.perSecond },
  }
}
