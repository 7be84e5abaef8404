import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import type { PaymentPage } from '@kassa/contract/payments/schemas.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { isOrdered, SORTS } from './rules.ts'

const START = new Date('2026-01-31T09:30:00.000Z')
const UNKNOWN = '01900000-0000-7000-8000-000000000000'

let app: TestApp
let operator: string
let shop: Shop
let market: Shop
let eth: FakeChain
/** References by the customer who pays: filled, partly, open, cancelled, and one of another project. */
const refs: Record<string, string> = {}
let filledTx: string

const pass = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}

async function make(name: string, amountInUSD: string, { key = shop.apiKey, invoiceID = '', units = 0n } = {}) {
  pass(1000)
  const body = { customerID: name, customerEmail: `${name}@example.com`, amountInUSD, invoiceID }
  const ref = (await app.call(paymentsRoutes.createPayment, { body }, { key })).body.reference_id
  refs[name] = ref
  if (units === 0n) return ''
  const choice = { blockchain_code: 'ETH', currency_code: 'USDC' }
  const { Address } = (await app.call(paymentsRoutes.pinPayment, { params: { ref }, body: choice })).body
  const [tx = ''] = await eth.mine([{ to: Address, assetId: 7, units }])
  await eth.mine()
  return tx
}

beforeAll(async () => {
  app = await testApp({ now: START })
  operator = await app.signUp()
  shop = await openShop(app, operator)
  market = await openShop(app, operator, 'Market')
  eth = await fakeChain(app.ctx, 1)
  filledTx = await make('filled', '100.5', { invoiceID: 'INV-100%', units: 100_500_000n })
  await make('partly', '80', { units: 50_000_000n })
  await make('open', '20')
  await make('gone', '30')
  const cancelled = { params: { ref: refs.gone ?? '' }, body: {} }
  await app.call(paymentsRoutes.cancelPaymentByReference, cancelled, { key: shop.apiKey })
  await make('elsewhere', '10', { key: market.apiKey })
})
afterAll(async () => {
  await app.stop()
})

type Filter = Record<string, unknown>

const search = (body: Filter = {}, p = shop.p, key = operator) =>
  app.call(paymentsRoutes.searchProjectPayments, { params: { p }, body }, { key })
const found = async (body: Filter, p = shop.p) => {
  const { body: page, refusal } = await search(body, p)
  return refusal ? refusal.code : page.data.map(({ customerId }) => customerId)
}

/** Reads a list page by page, forwards and each page back; returns what it holds, in order. */
async function readThrough(filter: Filter, p: string, rows: number): Promise<string[]> {
  const whole = (await search(filter, p)).body.data.map(({ referenceId }) => referenceId)
  expect(new Set(whole).size).toBe(rows)
  const forwards: string[] = []
  const back: string[][] = []
  let cursor: string | null = null
  do {
    const page: PaymentPage = (await search({ ...filter, limit: 2, ...(cursor ? { cursor } : {}) }, p)).body
    forwards.push(...page.data.map(({ referenceId }) => referenceId))
    if (page.prevCursor) {
      const before: PaymentPage = (await search({ ...filter, cursor: page.prevCursor, limit: 2 }, p)).body
      back.push(before.data.map(({ referenceId }) => referenceId))
    }
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(forwards).toEqual(whole)
  expect(back).toEqual(Array.from({ length: Math.ceil(rows / 2) - 1 }, (_, at) => whole.slice(2 * at, 2 * at + 2)))
  return whole
}

describe('payments.search', () => {
  it('lists the newest first, with the columns to draw', async () => {
    const { body, text } = await search()
    expect(body.data.map(({ customerId }) => customerId)).toEqual(['gone', 'open', 'partly', 'filled'])
    expect(body).toMatchObject({ totalCount: 4, totalIsEstimate: false, nextCursor: null, prevCursor: null })
    expect(body.attributes.map(({ displayName }) => displayName)).toEqual([
      'Project Name',
      'Block Height',
      'Reference ID',
      'Transaction Hash',
      'From Address',
      'To Address',
      'Payment Status',
      'Currency',
      'Network',
      'Created At',
      'Updated At',
      'Invoice ID',
      'Customer ID',
      'Email',
      'Amount in USD',
      'Amount',
      'Filled Amount in USD',
      'Filled Amount',
      'Webhook Status',
      'Created By',
      'Transaction Timestamp',
    ])
    expect(text).not.toContain('null,"attributes"')
  })

  it('prints numbers for existing clients beside exact texts, and no empty keys', async () => {
    const { data } = (await search({ query: refs.filled })).body
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      projectName: 'Shop',
      referenceId: refs.filled,
      txHash: filledTx,
      paymentStatus: 'FILLED',
      fundingState: 'confirmed',
      currency: 'USDC',
      network: 'ETH',
      email: 'filled@example.com',
      amountInUSD: 100.5,
      amount: 100.5,
      filledAmount: 100.5,
      createdBy: 'system',
      exact: {
        amountInUSD: '100.50',
        amount: '100.5',
        filledAmountInUSD: '100.50',
        filledAmount: '100.5',
        amountDueInUSD: '0.00',
      },
      externalPlatformID: shop.projectId,
    })
    expect(typeof data[0]?.blockId).toBe('number')
    expect(data[0]?.trxTimestamp).toBeInstanceOf(Date)
    const open = (await search({ query: refs.open })).body.data[0]
    expect(Object.keys(open ?? {})).not.toEqual(
      expect.arrayContaining(['txHash', 'currency', 'amount', 'webhookStatus']),
    )
    expect(open?.exact).toEqual({ amountInUSD: '20.00', amountDueInUSD: '20.00' })
  })

  it.each([
    ['a status', { paymentStatus: ['FILLED'] }, ['filled']],
    ['two statuses', { paymentStatus: ['OPEN', 'CANCELLED'] }, ['gone', 'open']],
    ['a label of the screen', { paymentStatus: ['partly paid'] }, ['partly']],
    ['labels in any case', { paymentStatus: ['Paid', 'pArTiAlLy-Filled'] }, ['partly', 'filled']],
    ['money received', { paymentStatus: ['DEPOSIT_RECEIVED'] }, ['partly', 'filled']],
    ['money under way', { paymentStatus: ['CONFIRMING'] }, []],
    ['expired only', { paymentStatus: ['Expired'] }, []],
    ['a currency', { currency: ['usdc'] }, ['partly', 'filled']],
    ['a network by its name', { network: ['Ethereum'] }, ['partly', 'filled']],
    ['another network', { network: ['BASE'] }, []],
    ['who made it', { createdBy: ['user'] }, []],
    ['an amount at least', { amountMin: '80' }, ['partly', 'filled']],
    ['an amount at most', { amountMax: '30' }, ['gone', 'open']],
    ['different filters together', { paymentStatus: ['OPEN', 'FILLED'], amountMax: '30' }, ['open']],
    ['the start of an e-mail', { query: 'OPEN@ex' }, ['open']],
    ['the start of a customer id', { query: 'par' }, ['partly']],
    ['the start of an invoice id, read literally', { query: 'inv-100%' }, ['filled']],
    ['a wildcard that is none', { query: '%' }, []],
    ['an address', { query: '0x00000000000000000000000000000000000beef1' }, ['partly', 'filled']],
    ['an address as a wallet prints it', { query: '0x00000000000000000000000000000000000bEEf1' }, ['partly', 'filled']],
    ['a customer', { customerID: 'gone' }, ['gone']],
    ['a webhook status', { webhookStatus: ['failed'] }, []],
    ['another day', { dateFrom: '2026-02-01' }, []],
    ['the day', { dateFrom: '2026-01-31', dateTo: '2026-01-31' }, ['gone', 'open', 'partly', 'filled']],
    [
      'the day in another zone',
      { dateFrom: '2026-01-31', timezone: 'Pacific/Kiritimati' },
      ['gone', 'open', 'partly', 'filled'],
    ],
    ['until a moment', { dateTo: '2026-01-31T09:30:02Z' }, ['partly', 'filled']],
    ['another project that is not in the path', { externalPlatformIds: [99] }, []],
  ])('filters by %s', async (_what, filter, customers) => {
    expect(await found(filter)).toEqual(customers)
  })

  it('finds by transaction', async () => {
    expect(await found({ query: filledTx })).toEqual(['filled'])
    expect(await found({ query: filledTx.toUpperCase().replace('0X', '0x') })).toEqual(['filled'])
  })

  it.each([
    ['paymentStatus', { paymentStatus: ['PAID_TWICE'] }],
    ['webhookStatus', { webhookStatus: ['lost'] }],
    ['currency', { currency: ['DOGE'] }],
    ['network', { network: ['DOGE'] }],
    ['createdBy', { createdBy: ['nobody'] }],
    ['amountMin', { amountMin: '1e9' }],
    ['dateFrom', { dateFrom: 'yesterday' }],
    ['dateTo', { dateTo: '2026-02-30' }],
    ['dateFrom', { dateFrom: '2026-01-31', timezone: 'Mars/Olympus' }],
    ['externalPlatformIds', { externalPlatformIds: ['x'] }],
  ])('refuses a %s that is none', async (field, filter) => {
    const { status, refusal } = await search(filter)
    expect([status, refusal?.code]).toEqual([400, 'FILTER_INVALID'])
    expect(refusal?.fields).toHaveProperty(field)
  })

  it.each(SORTS.map((sort) => [sort]))('reads every row once, by %s, both ways and back', async (sortBy) => {
    for (const sortDirection of ['asc', 'DESC'])
      expect(await readThrough({ sortBy, sortDirection }, shop.p, 4)).toHaveLength(4)
  })

  it.each(SORTS.filter(isOrdered).map((sort) => [sort]))(
    'reads several projects in one order, by %s',
    async (sortBy) => {
      // Named twice is read once.
      const both = { externalPlatformIds: [shop.projectId, market.projectId, shop.projectId] }
      const open = { paymentStatus: ['OPEN', 'PARTIALLY_FILLED'] }
      for (const sortDirection of ['asc', 'DESC']) {
        const plain = await readThrough({ sortBy, sortDirection }, 'all', 5)
        expect(await readThrough({ ...both, sortBy, sortDirection }, 'all', 5)).toEqual(plain)
        expect(await readThrough({ ...open, sortBy, sortDirection }, 'all', 3)).toEqual(
          plain.filter((reference) => [refs.partly, refs.open, refs.elsewhere].includes(reference)),
        )
      }
      expect(await found({ sortBy, offset: 2, limit: 2, amountMin: '1' }, 'all')).toEqual(
        (await search({ sortBy, amountMin: '1' }, 'all')).body.data.slice(2, 4).map(({ customerId }) => customerId),
      )
    },
  )

  it('accepts a sort in either spelling and refuses others', async () => {
    expect((await search({ sortBy: 'amountInUsd', order: 'asc' })).body.data[0]?.customerId).toBe('open')
    expect((await search({ sortBy: 'id; DROP TABLE payments' })).refusal?.code).toBe('SORT_FIELD_UNKNOWN')
  })

  it('also reads by offset, up to a limit', async () => {
    expect(await found({ offset: 1, limit: 2 })).toEqual(['open', 'partly'])
    expect(await found({ offset: 10_001 })).toBe('PAGE_TOO_DEEP')
    expect(await found({ limit: 0 })).toHaveLength(4)
  })

  it('refuses a cursor that was changed, or belongs to another list', async () => {
    const cursor = (await search({ limit: 1 })).body.nextCursor ?? ''
    expect(await found({ cursor: `${cursor.slice(0, -2)}AA` })).toBe('CURSOR_INVALID')
    expect(await found({ cursor: 'AAAA' })).toBe('CURSOR_INVALID')
    expect(await found({ cursor, paymentStatus: ['OPEN'] })).toBe('CURSOR_INVALID')
    expect(await found({ cursor, sortBy: 'email' })).toBe('CURSOR_INVALID')
    expect(await found({ cursor }, market.p)).toBe('CURSOR_INVALID')
  })

  it('keeps projects apart', async () => {
    expect(await found({}, market.p)).toEqual(['elsewhere'])
    expect(await found({ query: refs.filled }, market.p)).toEqual([])
    expect(await found({}, 'all')).toHaveLength(5)
    expect(await found({ externalPlatformIds: [market.projectId] }, 'all')).toEqual(['elsewhere'])
    expect(await found({}, '99')).toBe('PROJECT_NOT_FOUND')
    const { key } = await addOperator(app, { projectId: market.projectId, role: 'project_manager' })
    expect((await search({}, shop.p, key)).refusal?.code).toBe('PROJECT_NOT_FOUND')
    const all = await search({ externalPlatformIds: [shop.projectId, market.projectId] }, 'all', key)
    expect(all.body.data.map(({ customerId }) => customerId)).toEqual(['elsewhere'])
    const referral = await addOperator(app, { projectId: shop.projectId, role: 'platform_referral_admin' })
    expect((await search({}, shop.p, referral.key)).refusal?.code).toBe('FORBIDDEN')
  })

  it('answers a project’s key, by POST and GET', async () => {
    const byPost = await app.call(paymentsRoutes.searchPayments, { body: { limit: 1 } }, { key: shop.apiKey })
    expect(byPost.body.totalCount).toBe(4)
    const byGet = await app.call(
      paymentsRoutes.searchPayments,
      { query: { paymentStatus: ['OPEN', 'FILLED'] } },
      { key: market.apiKey, method: 'GET' },
    )
    expect(byGet.body.data.map(({ customerId }) => customerId)).toEqual(['elsewhere'])
  })

  it('shows the worst delivery state of the newest event', async () => {
    const insert = (status: string, sequence: number, event: string) => sql`
      WITH hidden AS (INSERT INTO secrets (kind, label, vault_id, key_version, wrapped_key, sealed) VALUES ('x', 'x', 1, 1, '', '') RETURNING id),
      hook AS (
        INSERT INTO webhooks (project_id, url, secret_ref, secret_hint, access_key_ref, access_key_hint)
        SELECT ${shop.projectId}, ${`https://${event}.example`}, id, '', id, '' FROM hidden RETURNING id
      )
      INSERT INTO deliveries (webhook_id, project_id, event_id, event_type, sequence, reference_id, body, status)
      SELECT id, ${shop.projectId}, ${event}, 'payment.filled', ${sequence}, ${refs.filled}, '{}', ${status} FROM hook`
    await insert('failed', 3, 'old').execute(app.ctx.db)
    await insert('received', 4, 'new-1').execute(app.ctx.db)
    await insert('pending', 4, 'new-2').execute(app.ctx.db)
    expect((await search({ query: refs.filled })).body.data[0]?.webhookStatus).toBe('pending')
    expect(await found({ webhookStatus: ['Pending'] })).toEqual(['filled'])
  })
})

describe('payments.summary', () => {
  const summary = (p: string, body: Filter = {}) =>
    app.call(paymentsRoutes.summarizeProjectPayments, { params: { p }, body }, { key: operator, method: 'POST' })

  it('counts by status', async () => {
    const expected = { totalCount: 4, closedCount: 1, openCount: 2, cancelledCount: 1 }
    expect((await summary(shop.p)).body).toEqual(expected)
    expect((await app.call(paymentsRoutes.summarizePayments, {}, { key: shop.apiKey })).body).toEqual(expected)
    expect((await summary('all')).body.totalCount).toBe(5)
  })

  it('counts within dates', async () => {
    expect((await summary(shop.p, { dateFrom: '2026-02-01' })).body.totalCount).toBe(0)
    expect((await summary(shop.p, { dateTo: '2026-01-31T09:30:01Z' })).body).toMatchObject({
      totalCount: 1,
      closedCount: 1,
    })
    expect((await summary(shop.p, { dateFrom: 'soon' })).refusal?.code).toBe('FILTER_INVALID')
  })
})

describe('payments.detail', () => {
  const detail = (ref: string, p = shop.p) =>
    app.call(paymentsRoutes.getPayment, { params: { p, ref } }, { key: operator })

  it('shows the whole timeline of a payment', async () => {
    const { body } = await detail(refs.filled ?? '')
    expect(body).toMatchObject({
      referenceID: refs.filled,
      paymentState: 'FILLED',
      customerID: 'filled',
      customer: { customer_id: 'filled', email: 'filled@example.com', memberType: 'customer' },
      depositAddresses: [{ blockchainCode: 'ETH' }],
      quotes: [{ currencyCode: 'USDC', priceInUSD: '1', sources: ['sandbox'] }],
      transfers: [
        { txHash: filledTx, status: 'applied', confirmations: 2, confirmationRequired: 2, amountInUSD: '100.50' },
      ],
      refunds: [],
      createdBy: 'system',
    })
    expect(body.timeline.map(({ event }) => event)).toEqual([
      'payment.created',
      'payment.pinned',
      'payment.detected',
      'payment.filled',
    ])
    expect(body.timeline[1]?.actor).toBe('payer')
    const sum = (side: 'debit' | 'credit') => body.journal.reduce((total, line) => total + Number(line[side] ?? 0), 0)
    expect(sum('debit')).toBe(sum('credit'))
    expect(body.journal.at(-1)).toMatchObject({
      account: 'project:balance',
      credit: '100.5',
      debit: null,
      asset: 'USDC',
    })
  })

  it('says 404 for what is not there or not in this project', async () => {
    expect((await detail(UNKNOWN)).refusal?.code).toBe('PAYMENT_NOT_FOUND')
    expect((await detail(refs.elsewhere ?? '')).refusal?.code).toBe('PAYMENT_NOT_FOUND')
    expect((await detail(refs.elsewhere ?? '', 'all')).body.customerID).toBe('elsewhere')
  })
})

describe('payments.cancel', () => {
  const cancel = (ref: string, p = shop.p) =>
    app.call(paymentsRoutes.cancelPayment, { params: { p, ref }, body: { reason: 'asked to' } }, { key: operator })
  const cancelByKey = (ref: string, key: string) =>
    app.call(paymentsRoutes.cancelPaymentByReference, { params: { ref }, body: {} }, { key })

  it('ends an open link once, and remembers who did', async () => {
    await make('again', '5')
    const { body } = await cancel(refs.again ?? '')
    expect(body).toMatchObject({ paymentState: 'CANCELLED', cancelReason: 'merchant' })
    expect(body.timeline.at(-1)).toMatchObject({ event: 'payment.cancelled', data: { cancel_reason: 'merchant' } })
    expect(body.timeline.at(-1)?.actor).toMatch(/^operator:\d+$/)
    expect((await cancel(refs.again ?? '')).refusal?.code).toBe('PAYMENT_NOT_OPEN')
  })

  it('refuses what is paid, in part or whole, and what is not there', async () => {
    expect((await cancel(refs.partly ?? '')).refusal?.code).toBe('PAYMENT_HAS_FUNDS')
    expect((await cancel(refs.filled ?? '')).refusal?.code).toBe('PAYMENT_NOT_OPEN')
    expect((await cancel(refs.elsewhere ?? '')).refusal?.code).toBe('PAYMENT_NOT_FOUND')
    expect((await cancel(UNKNOWN)).refusal?.code).toBe('PAYMENT_NOT_FOUND')
  })

  it('lets a key end its own project’s links only', async () => {
    expect((await cancelByKey(refs.elsewhere ?? '', shop.apiKey)).refusal?.code).toBe('PAYMENT_REFERENCE_UNKNOWN')
    expect((await cancelByKey(UNKNOWN, shop.apiKey)).refusal?.code).toBe('PAYMENT_REFERENCE_UNKNOWN')
    expect((await cancelByKey(refs.elsewhere ?? '', market.apiKey)).body.paymentState).toBe('CANCELLED')
  })
})
