import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { sql } from 'kysely'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { type ApprovalShop, approvalShop } from '../../../testing/approvals.ts'
import { Killed, mortal } from '../../../testing/mortal.ts'
import { signPlanned } from '../../sweeps/signing/service.ts'

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

  it('brings gas once and approves once, wherever the process dies', { timeout: 240_000 }, async () => {
    await shop.addGas()
    const life = mortal(app.ctx)
    for (let killAt = 1; ; killAt += 3) {
      const one = await shop.deposit('USDT')
      const { body: batch } = await shop.ask('USDT', [one.id])
      const { batchID, signatures } = await shop.signBatch('USDT', { batchID: batch.batchID })
      await shop.post('USDT', batchID, signatures)
      Object.assign(life, { steps: 0, killAt })
      const ended = await shop.work(8, life.ctx).catch((error: unknown) => error)
      life.killAt = null
      if (ended !== undefined) expect(ended).toBeInstanceOf(Killed)
      shop.forget()
      await shop.work(8)
      expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'approved' })
      const { rows } = await sql<{ sends: number }>`
        SELECT count(*)::int AS sends FROM send_items WHERE permission_id IN (SELECT id FROM sweep_approvals WHERE address_id = ${one.id})`.execute(
        app.ctx.db,
      )
      expect(rows[0]?.sends).toBe(1)
      expect(await shop.broken()).toEqual([])
      if (ended === undefined || killAt > 40) break
    }
  })
})
