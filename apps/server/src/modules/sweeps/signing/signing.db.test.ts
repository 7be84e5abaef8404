import type { AnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { sql } from 'kysely'
import { numberToHex, parseGwei } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { TestApp } from '../../../testing/app.ts'
import { Killed, killable } from '../../../testing/crashes/killable-process.ts'
import { openSweepShop, type OpenSweepShop, type SweepShop } from '../../../testing/money-out/sweeps.ts'
import { addHotWallet, findHotWallet } from '../../wallets/hot/service.ts'
import { openAlarms } from '../../alarms/service.ts'
import { signPlanned } from './service.ts'

const DOLLARS = 1_000_000n

let opened: OpenSweepShop
let app: TestApp
let anvil: AnvilChain
let shop: SweepShop

beforeAll(async () => {
  opened = await openSweepShop()
  ;({ app, anvil, shop } = opened)
}, 120_000)
afterAll(() => opened.stop())
/** What a test leaves on addresses, the next one does not find. */
beforeEach(async () => {
  await shop.begin().catch(() => 0)
  await shop.run()
})

const sends = async () => {
  const { rows } = await sql<{ id: bigint; wallet_id: number; state: string; attempts: number }>`
    SELECT id, wallet_id, state, (SELECT count(*)::int FROM send_attempts WHERE send_id = sends.id) AS attempts
    FROM sends WHERE purpose = 'sweep' ORDER BY id`.execute(app.ctx.db)
  return rows
}

describe('sweeps.sign', () => {
  it('S-6 never at a loss: it waits while gas costs more than one percent of what moves, and pays when it falls', async () => {
    await shop.paid(500n * DOLLARS)
    const id = await shop.begin()
    const before = (await sends()).length
    await anvil.call('anvil_setNextBlockBaseFeePerGas', numberToHex(parseGwei('400')))
    await anvil.mine()
    expect(await shop.sign()).toBe(0)
    const waiting = await shop.read(id)
    expect(waiting).toMatchObject({ status: 'planned', waits: { code: 'GAS_TOO_HIGH' } })
    expect(waiting.lastSweepError).toMatchObject({ statusCode: 'GAS_TOO_HIGH', retryable: true })
    expect((await sends()).length).toBe(before)
    await anvil.call('anvil_setNextBlockBaseFeePerGas', numberToHex(parseGwei('1')))
    await anvil.mine()
    await sql`UPDATE sweeps SET due_at = now() - interval '1 second' WHERE id = ${id}`.execute(app.ctx.db)
    await shop.run()
    const { status, networkFeeInUSD, amountInUSD } = await shop.read(id)
    expect(status).toBe('completed')
    expect(Number(networkFeeInUSD)).toBeLessThanOrEqual(Number(amountInUSD) / 100)
  })

  it('X4 signs at once what a process planned whose clock was ahead', async () => {
    await shop.paid(500n * DOLLARS)
    const id = await shop.begin()
    await sql`UPDATE sweeps SET due_at = now() + interval '10 hours' WHERE id = ${id}`.execute(app.ctx.db)
    expect(await shop.sign()).toBe(1)
    await shop.run()
    expect((await shop.read(id)).status).toBe('completed')
  })

  it('signs the others while one cannot be stored, and that one afterwards', async () => {
    const ids: number[] = []
    for (let at = 0; at < 2; at += 1) {
      await shop.paid(500n * DOLLARS)
      ids.push(await shop.begin())
    }
    const [broken, other] = ids as [number, number]
    const onSweeps = (text: string) => sql`${sql.raw(text)}`.execute(app.ctx.db)
    await onSweeps(
      `CREATE TRIGGER broken BEFORE UPDATE ON sweeps FOR EACH ROW WHEN (OLD.id = ${broken}) EXECUTE FUNCTION refuse_change()`,
    )
    await expect(shop.sign()).rejects.toThrow('never changed')
    expect((await shop.read(other)).status).toBe('sweep-initiated')
    await onSweeps('DROP TRIGGER broken ON sweeps')
    await shop.run()
    expect((await shop.read(broken)).status).toBe('completed')
  })

  it('S-7 has a lane of its own: a waiting sweep delays no payout', async () => {
    await addHotWallet(shop.ctx, { family: 'ETH_Family', name: 'Payouts', generate: true, functions: ['payout'] })
    const payouts = await findHotWallet(shop.ctx, { blockchainId: 1, purpose: 'payout' })
    await shop.paid(500n * DOLLARS)
    await shop.begin()
    await shop.sign()
    const waiting = (await sends()).filter(({ state }) => state === 'initiated')
    expect(waiting.map(({ wallet_id }) => wallet_id)).toEqual([shop.hot.walletId])
    expect(payouts?.walletId).not.toBe(shop.hot.walletId)
  })

  it('S-8 leaves an address with quarantined money whole', async () => {
    const [clean, held] = [await shop.payee(), await shop.payee()]
    await shop.pay(held, 600n * DOLLARS)
    await shop.settle()
    for (const payee of [clean, held]) await shop.pay(payee, 300n * DOLLARS)
    await shop.reader.catchUp()
    await sql`
      UPDATE deposits SET quarantine_reason = 'NODE_DISAGREEMENT' WHERE address_id = ${held.id} AND status = 'seen'`.execute(
      app.ctx.db,
    )
    await shop.settle()
    const { body } = await shop.plan()
    expect(body.batches).toMatchObject([{ addressCount: 1, amount: '300' }])
    expect(body.skipped).toMatchObject([{ reason: { code: 'QUARANTINED' }, addressCount: 1, amount: '900' }])
    await shop.start(body.planID)
    await shop.run()
    expect(await shop.usdcOf(held.address)).toBe(900n * DOLLARS)
    expect(await shop.broken()).toEqual([])
  })

  it('S-9 asks about exactly this batch before it signs, and leaves out what would fail, with the reason', async () => {
    const [good, bad] = await shop.paid(400n * DOLLARS, 300n * DOLLARS)
    const id = await shop.begin()
    if (!good || !bad) throw new Error('Nobody paid')
    await shop.takeAway(bad, 300n * DOLLARS)
    await shop.run()
    const { status, addresses, sweptAmount, failedCount } = await shop.read(id)
    expect({ status, sweptAmount, failedCount }).toEqual({ status: 'completed', sweptAmount: '400', failedCount: 1 })
    expect(addresses.map(({ addressID, state, waits }) => [BigInt(addressID), state, waits?.code ?? null])).toEqual([
      [good.id, 'swept', null],
      [bad.id, 'failed', 'TOKEN_REFUSED'],
    ])
    // The chain never saw the address that was left out.
    expect(await shop.account('chain:deposit-addresses', `address:${bad.id}`)).toBe(300n * DOLLARS)
    expect(await shop.transit()).toBe(0n)
  })

  it('believes transfers alone: what fails inside a transaction that succeeds is where it was', async () => {
    const [good, bad] = await shop.paid(400n * DOLLARS, 300n * DOLLARS)
    if (!good || !bad) throw new Error('Nobody paid')
    // Their contracts exist from now on: nobody could send anything from an address where one is created later.
    await shop.begin()
    await shop.run()
    await shop.pay(good, 400n * DOLLARS)
    await shop.pay(bad, 300n * DOLLARS)
    await shop.settle()
    const id = await shop.begin()
    await shop.sign()
    // After the signature, before its block: the contract skips it (ItemFailed) and the transaction succeeds.
    await shop.takeAway(bad, 300n * DOLLARS)
    await shop.finish()
    expect(await shop.read(id)).toMatchObject({ status: 'completed', sweptAmount: '400', failedCount: 1 })
    expect(await shop.account('chain:deposit-addresses', `address:${bad.id}`)).toBe(300n * DOLLARS)
    expect(await shop.transit()).toBe(0n)
    expect((await openAlarms(app.ctx)).map(({ kind }) => kind)).toContain('sweep_failed')
  })

  it('sends once, wherever the process dies between plan and block', { timeout: 240_000 }, async () => {
    for (let killAt = 1; ; killAt += 1) {
      await shop.paid(200n * DOLLARS)
      const id = await shop.begin()
      const before = (await sends()).length
      const process = killable(shop.ctx)
      process.killAt = killAt
      const died = await signPlanned(process.ctx)
        .then(() => shop.follow(process.ctx))
        .then(
          () => false,
          (error: unknown) => {
            if (!(error instanceof Killed)) throw error
            return true
          },
        )
      await shop.run()
      expect((await shop.read(id)).status).toBe('completed')
      expect((await sends()).length).toBe(before + 1)
      expect(await shop.transit()).toBe(0n)
      if (!died) break
    }
    expect((await sends()).every(({ attempts }) => attempts === 1)).toBe(true)
  })

  it('waits for a hot wallet with enough in it, and names what is missing', async () => {
    await shop.paid(500n * DOLLARS)
    const id = await shop.begin()
    await anvil.call('anvil_setBalance', shop.hot.address, '0x1')
    await shop.sign()
    expect(await shop.read(id)).toMatchObject({
      status: 'planned',
      waits: { code: 'DEPOSIT_NOT_DEPLOYED_LOW_GAS', params: { address: shop.hot.address, currency: 'ETH' } },
    })
  })
})
