import { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'
import { serverPath } from '../../http/mount.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { type FakeChain, fakeChain } from '../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { ASSET, dollars, openCashier, type Cashier } from '../../testing/cashier.ts'

const START = new Date('2026-01-31T09:30:00.000Z')
/** The journal stamps entries with the database's clock. */
const LONG_AGO = '2020-01-01'
const FAR_AHEAD = '2100-01-01T00:00:00Z'

let app: TestApp
let shop: Shop
let cashier: Cashier
let eth: FakeChain
let operator: string
let paid: string

beforeAll(async () => {
  app = await testApp({ now: START })
  operator = await app.signUp()
  shop = await openShop(app, operator)
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
  const { ref, to } = await cashier.newPayment({ amount: '100' })
  paid = ref
  await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100), tx: 'hundred' }])
  for (let block = 0; block < 2; block += 1) await eth.mine()
  const other = await cashier.newPayment({ amount: '7' })
  await eth.mine([{ to: other.to, assetId: ASSET.USDC_ON_ETH, units: dollars(7), tx: 'seven' }])
})
afterAll(() => app.stop())

const project = () => ({ params: { p: shop.p } })

describe('ledger.balances (Q1)', () => {
  const balances = async (asOf?: string) => {
    const query = asOf === undefined ? {} : { asOf }
    const { body } = await app.call(ledgerRoutes.listBalances, { ...project(), query }, { key: operator })
    return body
  }

  it('shows what is earned, what is unconfirmed, and where the coins are', async () => {
    expect(await balances()).toEqual([
      row('chain:deposit-addresses', '100', '100'),
      row('project:balance', '100', '100'),
      row('project:unconfirmed', '7', '7'),
    ])
  })

  it('shows the balances as of a time, without dollars, because the price was another', async () => {
    expect(await balances(LONG_AGO)).toEqual([])
    expect(await balances(FAR_AHEAD)).toEqual([
      row('chain:deposit-addresses', '100', null),
      row('project:balance', '100', null),
      row('project:unconfirmed', '7', null),
    ])
  })

  it('refuses an invalid time', async () => {
    const { refusal } = await app.call(
      ledgerRoutes.listBalances,
      { ...project(), query: { asOf: 'yesterday' } },
      { key: operator },
    )
    expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED', fields: { asOf: 'Use a date such as 2026-01-31' } })
  })

  it('shows another project nothing of it', async () => {
    const other = await openShop(app, operator, 'Other')
    const { body } = await app.call(ledgerRoutes.listBalances, { params: { p: other.p } }, { key: operator })
    expect(body).toEqual([])
  })
})

describe('ledger.entries (Q2)', () => {
  const entries = async (query: Record<string, string | number> = {}) =>
    (await app.call(ledgerRoutes.listEntries, { ...project(), query }, { key: operator })).body

  it('lists the entries, newest first, each balanced', async () => {
    const { data, total } = await entries()
    expect(data.map(({ posting }) => posting)).toEqual(['deposit.seen', 'deposit.apply', 'deposit.seen'])
    expect(total).toBe(3)
    expect(data[1]?.lines).toEqual([
      { account: 'project:unconfirmed', debit: '100', credit: null, currencyCode: 'USDC' },
      { account: 'chain:unconfirmed', debit: null, credit: '100', currencyCode: 'USDC' },
      { account: 'chain:deposit-addresses', debit: '100', credit: null, currencyCode: 'USDC' },
      { account: 'project:balance', debit: null, credit: '100', currencyCode: 'USDC' },
    ])
  })

  it('filters by account, by payment and by time', async () => {
    expect((await entries({ account: 'project:balance' })).data).toHaveLength(1)
    expect((await entries({ referenceID: paid })).data).toHaveLength(2)
    expect((await entries({ referenceID: paid.toUpperCase(), account: 'project:balance' })).data).toHaveLength(1)
    expect((await entries({ dateTo: LONG_AGO })).data).toEqual([])
    expect((await entries({ endDate: LONG_AGO })).data).toEqual([])
  })

  it('pages by cursor', async () => {
    const first = await entries({ limit: 2 })
    const second = await entries({ limit: 2, cursor: first.nextCursor ?? '' })
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual((await entries()).data.map(({ id }) => id))
    expect(second.nextCursor).toBeNull()
  })
})

describe('ledger.export (Q3)', () => {
  const download = (query = '') => {
    const url = `${serverPath(ledgerRoutes.exportLedger.paths[0]).replace(':p', shop.p)}${query}`
    return app.http.inject({ url, headers: { 'api-key': operator } })
  }

  it('exports a file of lines, oldest first, that adds up to the balances', async () => {
    const { headers, body, statusCode } = await download()
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="ledger-2026-01-31.csv"')
    const [head, ...lines] = body.trim().split('\r\n')
    expect(head).toBe(
      'entry,line,at,posting,source,projectID,blockchainCode,currencyCode,debitAccount,creditAccount,amount',
    )
    expect(lines.map((line) => line.split(',').slice(8).join(' '))).toEqual([
      'chain:unconfirmed project:unconfirmed 100',
      'project:unconfirmed chain:unconfirmed 100',
      'chain:deposit-addresses project:balance 100',
      'chain:unconfirmed project:unconfirmed 7',
    ])
  })

  it('exports JSON lines, of a span', async () => {
    const { headers, body } = await download('?format=jsonl')
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const rows = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(rows[2]).toMatchObject({ posting: 'deposit.apply', creditAccount: 'project:balance', amount: '100' })
    expect((await download(`?dateTo=${LONG_AGO}&format=jsonl`)).body).toBe('')
  })

  it('refuses before the first byte what it cannot export', async () => {
    expect((await download('?dateFrom=soon')).json()).toMatchObject({ error: { code: 'VALIDATION_FAILED' } })
    expect((await download('?format=xlsx')).json()).toMatchObject({
      error: { fields: { format: 'Format must be one of: csv, jsonl' } },
    })
  })
})

function row(account: string, balance: string, inUSD: string | null) {
  return { account, blockchainCode: 'ETH', currencyCode: 'USDC', balance, inUSD }
}
