import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { serverPath } from '../../../http/mount.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { ASSET, balanceOf, dollars, openCashier, type Cashier } from '../../../testing/cashier.ts'

let app: TestApp
let shop: Shop
let cashier: Cashier
let eth: FakeChain
let operator: string

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
  operator = await app.signUp()
  shop = await openShop(app, operator)
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
  for (const amount of [100, 2.5]) {
    const { to } = await cashier.newPayment({ amount: String(amount), customer: `=SUM(${amount})` })
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(amount), tx: `paid ${amount}` }])
    cashier.pass(1_000)
  }
  for (let block = 0; block < 3; block += 1) await eth.mine()
  await cashier.newPayment({ amount: '40', customer: 'waits' })
})
afterAll(() => app.stop())

const download = (query = '', key = operator) => {
  const url = `${serverPath(paymentsRoutes.exportPayments.paths[0]).replace(':p', shop.p)}${query}`
  return app.http.inject({ url, headers: { 'api-key': key } })
}
const rowsOf = async (query: string) =>
  (await download(`?format=jsonl${query}`)).body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, string | null>)

describe('payments.export (Y19)', () => {
  it('gives a file with the columns of the search, oldest first', async () => {
    const { headers, body, statusCode } = await download()
    expect(statusCode).toBe(200)
    expect(headers['content-disposition']).toBe('attachment; filename="payments-2026-01-31.csv"')
    const [head, first, ...rest] = body.trim().split('\r\n')
    expect(head).toBe(
      'projectName,blockHeight,referenceID,transactionHash,fromAddress,toAddress,paymentStatus,currency,network,createdAt,' +
        'updatedAt,invoiceID,customerID,email,amountInUSD,amount,filledAmountInUSD,filledAmount,webhookStatus,createdBy,' +
        'transactionTimestamp,paidInUSD',
    )
    expect(first).toContain(',FILLED,USDC,ETH,2026-01-31T09:30:00.000Z,')
    expect(rest).toHaveLength(2)
  })

  it('gives the columns asked for, in their order', async () => {
    const { body } = await download('?columns=amountInUSD&columns=customerID&paymentStatus=OPEN')
    expect(body).toBe('amountInUSD,customerID\r\n40.00,waits\r\n')
    expect(await rowsOf('&columns=customerID,currency&paymentStatus=OPEN')).toEqual([
      { customerID: 'waits', currency: 'USDC' },
    ])
    for (const columns of ['secret', 'customerID,customerID']) {
      const refused = (await download(`?columns=${columns}`)).json()
      expect(refused).toMatchObject({ error: { code: 'VALIDATION_FAILED' } })
    }
  })

  it('escapes cells that a spreadsheet would read as formulas', async () => {
    expect((await download()).body).toContain(",'=SUM(100),")
  })

  it('adds up to what the ledger holds, to the last unit', async () => {
    const filled = (await rowsOf('')).map(({ filledAmount }) => dollars(Number(filledAmount ?? 0)))
    const sum = filled.reduce((total, units) => total + units, 0n)
    expect(sum).toBe(102_500_000n)
    expect(sum).toBe(await balanceOf(app, 'project:balance', ASSET.USDC_ON_ETH))
  })

  it('takes the filters of the search', async () => {
    const amounts = async (query: string) => (await rowsOf(query)).map(({ amountInUSD }) => amountInUSD)
    expect(await amounts('&paymentStatus=FILLED')).toEqual(['100.00', '2.50'])
    expect(await amounts('&query=waits')).toEqual(['40.00'])
    expect(await amounts('&amountMin=3&dateTo=2026-01-31')).toEqual(['100.00', '40.00'])
    expect(await amounts('&dateTo=2026-01-30')).toEqual([])
  })

  it('refuses a filter or a form it does not know, as an ordinary answer', async () => {
    expect((await download('?paymentStatus=PAYED')).json()).toMatchObject({ error: { code: 'FILTER_INVALID' } })
    expect((await download('?format=pdf')).json()).toMatchObject({ error: { code: 'VALIDATION_FAILED' } })
    expect((await download('?schema=2')).json()).toMatchObject({ error: { fields: { schema: 'Schema must be 1' } } })
  })

  it('is for those who may export', async () => {
    const { key } = await addOperator(app, { role: 'project_ops', projectId: shop.projectId })
    expect((await download('', key)).statusCode).toBe(403)
  })
})
