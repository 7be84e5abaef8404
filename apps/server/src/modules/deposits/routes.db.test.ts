import { depositsRoutes } from '@kassa/contract/deposits/routes.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { type FakeChain, fakeChain } from '../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { ASSET, dollars, openCashier, type Pinned } from '../../testing/cashier.ts'

const START = new Date('2026-01-31T09:30:00.000Z')
const HOUR = 3_600_000

let app: TestApp
let shop: Shop
let other: Shop
let eth: FakeChain
let paid: Pinned
let late: Pinned
let lateTx: string
let operator: string

/**
 * One deposit that counts, one that arrived a day too late, one of another currency, one that is not final; one of
 * another shop.
 */
beforeAll(async () => {
  app = await testApp({ now: START })
  const root = await app.signUp()
  shop = await openShop(app, root)
  other = await openShop(app, root, 'Other')
  const cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
  const usdc = (to: string, amount: number) => ({ to, assetId: ASSET.USDC_ON_ETH, units: dollars(amount) })
  const foreign = await openCashier(app, other).newPayment()
  late = await cashier.newPayment()
  cashier.pass(25 * HOUR)
  await cashier.expire()
  ;[lateTx = ''] = await eth.mine([usdc(late.to, 30), usdc(foreign.to, 7)])
  cashier.pass(HOUR)
  paid = await cashier.newPayment()
  await eth.mine([usdc(paid.to, 100)])
  await eth.mine()
  cashier.pass(HOUR)
  const open = await cashier.newPayment()
  await eth.mine([{ ...usdc(open.to, 5), assetId: ASSET.USDT_ON_ETH }, usdc(open.to, 50)])
  operator = (await addOperator(app, { role: 'project_lead', projectId: shop.projectId })).key
})
afterAll(async () => {
  await app.stop()
})

type Query = RouteCall<typeof depositsRoutes.listDeposits>['query']
const list = (query: Query = {}, key = shop.apiKey) => app.call(depositsRoutes.listDeposits, { query }, { key })
const amounts = async (query: Query, key?: string) => (await list(query, key)).body.data.map(({ amount }) => amount)

describe('deposits.list (Y24)', () => {
  it('lists the transfers of the key’s project, newest first, as they are', async () => {
    const { body } = await list()
    expect(body).toMatchObject({ total: 4, offset: 0, nextCursor: null })
    expect(body.data.map(({ amount, status, reason }) => [amount, status, reason])).toEqual([
      ['50', 'seen', null],
      ['5', 'seen', 'wrong_asset'],
      ['100', 'applied', null],
      ['30', 'unapplied', 'late'],
    ])
    expect(body.data[2]).toMatchObject({
      blockchainCode: 'ETH',
      currencyCode: 'USDC',
      toAddress: paid.to,
      amountInUSD: '100.00',
      confirmations: 2,
      confirmationRequired: 2,
      waitsBecause: null,
      referenceID: paid.ref,
      externalPlatformID: shop.projectId,
    })
  })

  it.each([
    ['state', { status: ['unapplied', 'applied'] }, ['100', '30']],
    ['a state that was one', { status: ['confirmed'] }, []],
    ['no state', { status: [] }, ['50', '5', '100', '30']],
    ['currency', { currencyCode: ['usdt'] }, ['5']],
    ['network', { blockchainCode: ['Base'] }, []],
    ['network and currency', { blockchainCode: ['eth'], currencyCode: ['USDC'] }, ['50', '100', '30']],
    ['an unknown name', { currencyCode: ['DOGE'] }, []],
    ['from', { dateFrom: '2026-02-01T12:00:00Z' }, ['50', '5']],
    ['to', { dateTo: '2026-02-01T11:00:00Z' }, ['30']],
    ['from, as other lists call it', { createdAfter: '2026-02-01T12:00:00Z' }, ['50', '5']],
    ['to, as other lists call it', { endDate: '2026-02-01T11:00:00Z' }, ['30']],
    ['to, as a clock of its zone', { dateTo: '2026-02-01T12:00:00', timezone: 'Europe/Berlin' }, ['30']],
    ['hash', { txHash: unknownHash() }, []],
  ] as const)('filters by %s', async (_what, query, expected) => {
    expect(await amounts(query as Query)).toEqual(expected)
  })

  it('finds a transaction, and a customer', async () => {
    expect(await amounts({ txHash: ` ${lateTx.toUpperCase().replace('0X', '0x')} ` })).toEqual(['30'])
    expect(await amounts({ txHash: lateTx.slice(2) })).toEqual(['30'])
    const [deposit] = (await list({ txHash: lateTx })).body.data
    expect(await amounts({ memberID: deposit?.memberID ?? 0 })).toEqual(['30'])
  })

  it('pages by cursor', async () => {
    const first = await list({ limit: 3 })
    expect(first.body.data).toHaveLength(3)
    const second = await list({ limit: 3, cursor: first.body.nextCursor ?? '' })
    expect(second.body.data.map(({ amount }) => amount)).toEqual(['30'])
    expect(second.body.nextCursor).toBeNull()
    expect((await list({ limit: 3, cursor: first.body.nextCursor ?? '', status: ['seen'] })).refusal?.code).toBe(
      'CURSOR_INVALID',
    )
  })

  it('shows operators their projects only', async () => {
    expect((await list({}, operator)).body.total).toBe(4)
    const inProject = (p: string) =>
      app.call(depositsRoutes.listDeposits, { params: { p } }, { key: operator, path: 1 })
    expect((await inProject(shop.p)).body.total).toBe(4)
    expect((await inProject(other.p)).refusal?.code).toBe('PROJECT_NOT_FOUND')
    expect((await list({}, other.apiKey)).body.total).toBe(1)
  })

  it('refuses dates that are none, and states that do not exist', async () => {
    expect((await list({ dateFrom: 'yesterday' })).refusal?.fields).toEqual({
      dateFrom: 'Use a date such as 2026-01-31',
    })
    expect((await list({ status: ['lost' as 'seen'] })).refusal?.code).toBe('VALIDATION_FAILED')
  })
})

describe('deposits.missed (Y25)', () => {
  const missed = (query = {}, key = operator) => app.call(depositsRoutes.listMissedDeposits, { query }, { key })

  it('lists deposits that wait for an operator', async () => {
    const { body } = await missed()
    expect(body.data).toMatchObject([{ amount: '30', status: 'unapplied', reason: 'late', referenceID: late.ref }])
    expect((await missed({ startDate: '2026-02-02' })).body.data).toEqual([])
    expect((await missed({ endDate: '2026-02-01' })).body.total).toBe(1)
  })

  it('is for operators', async () => {
    expect((await missed({}, shop.apiKey)).refusal?.code).toBe('FORBIDDEN')
  })
})

function unknownHash(): string {
  return `0x${'cd'.repeat(32)}`
}
