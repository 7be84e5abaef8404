import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { sql } from 'kysely'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem, type Context } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { type ApprovalShop, approvalShop, ASSETS } from '../../../testing/money-out/approvals.ts'
import { killAtEachStep } from '../../../testing/crashes/kill-at-each-step.ts'
import { getAsset } from '../../blockchains/chains/service.ts'
import { initiatePrepared, prepareSweep } from '../../sweeps/starting/service.ts'
import { signPlanned } from '../../sweeps/signing/service.ts'
import { listToCheck } from '../record/store.ts'
import { followPermissions } from './follow-permissions.ts'

/** Passes after which what was signed outside counts. */
const ROUNDS = 6
const KINDS = [
  ['USDT', { units: 400_000_000n, kind: 'approve', stride: 31 }],
  ['USDC', { units: 400_000_000n, kind: 'permit', stride: 31 }],
  ['ETH', { units: parseEther('0.2'), kind: 'authorization', stride: 31 }],
] as const

let app: TestApp
let anvil: AnvilChain
let shop: ApprovalShop

beforeAll(async () => {
  ;[app, anvil] = await Promise.all([testApp({ now: new Date() }), openAnvilChain()])
  shop = await approvalShop(app, anvil, await app.signUp())
}, 120_000)
afterAll(async () => {
  await anvil.stop()
  await app.stop()
})

describe('sweep-permissions, followed', () => {
  it(
    'lets the hot wallet execute each kind, and every unit ends in the cold wallet (K14)',
    { timeout: 120_000 },
    async () => {
      await shop.addGas()
      // Below what a second node must confirm.
      const much = 400_000_000n
      const [permitted, approved, delegated] = [
        await shop.deposit('USDC', much),
        await shop.deposit('USDT', much),
        await shop.deposit('ETH', parseEther('0.2')),
      ]
      const asked = [
        ['USDC', permitted],
        ['USDT', approved],
        ['ETH', delegated],
      ] as const
      for (const [currency, { id }] of asked) {
        if ((await shop.ready(currency, [id])).length > 0) continue
        const { body: batch, refusal } = await shop.ask(currency, [id])
        expect(refusal).toBeUndefined()
        const { batchID, signatures } = await shop.signBatch(currency, { batchID: batch.batchID })
        expect((await shop.post(currency, batchID, signatures)).body).toMatchObject({ accepted: 1, rejected: [] })
      }
      await shop.work(10)
      const before = [
        await shop.heldOf(shop.collector, 'USDC'),
        await shop.heldOf(shop.collector, 'USDT'),
        await shop.heldOf(shop.collector, 'ETH'),
      ]
      for (const [currency, { id }] of asked) {
        expect((await shop.ready(currency, [id]))[0]?.kind).toBe(
          { USDC: 'permit', USDT: 'approve', ETH: 'authorization' }[currency],
        )
        const { status, refusal } = await shop.initiate(currency, [id])
        expect(refusal).toBeUndefined()
        expect(status).toBe(201)
        await signPlanned(shop.ctx)
        await shop.work(5)
      }
      const after = [
        await shop.heldOf(shop.collector, 'USDC'),
        await shop.heldOf(shop.collector, 'USDT'),
        await shop.heldOf(shop.collector, 'ETH'),
      ]
      expect(after.map((units, at) => units - (before[at] ?? 0n))).toEqual([much, much, parseEther('0.2')])
      expect(await shop.broken()).toEqual([])
    },
  )

  it('keeps none of the others waiting where one fails', async () => {
    const ids = [(await shop.deposit('USDC')).id, (await shop.deposit('USDC')).id]
    for (const id of ids) {
      const { body } = await shop.ask('USDC', [id])
      const { batchID, signatures } = await shop.signBatch('USDC', { batchID: body.batchID })
      await shop.post('USDC', batchID, signatures)
    }
    const { db } = app.ctx
    await sql`UPDATE sweep_permissions SET state = 'signed', approved_at = NULL WHERE address_id = ANY(${ids}::bigint[])`.execute(
      db,
    )
    await sql`CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'planted'; END $$`.execute(
      db,
    )
    await sql`
      CREATE TRIGGER planted BEFORE UPDATE ON sweep_permissions FOR EACH ROW
      WHEN (OLD.address_id = ${sql.lit(ids[0])}) EXECUTE FUNCTION planted()`.execute(db)
    await expect(
      followPermissions(asSystem(app.ctx), { broadcastAt: new Map(), followedTo: new Map() }),
    ).rejects.toThrow('planted')
    expect(await Promise.all(ids.map(shop.permissionOf))).toMatchObject([{ state: 'signed' }, { state: 'approved' }])
    await sql`DROP FUNCTION planted CASCADE`.execute(db)
    await shop.work(1)
    expect((await shop.permissionOf(ids[0] ?? 0))?.state).toBe('approved')
  })

  it('checks again what a clock ahead checked last, before all that is due besides', async () => {
    const [{ id }, other] = [await shop.deposit('USDC'), await shop.deposit('USDC')]
    const { body } = await shop.ask('USDC', [id, other.id])
    const { batchID, signatures } = await shop.signBatch('USDC', { batchID: body.batchID })
    await shop.post('USDC', batchID, signatures)
    const { db } = app.ctx
    const after = (ms: number) => new Date(app.clock.now.getTime() + ms)
    for (const [one, checkedAt] of [
      [id, after(7_200_000)],
      [other.id, after(-7_200_000)],
    ] as const) {
      await sql`UPDATE sweep_permissions SET state = 'approved', checked_at = ${checkedAt} WHERE address_id = ${one}`.execute(
        db,
      )
    }
    const [first] = await listToCheck(asSystem(app.ctx), 1, { checkedBefore: after(-600_000), limit: 1 })
    expect(Number(first?.address_id)).toBe(id)
    await followPermissions(asSystem(app.ctx), { broadcastAt: new Map(), followedTo: new Map() })
    const { rows } = await sql<{
      at: Date
    }>`SELECT checked_at AS at FROM sweep_permissions WHERE address_id = ${id}`.execute(db)
    expect(rows).toEqual([{ at: app.clock.now }])
  })

  it('comes to those behind hundreds that nothing decides', async () => {
    const [old, newer] = [await shop.deposit('USDC'), await shop.deposit('USDC')]
    const sign = async (id: number) => {
      const { body } = await shop.ask('USDC', [id])
      const { batchID, signatures } = await shop.signBatch('USDC', { batchID: body.batchID })
      await shop.post('USDC', batchID, signatures)
    }
    await sign(old.id)
    const { db } = app.ctx
    const { rows } = await sql`
      INSERT INTO sweep_permissions OVERRIDING USER VALUE
      SELECT (copy).* FROM (
        SELECT jsonb_populate_record(one, jsonb_build_object('kind', 'transfer_tx', 'state', 'broadcast', 'approval_id', NULL,
          'digest', '\\x' || encode(sha256(n::text::bytea), 'hex'), 'tx_id', 'undecided ' || n, 'raw', '\\x00',
          'body', '{}'::jsonb, 'sequence', 1000000 + n, 'max_fee', 1, 'planned_height', 0)) AS copy
        FROM sweep_permissions AS one, generate_series(1, 200) AS n WHERE one.address_id = ${old.id}
      ) AS copies RETURNING id`.execute(db)
    expect(rows).toHaveLength(200)
    await sign(newer.id)
    await sql`
      UPDATE sweep_permissions SET state = 'signed', approved_at = NULL WHERE address_id = ${newer.id}`.execute(db)
    const memory = { broadcastAt: new Map(), followedTo: new Map() }
    for (let pass = 0; pass < 2; pass += 1) await followPermissions(asSystem(app.ctx), memory)
    expect((await shop.permissionOf(newer.id))?.state).toBe('approved')
    await sql`DELETE FROM sweep_permissions WHERE tx_id LIKE 'undecided %'`.execute(db)
  })

  it.each(KINDS)(
    'brings gas once, approves %s once and moves it once, wherever the process dies',
    { timeout: 3_600_000 },
    async (currency, { units, kind, stride }) => {
      await shop.addGas()
      let one = { id: 0 }
      let heldBefore = 0n
      await killAtEachStep({
        ctx: app.ctx,
        stride,
        prepare: async () => {
          shop.forget()
          one = await shop.deposit(currency, units)
          heldBefore = await shop.heldOf(shop.collector, currency)
          // An address may still be delegated from before, where delegations are made ahead.
          const { body: batch } = await shop.ask(currency, [one.id])
          const { batchID, signatures } = await shop.signBatch(currency, { batchID: batch.batchID })
          await shop.post(currency, batchID, signatures)
        },
        work: (ctx) => bringHome(currency, one.id, ctx),
        resume: async (wasKilled) => {
          shop.forget()
          await shop.reader.lead()
          if (wasKilled) await bringHome(currency, one.id, app.ctx)
          await shop.reader.lead()
          expect((await shop.heldOf(shop.collector, currency)) - heldBefore).toBe(units)
          const { rows } = await sql`
            SELECT permission.kind, sweep.status, (SELECT count(*)::int FROM send_items WHERE permission_id IN
                (SELECT id FROM sweep_approvals WHERE address_id = ${one.id})) AS "topUps",
              (SELECT count(*)::int FROM send_items WHERE sweep_id = sweep.id) AS sends
            FROM sweep_items AS item JOIN sweeps AS sweep ON sweep.id = item.sweep_id
            JOIN sweep_permissions AS permission ON permission.address_id = item.address_id
            WHERE item.address_id = ${one.id}`.execute(app.ctx.db)
          const topUps = kind === 'approve' ? 1 : 0
          expect(rows).toEqual([expect.objectContaining({ status: 'completed', topUps, sends: 1 })])
          expect(await shop.broken()).toEqual([])
        },
      })
    },
  )
})

/** From what was signed outside to the cold wallet: permission, sweep, blocks. */
async function bringHome(currency: 'USDC' | 'USDT' | 'ETH', id: number, ctx: Context): Promise<void> {
  await shop.work(ROUNDS, ctx)
  const asset = await getAsset(asSystem(ctx), ASSETS[currency])
  const wanted = { asset, addressIds: [id], contractAddressId: null }
  const prepared = await prepareSweep(asSystem(ctx), wanted).catch(ignoreTaken)
  if (prepared) await initiatePrepared(asSystem(ctx), asset, prepared, { execute: true }).catch(ignoreTaken)
  await signPlanned(asSystem(ctx))
  await shop.work(3, ctx)
}

/** The process before this one has done it. */
function ignoreTaken(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}
