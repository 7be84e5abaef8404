import { alarmsRoutes } from '@kassa/contract/alarms/routes.ts'
import { customersRoutes } from '@kassa/contract/customers/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { asSystem, type Context } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { accountXpub, openShop, type Shop } from '../../testing/shop.ts'
import { authenticateFormerKeys } from './sources/authenticity.ts'
import { fillPool } from './pool.ts'

const THIEF = '0x00000000000000000000000000000000000000C1'
const CHOICE = { blockchain_code: 'ETH', currency_code: 'USDC' }

let app: TestApp
let root: string
let shop: Shop

beforeEach(async () => {
  app = await testApp()
  root = await app.signUp()
  shop = await openShop(app, root)
  await fillPool(asSystem(app.ctx), { walletId: 1, familyId: 1 })
})
afterEach(() => app.stop())

const run = (statement: ReturnType<typeof sql>) => statement.execute(app.ctx.db)
async function create(customerID: string): Promise<string> {
  const body = { customerID, customerEmail: 'payer@example.com', amountInUSD: '10' }
  return (await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body.reference_id
}
const choose = (ref: string) => app.call(paymentsRoutes.pinPayment, { params: { ref }, body: CHOICE })
const read = (ref: string) => app.call(paymentsRoutes.getPaymentByReference, { params: { ref } })
const addresses = (ref: string) => app.call(paymentsRoutes.listDepositAddresses, { params: { ref } })
const alarms = async () =>
  (await app.call(alarmsRoutes.listAlarms, {}, { key: root })).body.filter(({ kind }) => kind === 'address_forged')
const REFUSED = { status: 503, refusal: { code: 'SERVICE_UNAVAILABLE', message: 'No deposit address can be shown.' } }

/** The program as it is after a start: nothing is remembered, and former keys are authenticated. */
async function restarted(): Promise<Context> {
  app.ctx.memory.clear()
  await authenticateFormerKeys(asSystem(app.ctx))
  return asSystem(app.ctx)
}

describe('wallets: an address that was changed in the database', () => {
  it('is not assigned, and raises an alarm', async () => {
    await run(sql`UPDATE addresses SET address = ${THIEF} || id`)
    const ref = await create('c-1')
    expect(await choose(ref)).toMatchObject(REFUSED)
    await expect.poll(alarms).toMatchObject([{ subject: 'wallet 1' }])
    expect((await read(ref)).text).not.toContain(THIEF)
  })

  it.each(['address', 'key and address'])('is not shown or proved to who has it already: %s', async (what) => {
    const ref = await create('c-1')
    expect((await choose(ref)).status).toBe(200)
    expect((await addresses(ref)).status).toBe(200)
    await run(sql`UPDATE addresses SET address = ${THIEF} WHERE customer_id IS NOT NULL`)
    if (what !== 'address')
      await run(sql`UPDATE addresses SET key = decode(substr(${THIEF}, 3), 'hex') WHERE customer_id IS NOT NULL`)
    for (const answer of [await choose(ref), await read(ref), await addresses(ref)]) {
      expect(answer).toMatchObject(REFUSED)
      expect(answer.text).not.toContain(THIEF)
    }
    const page = await app.http.inject({ url: `/payments?reference_id=${ref}`, headers: { host: 'localhost' } })
    expect([page.statusCode, page.payload.includes(THIEF)]).toEqual([503, false])
    const again = await create('c-1')
    expect(await choose(again)).toMatchObject(REFUSED)
    await expect.poll(alarms).toHaveLength(1)
  })

  it('is not shown with its customer', async () => {
    expect((await choose(await create('c-1'))).status).toBe(200)
    const customer = () =>
      app.call(customersRoutes.getCustomer, { params: { p: shop.p, id: '1' } }, { key: shop.apiKey })
    expect((await customer()).body.addresses).toHaveLength(1)
    await run(sql`UPDATE addresses SET address = ${THIEF} WHERE customer_id IS NOT NULL`)
    expect(await customer()).toMatchObject(REFUSED)
    await expect.poll(alarms).toHaveLength(1)
  })

  it('is served again once it is what it was', async () => {
    const ref = await create('c-1')
    const before = (await choose(ref)).text
    await run(sql`UPDATE addresses SET address = upper(address) WHERE customer_id IS NOT NULL`)
    expect((await addresses(ref)).status).toBe(503)
    await run(sql`UPDATE addresses SET address = ${/0x\w{40}/.exec(before)?.[0] ?? ''} WHERE customer_id IS NOT NULL`)
    expect((await addresses(ref)).status).toBe(200)
  })
})

describe('wallets: a public key that was changed in the database', () => {
  it('is not added without its MAC, as a process of a former version would', async () => {
    const copy = sql`INSERT INTO wallet_xpubs (wallet_id, family_id, xpub, fingerprint, path)
      SELECT wallet_id, 2, xpub || 'x', fingerprint, path FROM wallet_xpubs`
    await expect(run(copy)).rejects.toThrow('stop the processes of the former version')
  })

  it('derives no address, at the pool and at the checkout', async () => {
    await run(sql`UPDATE wallet_xpubs SET xpub = ${accountXpub()}`)
    await run(sql`DELETE FROM addresses`)
    const ctx = await restarted()
    await expect(fillPool(ctx, { walletId: 1, familyId: 1 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await choose(await create('c-1'))).toMatchObject(REFUSED)
    await expect.poll(alarms).toHaveLength(1)
  })

  it('is not authenticated by taking its MAC away, nor by a MAC of another wallet', async () => {
    await run(sql`UPDATE wallet_xpubs SET xpub = ${accountXpub()}, mac = NULL`)
    await restarted()
    expect((await run(sql`SELECT 1 FROM wallet_xpubs WHERE mac IS NOT NULL`)).rows).toEqual([])
    expect(await choose(await create('c-1'))).toMatchObject(REFUSED)
  })

  it('is not authenticated when the note of the first time is taken away as well', async () => {
    await openShop(app, root, 'Second')
    await run(sql`UPDATE wallet_xpubs SET xpub = ${accountXpub()}, mac = NULL WHERE wallet_id = 1`)
    await run(sql`DELETE FROM address_authentication`)
    await restarted()
    expect(await choose(await create('c-1'))).toMatchObject(REFUSED)
  })
})

describe('wallets: keys of a former version', () => {
  it('are authenticated at the first start, once, also by two processes at once', async () => {
    await run(sql`UPDATE wallet_xpubs SET mac = NULL`)
    await run(sql`DELETE FROM address_authentication`)
    app.ctx.memory.clear()
    await Promise.all([1, 2].map(() => authenticateFormerKeys(asSystem(app.ctx))))
    expect((await choose(await create('c-1'))).status).toBe(200)
    expect((await run(sql`SELECT 1 FROM address_authentication`)).rows).toHaveLength(1)
    expect(await alarms()).toEqual([])
  })
})
