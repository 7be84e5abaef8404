import { alarmsRoutes } from '@kassa/contract/alarms/routes.ts'
import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { solana } from '@kassa/primitives/chains/definitions/solana.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { checkLedger } from '../modules/reconciliation/service.ts'
import { solanaList } from '../testing/address-lists.ts'
import type { TestApp } from '../testing/app.ts'
import { type SandboxApp, sandboxApp } from '../testing/sandbox-app.ts'
import { openShop, type Shop } from '../testing/shop.ts'

let sandbox: SandboxApp
let app: TestApp
let key: string
let shop: Shop

beforeAll(async () => {
  sandbox = await sandboxApp({ sandboxChains: [solana.id] })
  ;({ app, key } = sandbox)
  shop = await openShop(app, key)
})
afterAll(() => sandbox.stop())

const running = async () => (await app.call(sandboxRoutes.getSandbox, {}, { key })).body.chains.map(({ code }) => code)
const stateOf = async (ref: string) => (await app.call(paymentsRoutes.getPaymentByReference, { params: { ref } })).body
const pay = (ref: string, currencyCode: string, payCase?: 'wrong_token') =>
  app.call(
    sandboxRoutes.payAsCustomer,
    { params: { ref }, body: { blockchainCode: 'SOLANA', currencyCode, ...(payCase && { case: payCase }) } },
    { key },
  )
const newPayment = async (customerID: string, amountInUSD = '20') => {
  const body = { customerID, customerEmail: `${customerID}@x.example`, amountInUSD }
  return (await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body.reference_id
}
const filled = (ref: string) =>
  vi.waitFor(async () => expect(await stateOf(ref)).toMatchObject({ paymentState: 'FILLED' }), {
    timeout: 40_000,
    interval: 300,
  })
const addWallet = (list = solanaList('shop')) =>
  app.call(
    walletsRoutes.addDepositWallet,
    { body: { name: 'Solana', projectID: shop.projectId, xpubs: [], lists: [list] } },
    { key },
  )
/** The books hold what the chain does: the coins of one address and the token of another. */
const expectNoDrift = async () => {
  const { drift } = await checkLedger(app.ctx, [])
  const here = drift.filter(({ asset }) => asset.blockchainCode === 'SOLANA')
  expect(here.filter(({ chain }) => chain > 0n)).toHaveLength(2)
  expect(here.every(({ ledger, chain }) => ledger === chain)).toBe(true)
}
const lowAlarms = async () =>
  (await app.call(alarmsRoutes.listAlarms, {}, { key })).body.filter(({ kind }) => kind === 'addresses_low')

describe('the sandbox’s Solana', () => {
  it('takes no list with an address that is foreign, doubled or not proven', async () => {
    const { family, addresses } = solanaList('refused')
    const [first] = addresses
    if (!first) throw new Error('The list is empty')
    const others = solanaList('other').addresses
    for (const bad of [
      [...addresses, { ...first, index: 9 }],
      [{ ...first, address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }],
      [{ ...first, signature: others[0]?.signature ?? '' }],
      [{ ...first, index: 1 }],
    ]) {
      expect((await addWallet({ family, addresses: bad })).refusal?.code).toBe('ADDRESS_INVALID')
    }
    expect((await addWallet({ family: 'ETH_Family', addresses })).refusal?.code).toBe('FAMILY_UNSUPPORTED')
  })

  it('takes payments in SOL and in USDC on addresses of a list, and the ledger has what the chain has', async () => {
    const added = await addWallet()
    expect(added.refusal).toBeUndefined()
    expect(added.body).toMatchObject({ family: 'SOL_Family', poolSize: 3, secretType: 'none' })
    expect((await addWallet()).refusal?.code).toBe('ADDRESS_IS_OURS')
    expect(await lowAlarms()).toHaveLength(1)
    await vi.waitFor(async () => expect(await running()).toContain('SOLANA'), 20_000)
    await app.start('watcher')
    const coins = await newPayment('c1')
    await vi.waitFor(async () => expect((await pay(coins, 'SOL')).refusal).toBeUndefined(), 20_000)
    const tokens = await newPayment('c2')
    const paid = await pay(tokens, 'USDC')
    expect(paid.refusal).toBeUndefined()
    await filled(coins)
    await filled(tokens)
    expect((await stateOf(coins)).depositAddress).toBe(solanaList('shop').addresses[0]?.address)
    const { rows } = await sql<{ kind: string; evidence: string; tx_id: string }>`
      SELECT kind, evidence, tx_id FROM deposits ORDER BY asset_id`.execute(app.ctx.db)
    expect(rows.map(({ kind, evidence }) => [kind, evidence])).toEqual([
      ['delta', 'delta'],
      ['delta', 'delta'],
    ])
    await expectNoDrift()
    const page = async (path: string) => (await app.http.inject({ method: 'GET', url: `/sandbox/SOLANA/${path}` })).body
    expect(await page(`tx/${rows[1]?.tx_id}`)).toContain('20 USDC')
    expect(await page(`address/${solanaList('shop').addresses[1]?.address}`)).toContain('<dt>USDC</dt><dd>20</dd>')
    expect(await page('address/T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb')).toContain('nothing at this')
  })

  it('goes on when blocks are taken back, and credits no look-alike', async () => {
    const ref = await newPayment('c3')
    expect((await pay(ref, 'USDC')).refusal).toBeUndefined()
    const back = { params: { b: 'SOLANA' }, body: { depth: 1 } }
    expect((await app.call(sandboxRoutes.reorganise, back, { key })).refusal).toBeUndefined()
    await filled(ref)
    const other = await newPayment('c3', '21')
    expect((await pay(other, 'USDC', 'wrong_token')).refusal).toBeUndefined()
    const last = await newPayment('c3', '22')
    expect((await pay(last, 'SOL')).refusal).toBeUndefined()
    await filled(last)
    const { rows } = await sql<{ n: string }>`
      SELECT count(*) AS n FROM deposits WHERE status <> 'reverted'`.execute(app.ctx.db)
    expect(Number(rows[0]?.n)).toBe(4)
  })

  it('offers the network no more when the list is used up, until it has grown', async () => {
    const ref = await newPayment('c4')
    const offered = async () =>
      (await app.call(paymentsRoutes.listPaymentOptions, { params: { ref } })).body.map((one) => one.blockchainCode)
    expect(await offered()).not.toContain('SOLANA')
    const obstacles = async () => {
      const { chains } = (
        await app.call(paymentsRoutes.getReadiness, { params: { p: String(shop.projectId) } }, { key })
      ).body
      return chains.find(({ blockchainCode }) => blockchainCode === 'SOLANA')?.reasons.map(({ kind }) => kind)
    }
    expect(await obstacles()).toEqual(['no_addresses'])
    const pin = { params: { ref }, body: { blockchain_code: 'SOLANA', currency_code: 'SOL' } }
    expect((await app.call(paymentsRoutes.pinPayment, pin)).refusal).toMatchObject({
      code: 'NO_DEPOSIT_ADDRESS',
      details: expect.stringContaining('Add addresses'),
    })
    const wallets = (await app.call(walletsRoutes.listWallets, {}, { key })).body
    const id = wallets.find(({ family }) => family === 'SOL_Family')?.id ?? 0
    const grow = (first: number, count: number) =>
      app.call(
        walletsRoutes.addListedAddresses,
        { params: { id }, body: solanaList('shop', { first, count }) },
        { key },
      )
    const others = solanaList('others', { first: 3 })
    const refusalOf = async (walletId: number, body = others) =>
      (await app.call(walletsRoutes.addListedAddresses, { params: { id: walletId }, body }, { key })).refusal?.code
    expect(await refusalOf(9999)).toBe('WALLET_NOT_FOUND')
    expect(await refusalOf(id, { ...others, family: 'ETH_Family' })).toBe('FAMILY_UNSUPPORTED')
    const ofKeys = wallets.find(({ family }) => family === 'ETH_Family')?.id ?? 0
    expect(await refusalOf(ofKeys)).toBe('FAMILY_MISMATCH')
    const again = solanaList('shop').addresses[0]
    if (again) expect(await refusalOf(id, { ...others, addresses: [again] })).toBe('ADDRESS_INVALID')
    expect((await grow(1, 3)).refusal?.code).toBe('ADDRESS_INVALID')
    expect((await grow(3, 201)).body.poolSize).toBe(201)
    expect(await offered()).toContain('SOLANA')
    expect(await lowAlarms()).toEqual([])
  })

  it('refuses to show an address that was changed past the program', async () => {
    await sql`UPDATE addresses SET address = ${solanaList('thief').addresses[0]?.address} WHERE derivation_index = 3
      AND family_id = 4`.execute(app.ctx.db)
    expect((await pay(await newPayment('c5'), 'USDC')).refusal?.code).toBe('SERVICE_UNAVAILABLE')
  })

  it('stops when it is switched off', async () => {
    const off = { params: { x: 'SOLANA' }, body: { status: 'inactive' } } as const
    expect((await app.call(blockchainChangesRoutes.changeBlockchain, off, { key })).status).toBe(200)
    await vi.waitFor(async () => expect(await running()).not.toContain('SOLANA'), 20_000)
  })
})
