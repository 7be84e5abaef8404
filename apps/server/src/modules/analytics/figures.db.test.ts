import { analyticsRoutes } from '@kassa/contract/analytics/routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import type { GraphData } from '@kassa/contract/analytics/schemas.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { usdForUnits } from '@kassa/primitives/money/rate.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { usd, usdOf } from '@kassa/primitives/money/usd.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../testing/app.ts'
import { ASSET, type Cashier, openCashier, type Pinned } from '../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { addUpCoins } from '../ledger/service.ts'
import { compact, findDifferences } from './rollups/service.ts'

/** Offsets of whole, half and three quarter hours; clocks that change by an hour, by half of one, at midnight, and never. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
]

/** The clocks of Berlin, Cairo and New York change in the weeks after it. */
const START = new Date('2026-10-20T09:30:00.000Z')
const HOUR = 3_600_000

let app: TestApp
let operator: string
let shops: readonly { readonly shop: Shop; readonly cashier: Cashier }[]
let chains: Readonly<Record<number, FakeChain>>

beforeAll(async () => {
  app = await testApp({ now: START })
  operator = await app.signUp()
  const opened = [await openShop(app, operator, 'One'), await openShop(app, operator, 'Two')]
  shops = opened.map((shop) => ({ shop, cashier: openCashier(app, shop) }))
  chains = { 1: await fakeChain(app.ctx, 1), 4: await fakeChain(app.ctx, 4) }
  await sql`UPDATE projects SET payment_policy = '{"openPaymentsPerCustomer": "many"}'`.execute(app.ctx.db)
})
afterAll(() => app.stop())

const COINS = [
  { chain: 'ETH', currency: 'USDC', assetId: ASSET.USDC_ON_ETH, blockchainId: 1, unit: 10n ** 6n },
  { chain: 'BASE', currency: 'USDC', assetId: ASSET.USDC_ON_BASE, blockchainId: 4, unit: 10n ** 6n },
  { chain: 'ETH', currency: 'ETH', assetId: ASSET.ETH, blockchainId: 1, unit: 10n ** 18n / 3000n },
] as const

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('link' as const), shop: fc.nat(1), customer: fc.nat(4), coin: fc.nat(2) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      link: fc.nat(40),
      share: fc.integer({ min: 1, max: 1_700_003 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('mine' as const),
      hours: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }) },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unassign' as const), link: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('assign' as const), link: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

type Link = Pinned & { readonly coin: (typeof COINS)[number]; readonly p: string }
const links: Link[] = []

async function run(one: Step): Promise<void> {
  // Mostly one of the newest: an old link takes no money any more.
  const link = 'link' in one ? links.at(-1 - (one.link % Math.max(1, Math.min(links.length, 6)))) : undefined
  if (one.kind === 'link') {
    const { shop, cashier } = shops[one.shop] ?? expect.fail('no shop')
    const coin = COINS[one.coin] ?? expect.fail('no coin')
    links.push({ ...(await cashier.newPayment({ customer: `payer-${one.customer}`, ...coin })), coin, p: shop.p })
  }
  if (one.kind === 'send' && link) {
    // Up to 170 dollars of a request of 100, in units that make no whole micro-dollar.
    const units = (link.coin.unit * 100n * BigInt(one.share)) / 1_000_000n + 1n
    await chains[link.coin.blockchainId]?.mine([{ to: link.to, assetId: link.coin.assetId, units }])
  }
  if (one.kind === 'mine') {
    app.clock.now = new Date(app.clock.now.getTime() + one.hours * HOUR + 7 * 60_000)
    for (const chain of Object.values(chains)) await chain.mineAll([[], []])
    // Sessions end when nobody uses them.
    const signedIn = await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })
    operator = signedIn.body.key
  }
  if (one.kind === 'reorg') await chains[1]?.reorg(chains[1].height() - one.depth)
  if (one.kind === 'compact') await Promise.all([compact(asSystem(app.ctx)), addUpCoins(asSystem(app.ctx))])
  if ((one.kind === 'assign' || one.kind === 'unassign') && link) {
    const body = { action: one.kind === 'assign' ? 'apply_unapplied' : 'unassign', note: 'as decided' } as const
    // Refused where there is nothing to decide.
    await app.call(
      paymentRepairRoutes.resolvePayment,
      { params: { p: link.p, ref: link.ref }, body },
      { key: operator },
    )
  }
}

type Counted = {
  readonly projectId: number
  readonly paymentId: bigint
  readonly customerId: number
  readonly currency: string
  readonly network: string
  readonly at: Date
  readonly usd: bigint
}

/** Every counted deposit, valued by hand: what it adds to its payment at the price of the payment's quote. */
async function countedDeposits(): Promise<Counted[]> {
  const { rows } = await sql<{
    id: bigint
    project_id: number
    payment_id: bigint
    customer_id: number
    counted_units: string
    block_time: Date
    price_usd: string
    decimals: number
    currency_code: string
    code: string
    filled_usd: string
  }>`
    SELECT deposit.id, deposit.project_id, deposit.payment_id, deposit.customer_id, deposit.counted_units, deposit.block_time,
      quote.price_usd, quoted.decimals, own.currency_code, chain.code, payment.filled_usd
    FROM deposits AS deposit JOIN payments AS payment ON payment.id = deposit.payment_id
    JOIN quotes AS quote ON quote.id = payment.quote_id JOIN assets AS quoted ON quoted.id = quote.asset_id
    JOIN assets AS own ON own.id = deposit.asset_id JOIN blockchains AS chain ON chain.id = own.blockchain_id
    WHERE deposit.status = 'applied' ORDER BY deposit.id`.execute(app.ctx.db)
  const found = [...Map.groupBy(rows, (row) => row.payment_id).values()].flatMap((deposits) => {
    let units = 0n
    let total = 0n
    return deposits.map((row) => {
      units += BigInt(row.counted_units)
      const price = parseUnits(row.price_usd, 18)
      const next = usdForUnits({ units, price, decimals: row.decimals, rounding: 'half-even' })
      const value = next - total
      total = next
      return { row, value }
    })
  })
  for (const deposits of Map.groupBy(found, ({ row }) => row.payment_id).values()) {
    expect(deposits.reduce((sum, { value }) => sum + value, 0n)).toBe(usdOf(deposits[0]?.row.filled_usd ?? ''))
  }
  return found.map(({ row, value }) => ({
    projectId: row.project_id,
    paymentId: row.payment_id,
    customerId: row.customer_id,
    currency: row.currency_code,
    network: row.code,
    at: row.block_time,
    usd: value,
  }))
}

async function graph<Type extends GraphData['type']>(
  type: Type,
  [p, g, k]: readonly [string, number, number],
  body: Record<string, unknown>,
): Promise<Extract<GraphData, { type: Type }>> {
  const params = { p, g: String(g), k: String(k) }
  const answer = await app.call(analyticsRoutes.getGraphData, { params, body }, { key: operator, method: 'POST' })
  expect([answer.status, answer.refusal]).toEqual([200, undefined])
  expect(answer.body.type).toBe(type)
  return answer.body as Extract<GraphData, { type: Type }>
}

type Bar = { readonly at: Date; readonly until: Date; readonly [series: string]: unknown }

const within = (deposits: readonly Counted[], from: Date, until: Date) =>
  deposits.filter(({ at }) => at >= from && at < until)
const sumOf = (deposits: readonly Counted[]) => deposits.reduce((sum, one) => sum + one.usd, 0n)
const payersOf = (deposits: readonly Counted[]) => new Set(deposits.map(({ customerId }) => customerId))

/** The day of a moment on the calendars of a zone. */
const dayIn = (zone: string, at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at)

function checkBars(bars: readonly Bar[], deposits: readonly Counted[], by: 'currency' | 'network'): void {
  const values = new Set(deposits.map((one) => one[by]))
  for (const bar of bars) {
    const own = within(deposits, bar.at, bar.until)
    const expected = [...values].map((series) => [series, usd(sumOf(own.filter((one) => one[by] === series)))] as const)
    for (const [series, amount] of expected) expect([bar.at, series, bar[series]]).toEqual([bar.at, series, amount])
  }
}

const PRESETS = ['last_14_days', 'forever', 'this_month', 'today'] as const

async function checkZone(at: number, p: string, all: readonly Counted[]): Promise<void> {
  const zone = ZONES[at] ?? 'UTC'
  const deposits = all.filter(({ projectId }) => p === 'all' || String(projectId) === p)
  const timezone = { timezone: zone }
  for (const preset of [PRESETS[at % 2], PRESETS[2 + (at % 2)]]) {
    const filters = { ...timezone, analytics_date_filter: preset }
    const dollars = await graph('bar_graph', [p, 2, 7], filters)
    const { span } = dollars
    const bars = dollars.data as unknown as Bar[]
    const [from, until] = [span?.from ?? new Date(0), span?.until ?? app.clock.now]
    const own = within(deposits, from, until)
    checkBars(bars, own, 'currency')
    if (span?.bucket === 'day') {
      const days = Map.groupBy(own, ({ at }) => dayIn(zone, at))
      for (const bar of bars) {
        const total = [...payersOf(own)].length === 0 ? 0n : sumOf(days.get(dayIn(zone, bar.at)) ?? [])
        const shown = Object.entries(bar).filter(([name]) => ['USDC', 'ETH'].includes(name))
        expect(shown.reduce((sum, [, amount]) => sum + usdOf(String(amount)), 0n)).toBe(total)
      }
    }
    const counts = await graph('bar_graph', [p, 2, 8], {
      ...filters,
      group_by_network_currency_filter: 'blockchain_code',
    })
    for (const bar of counts.data as unknown as Bar[]) {
      for (const network of new Set(own.map((one) => one.network))) {
        const expected = within(own, bar.at, bar.until).filter((one) => one.network === network).length
        expect(bar[network]).toBe(String(expected))
      }
    }
    const parts = await graph('pie_with_info_graph', [p, 3, 9], filters)
    expect(Object.fromEntries(parts.data.map(({ id, value }) => [id, value]))).toEqual(
      Object.fromEntries(
        [...new Set(own.map(({ currency }) => currency))].map((currency) => [
          currency,
          usd(sumOf(own.filter((one) => one.currency === currency))),
        ]),
      ),
    )
    const firsts = new Map<number, number>()
    for (const { customerId, at } of all)
      firsts.set(customerId, Math.min(firsts.get(customerId) ?? Number.POSITIVE_INFINITY, at.getTime()))
    const isFresh = (customer: number, start: Date, end: Date) => {
      const first = firsts.get(customer) ?? 0
      return first >= start.getTime() && first < end.getTime()
    }
    for (const currencies of [[], ['ETH']]) {
      const paying = own.filter(({ currency }) => currencies.length === 0 || currencies.includes(currency))
      const users = await graph('bar_graph', [p, 4, 10], { ...filters, in_query_currency_filter: currencies })
      for (const bar of users.data as unknown as Bar[]) {
        const here = [...payersOf(within(paying, bar.at, bar.until))]
        const fresh = here.filter((customer) => isFresh(customer, bar.at, bar.until)).length
        expect([bar.New, bar.Recurring]).toEqual([String(fresh), String(here.length - fresh)])
      }
      const total = await graph('info_graph', [p, 4, 11], { ...filters, in_query_currency_filter: currencies })
      const here = [...payersOf(paying)]
      const fresh = here.filter((customer) => isFresh(customer, from, until)).length
      expect(total.data.map(({ value }) => value)).toEqual(
        here.length === 0 ? [] : [fresh, here.length - fresh, here.length].map(String),
      )
    }
  }
  const [ever, recent] = [
    await graph('number_graph', [p, 1, 1], timezone),
    await graph('number_graph', [p, 1, 2], timezone),
  ]
  expect(ever.data[0]?.value).toBe(usd(sumOf(deposits)))
  const span = recent.span ?? expect.fail('no span')
  expect(recent.data[0]?.value).toBe(usd(sumOf(within(deposits, span.from ?? START, span.until))))
  const users = [await graph('number_graph', [p, 1, 3], timezone), await graph('number_graph', [p, 1, 4], timezone)]
  expect(users.map(({ data }) => data[0]?.value)).toEqual([
    String(payersOf(deposits).size),
    String(payersOf(within(deposits, span.from ?? START, span.until)).size),
  ])
}

/** All payments by the day of their money adds up to the same cents for every bar and series. */
async function checkDrillDown(zone: string, p: string): Promise<void> {
  const filters = { timezone: zone, analytics_date_filter: 'last_14_days' }
  const { data } = await graph('bar_graph', [p, 2, 7], filters)
  for (const bar of data as unknown as Bar[]) {
    for (const series of ['USDC', 'ETH'].filter((name) => name in bar && bar[name] !== '0.00')) {
      const body = {
        dateField: 'paid',
        dateFrom: bar.at.toISOString(),
        dateTo: new Date(bar.until.getTime() - 1).toISOString(),
        currency: [series],
        limit: 500,
      }
      const found = await app.call(paymentsRoutes.searchProjectPayments, { params: { p }, body }, { key: operator })
      const sum = found.body.data.reduce((total, row) => total + usdOf(row.exact.paidInUSD ?? '0'), 0n)
      expect([bar.at, series, usd(sum)]).toEqual([bar.at, series, bar[series]])
      const counted = await app.call(
        paymentsRoutes.summarizeProjectPayments,
        { params: { p }, query: { dateField: 'paid', dateFrom: body.dateFrom, dateTo: body.dateTo } },
        { key: operator },
      )
      expect(counted.body.totalCount).toBeGreaterThanOrEqual(found.body.totalCount)
    }
  }
}

describe('analytics figures', () => {
  it(
    'equal a plain sum over deposits, All payments and the ledger, whatever happened, in every zone',
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 60 }), async (history) => {
          for (const one of history) await run(one)
          const deposits = await countedDeposits()
          const projects = ['all', ...shops.map(({ shop }) => shop.p)]
          for (const at of ZONES.keys()) await checkZone(at, projects[at % projects.length] ?? 'all', deposits)
          await checkDrillDown(ZONES[history.length % ZONES.length] ?? 'UTC', 'all')
          expect(await findDifferences(asSystem(app.ctx))).toEqual([])
        }),
        // Each history goes on where the one before ended.
        { numRuns: 4, endOnFailure: true, seed: 13 },
      )
      const counted = await countedDeposits()
      expect(counted.length).toBeGreaterThan(20)
    },
  )
})
