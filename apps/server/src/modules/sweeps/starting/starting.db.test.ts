import type { AnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { approvedSweepsRoutes } from '@kassa/contract/sweeps/approval-routes.ts'
import { sweepsRoutes } from '@kassa/contract/sweeps/routes.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { eth } from '@kassa/primitives/chains/definitions/eth.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Hex, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import type { TestApp } from '../../../testing/app.ts'
import { openSweepShop, type OpenSweepShop, type Payee, type SweepShop } from '../../../testing/money-out/sweeps.ts'
import { callVault } from '../../../testing/vaults.ts'
import { followOwnWallets } from '../following/service.ts'
import { abandonSweepsJob } from '../jobs.ts'
import { recordReport } from './service.ts'

const DOLLARS = 1_000_000n

/** How long one waits for another transaction on a machine with much to do. */
const BUSY = { timeout: 30_000, interval: 20 }

let opened: OpenSweepShop
let app: TestApp
let anvil: AnvilChain
let shop: SweepShop
/** The wallet of an operator, which signs what it is handed. */
const operator = checksumAddress(randomBytes(20)) as Hex

beforeAll(async () => {
  opened = await openSweepShop()
  ;({ app, anvil, shop } = opened)
  await anvil.call('anvil_setBalance', operator, numberToHex(parseEther('10')))
}, 120_000)
afterAll(() => opened.stop())
beforeEach(async () => {
  await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
})

const byHand = { b: 'ETH', c: 'USDC' }
const initiate = (payees: readonly Payee[], execute = false) =>
  app.call(
    approvedSweepsRoutes.initiateSweep,
    { params: byHand, body: { addressIDs: payees.map(({ id }) => Number(id)), execute } },
    { key: shop.key },
  )
const cancel = (sweepID: number) =>
  app.call(approvedSweepsRoutes.cancelSweep, { params: byHand, body: { sweepID } }, { key: shop.key })
const report = (sweepID: number, txHash: string) =>
  app.call(sweepsRoutes.recordSweepTransaction, { params: { b: 'ETH' }, body: { sweepID, txHash } }, { key: shop.key })
const send = ({ to, data }: { to: string; data: string }) =>
  anvil.send({ from: operator, to: to as Hex, data: data as Hex, gas: 3_000_000n })
const follow = async () => {
  await shop.settle()
  await followOwnWallets(shop.ctx)
  await shop.settle()
}

describe('sweeps.start', () => {
  it('carries a plan out once, also when several operators start it at the same time', async () => {
    await shop.paid(300n * DOLLARS, 200n * DOLLARS)
    const { planID } = (await shop.plan()).body
    const answers = await Promise.all(Array.from({ length: 100 }, () => shop.start(planID)))
    const codes = answers.map(({ status, refusal }) => (status === 201 ? 'started' : refusal?.code))
    expect(codes.filter((code) => code === 'started')).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set(['started', 'SWEEP_PLAN_EXPIRED']))
    const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM sweeps`.execute(app.ctx.db)
    expect(rows[0]?.n).toBe(1)
    await shop.run()
  })

  it('refuses a plan that is too old, ends nowhere, or whose addresses another one has taken', async () => {
    await shop.paid(300n * DOLLARS)
    const [old, first, second] = [await shop.plan(), await shop.plan(), await shop.plan()]
    await sql`UPDATE sweep_plans SET expires_at = now() - interval '1 second' WHERE id::text = ${old.body.planID}`.execute(
      app.ctx.db,
    )
    expect((await shop.start(old.body.planID)).refusal?.code).toBe('SWEEP_PLAN_EXPIRED')
    expect((await shop.start('nonsense')).refusal?.code).toBe('SWEEP_PLAN_EXPIRED')
    const wait = (days: number) =>
      sql`UPDATE cold_addresses SET usable_at = usable_at + make_interval(days => ${days})`.execute(app.ctx.db)
    await wait(1_000)
    expect((await shop.start(first.body.planID)).refusal?.code).toBe('COLD_WALLET_MISSING')
    await wait(-1_000)
    const started = await shop.start(first.body.planID)
    expect(started.status).toBe(201)
    expect((await shop.start(second.body.planID)).refusal?.code).toBe('ADDRESS_LOCKED')
    await shop.run()
    const params = { id: started.body.sweeps[0]?.id ?? 0 }
    const again = await app.call(sweepsRoutes.retrySweep, { params, body: {} }, { key: shop.key })
    expect(again.refusal?.code).toBe('SWEEP_NOT_FAILED')
  })

  it('refuses what the hot wallet cannot pay for, and to start without one', async () => {
    await shop.paid(300n * DOLLARS)
    const { planID } = (await shop.plan()).body
    await sql`UPDATE sweep_plans SET batches = jsonb_set(batches, '{0,maxFee}', '"9000000000000000000"')
      WHERE id::text = ${planID}`.execute(app.ctx.db)
    expect((await shop.start(planID)).refusal).toMatchObject({ code: 'INSUFFICIENT_GAS' })
    await sql`UPDATE wallets SET status = 'inactive' WHERE id = ${shop.hot.walletId}`.execute(app.ctx.db)
    expect((await shop.start(planID)).refusal?.code).toBe('HOT_WALLET_MISSING')
    const without = (await shop.plan()).body
    expect([without.batches, without.skipped]).toMatchObject([[], [{ reason: { code: 'HOT_WALLET_MISSING' } }]])
    await sql`UPDATE wallets SET status = 'active' WHERE id = ${shop.hot.walletId}`.execute(app.ctx.db)
    await shop.begin()
    await shop.run()
  })
})

describe('sweeps of chosen addresses', () => {
  it('hands a transaction to the wallet of an operator, and settles what it proves', async () => {
    const payees = await shop.paid(300n * DOLLARS, 200n * DOLLARS)
    const { body, status } = await initiate(payees)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      fundCollector: shop.collector,
      transaction: { to: shop.vault, chainId: 31_337, value: '0' },
    })
    expect(body.sweep).toMatchObject({
      status: 'sweep-initiated',
      sentBy: 'own-wallet',
      waits: { code: 'WAITS_FOR_TRANSACTION' },
    })
    expect(await shop.transit()).toBe(500n * DOLLARS)
    const txHash = await send(body.transaction)
    const recorded = await report(body.sweepID, txHash)
    expect([recorded.status, recorded.body.sweep.status]).toEqual([201, 'broadcast'])
    expect((await report(body.sweepID, txHash)).status).toBe(201)
    await follow()
    expect(await shop.read(body.sweepID)).toMatchObject({ status: 'completed', sweptAmount: '500', networkFee: null })
    expect(await shop.broken()).toEqual([])
  })

  it('records a transaction while the reader applies its block', async () => {
    const { db } = app.ctx
    const payees = await shop.paid(450n * DOLLARS)
    const { body } = await initiate(payees)
    const txHash = await send(body.transaction)
    // The reader stands between judging what moved and storing it for as long as this lock is held.
    await sql`
      CREATE FUNCTION hold_movement() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(4242); RETURN NEW; END $$`.execute(db)
    await sql`
      CREATE TRIGGER hold_movement BEFORE INSERT ON movements FOR EACH ROW EXECUTE FUNCTION hold_movement()`.execute(db)
    const waiting = async () => {
      const { rows } = await sql<{ n: number }>`
        SELECT count(*)::int AS n FROM pg_locks
        WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(db)
      return rows[0]?.n
    }
    const both = await db.transaction().execute(async (holder) => {
      await sql`SELECT pg_advisory_xact_lock(4242)`.execute(holder)
      const reading = shop.settle()
      await vi.waitFor(async () => expect(await waiting()).toBe(1), BUSY)
      let isReported = false
      const reporting = report(body.sweepID, txHash).finally(() => {
        isReported = true
      })
      await vi.waitFor(async () => expect(isReported || (await waiting()) === 2).toBe(true), BUSY)
      return [reporting, reading] as const
    })
    expect((await Promise.all(both))[0].status).toBe(201)
    await sql`DROP FUNCTION hold_movement CASCADE`.execute(db)
    await follow()
    expect(await shop.read(body.sweepID)).toMatchObject({ status: 'completed', sweptAmount: '450', sweptCount: 1 })
    expect(await shop.broken()).toEqual([])
  })

  it('refuses a transaction that does something else, or is of another sweep', async () => {
    const [one, other] = await shop.paid(300n * DOLLARS, 200n * DOLLARS)
    if (!one || !other) throw new Error('Nobody paid')
    const first = (await initiate([one])).body
    const second = (await initiate([other])).body
    const plain = await anvil.send({ from: operator, to: shop.vault, value: 0n, data: '0x12345678', gas: 100_000n })
    expect((await report(first.sweepID, plain)).refusal?.code).toBe('SWEEP_TX_MISMATCH')
    const txHash = await send(second.transaction)
    expect((await report(first.sweepID, txHash)).refusal?.code).toBe('SWEEP_TX_MISMATCH')
    expect((await report(second.sweepID, txHash)).status).toBe(201)
    expect((await report(first.sweepID, txHash)).refusal?.code).toBe('TRANSACTION_USED')
    expect((await report(first.sweepID, 'nonsense')).refusal?.code).toBe('TRANSACTION_INVALID')
    expect((await report(999_999, txHash)).refusal?.code).toBe('SWEEP_NOT_FOUND')
    await cancel(first.sweepID)
    await follow()
    expect((await report(second.sweepID, `0x${'ab'.repeat(32)}`)).refusal?.code).toBe('SWEEP_NOT_INITIATED')
  })

  it('takes a hash that no node knows as a hint, and forgets it when it is of something else', async () => {
    const payees = await shop.paid(400n * DOLLARS)
    const { body } = await initiate(payees)
    expect((await report(body.sweepID, `0x${'cd'.repeat(32)}`)).body.sweep).toMatchObject({ status: 'sweep-initiated' })
    expect((await cancel(body.sweepID)).refusal?.code).toBe('SWEEP_TX_RECORDED')
    await sql`UPDATE sweeps SET expires_at = now() - interval '1 second' WHERE id = ${body.sweepID}`.execute(app.ctx.db)
    await followOwnWallets(shop.ctx)
    const { status, errors } = await shop.read(body.sweepID)
    expect([status, errors[0]?.statusCode]).toEqual(['sweep-cancelled', 'TRANSACTION_NOT_SEEN'])
    expect(await shop.transit()).toBe(0n)
  })

  it('keeps reading when a hash that no node knew is the sweep of a stranger', async () => {
    const [one, other] = await shop.paid(310n * DOLLARS, 210n * DOLLARS)
    if (!one || !other) throw new Error('Nobody paid')
    const { body } = await initiate([one])
    const items = [{ id: BigInt(other.salt), units: 210n * DOLLARS }]
    const call = { kind: 'sweepToken', token: SANDBOX_TOKENS.usdc, items } as const
    const txId = await callVault(anvil, anvil.payer, shop.vault, call)
    const said = { blockchain: 'ETH', sweepId: body.sweepID, addressIds: null, txHash: txId }
    await recordReport(shop.ctx, said, { txId, blockchainId: eth.id, sent: null })
    await shop.settle()
    await shop.settle()
    const { rows } = await sql<{ status: string }>`
      SELECT status FROM sweeps WHERE tx_id = ${txId} AND sent_by = 'stranger'`.execute(app.ctx.db)
    expect(rows).toEqual([{ status: 'completed' }])
    await followOwnWallets(shop.ctx)
    expect((await shop.read(body.sweepID)).errors[0]?.statusCode).toBe('TRANSACTION_MISMATCH')
    await send(body.transaction)
    await follow()
    expect(await shop.read(body.sweepID)).toMatchObject({ status: 'completed', sweptAmount: '310' })
    expect(await shop.broken()).toEqual([])
  })

  it('cancels while nothing is recorded; what the chain shows later still wins', async () => {
    const payees = await shop.paid(600n * DOLLARS)
    const { body } = await initiate(payees)
    expect((await initiate(payees)).refusal?.code).toBe('SWEEP_BELOW_MINIMUM')
    expect((await cancel(body.sweepID)).body.sweep.status).toBe('sweep-cancelled')
    expect(await shop.transit()).toBe(0n)
    // Their wallet sends it all the same, and nobody says so.
    await send(body.transaction)
    await shop.settle()
    await follow()
    expect(await shop.read(body.sweepID)).toMatchObject({ status: 'completed', sweptAmount: '600' })
    expect(await shop.broken()).toEqual([])
  })

  it('releases an address of a newer sweep when the older one moved it after all', async () => {
    const payees = await shop.paid(700n * DOLLARS)
    const older = (await initiate(payees)).body
    await cancel(older.sweepID)
    const newer = (await initiate(payees)).body
    await sql`UPDATE sweeps SET created_at = created_at - interval '1 hour' WHERE id = ${older.sweepID}`.execute(
      app.ctx.db,
    )
    const txHash = await send(older.transaction)
    expect((await report(older.sweepID, txHash)).status).toBe(201)
    await follow()
    expect((await shop.read(older.sweepID)).status).toBe('completed')
    expect((await shop.read(newer.sweepID)).addresses).toMatchObject([{ state: 'released' }])
    expect(await shop.broken()).toEqual([])
  })

  it('refuses other networks, more than a batch, and addresses with nothing', async () => {
    const payees = await shop.paid(1n * DOLLARS, 2n * DOLLARS, 3n * DOLLARS, 4n * DOLLARS)
    expect((await initiate(payees)).refusal?.code).toBe('VALIDATION_FAILED')
    expect((await initiate([await shop.payee()])).refusal?.code).toBe('SWEEP_BELOW_MINIMUM')
    const base = await app.call(
      approvedSweepsRoutes.initiateSweep,
      { params: { b: 'BASE', c: 'USDC' }, body: { addressIDs: [1] } },
      { key: shop.key },
    )
    expect(base.refusal?.code).toBe('SWEEP_NETWORK_UNSUPPORTED')
  })
})

it('follows and gives up the others where one sweep fails', async () => {
  const [one, other] = await shop.paid(300n * DOLLARS, 200n * DOLLARS)
  if (!one || !other) throw new Error('Nobody paid')
  const handed = [(await initiate([one])).body, (await initiate([other])).body] as const
  const planned = await shop.paid(300n * DOLLARS, 200n * DOLLARS)
  for (const payee of planned) await initiate([payee], true)
  const late = sql`UPDATE sweeps SET expires_at = ${new Date(0)} WHERE status IN ('planned', 'sweep-initiated')`
  await late.execute(app.ctx.db)
  await sql`CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'planted'; END $$`.execute(
    app.ctx.db,
  )
  await sql`
    CREATE TRIGGER planted BEFORE UPDATE ON sweeps FOR EACH ROW
    WHEN (OLD.id IN (${sql.lit(handed[0].sweepID)}, ${sql.lit(handed[1].sweepID + 1)})) EXECUTE FUNCTION planted()`.execute(
    app.ctx.db,
  )
  await expect(followOwnWallets(shop.ctx)).rejects.toThrow('planted')
  await expect(abandonSweepsJob.run(shop.ctx, {})).rejects.toThrow('planted')
  const { rows } = await sql<{ id: bigint; status: string }>`
    SELECT id, status FROM sweeps WHERE id >= ${handed[0].sweepID} ORDER BY id`.execute(app.ctx.db)
  expect(rows.map(({ status }) => status)).toEqual(['sweep-initiated', 'sweep-cancelled', 'planned', 'sweep-cancelled'])
  await sql`DROP FUNCTION planted CASCADE`.execute(app.ctx.db)
  await followOwnWallets(shop.ctx)
  await abandonSweepsJob.run(shop.ctx, {})
  expect(await shop.broken()).toEqual([])
})
