import { analyticsRoutes } from '@kassa/contract/analytics/routes.ts'
import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { rolesRoutes } from '@kassa/contract/operators/role-routes.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { type Cashier, dollars, openCashier, ASSET } from '../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../testing/fake-chain.ts'
import { addOperator } from '../../testing/operators.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { compact, findDifferences } from './rollups/service.ts'
import { sql } from 'kysely'

const START = new Date('2026-04-06T09:30:00.000Z')

let app: TestApp
let key: string
let shop: Shop
let other: Shop
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  app = await testApp({ now: START })
  key = await app.signUp()
  shop = await openShop(app, key, 'One')
  other = await openShop(app, key, 'Two')
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
  const [first, second] = [await cashier.newPayment({ customer: 'ann' }), await cashier.newPayment({ customer: 'bob' })]
  await eth.mine([{ to: first.to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
  await eth.mine([{ to: second.to, assetId: ASSET.USDC_ON_ETH, units: dollars(10.5) }])
  await eth.mineAll([[], []])
})
afterAll(() => app.stop())

const groups = async (p = shop.p, as = key) =>
  app.call(analyticsRoutes.listAnalyticsGroups, { params: { p } }, { key: as })
const graph = (
  g: number | string,
  k: number | string,
  body: Record<string, unknown> = {},
  options: { p?: string; key?: string } = {},
) =>
  app.call(
    analyticsRoutes.getGraphData,
    { params: { p: options.p ?? shop.p, g: String(g), k: String(k) }, body },
    { key: options.key ?? key, method: 'POST' },
  )
/** A graph as a program types its address. */
const ask = (query: string, name = '2/graph/7') =>
  app.http.inject({
    url: `/api/v1/external-platform/${shop.p}/analytics/groups/${name}/data?${query}`,
    headers: { 'api-key': key, host: 'localhost:8080' },
  })
/** The answer as it was sent; references are new every time, and so is the address that the pool gives. */
const wire = ({ text }: { text: string }) =>
  JSON.parse(
    text
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'of its payment')
      .replaceAll(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g, 'an address'),
  ) as Record<string, unknown>

describe('N1 analytics groups', () => {
  it('names groups, graphs and filters as existing clients look for them', async () => {
    const { body } = await groups()
    const names = body.map(({ groupID, sequence, analyticsGroup: { name, graphs, filters } }) => [
      groupID,
      sequence,
      name,
      graphs.map(({ id, name: graphName, graphType }) => `${id} ${graphName} ${graphType}`),
      filters.map(({ id, name: filter }) => `${id} ${filter}`),
    ])
    await expect(JSON.stringify(names, null, 2)).toMatchFileSnapshot('./wire/group-names.json.txt')
  })

  it('has the fields of 8.1, JSON as text among them', async () => {
    const [first] = JSON.parse((await groups()).text) as [Record<string, unknown>]
    await expect(JSON.stringify(first, null, 2)).toMatchFileSnapshot('./wire/first-group.json.txt')
  })

  it('is read with a key that has the scope, and arranged as for everybody', async () => {
    const created = await app.call(
      apiKeysRoutes.createApiKey,
      { params: { p: shop.p }, body: { name: 'Numbers', scopes: ['analytics:read'] } },
      { key },
    )
    const apiKey = created.body.key ?? ''
    expect((await groups('all', apiKey)).body.map(({ memberID }) => memberID)).toEqual([0, 0, 0, 0, 0, 0])
    expect((await graph(1, 1, {}, { key: apiKey })).body.data).toMatchObject([{ value: '110.50' }])
    expect((await graph(1, 1, {}, { key: shop.apiKey })).refusal?.code).toBe('FORBIDDEN')
    expect((await graph(1, 1, {}, { key: apiKey, p: other.p })).refusal?.code).toBe('PROJECT_NOT_FOUND')
  })

  it('hides payments from callers who may not see payments', async () => {
    const growth = await addOperator(app, { projectId: shop.projectId, role: 'platform_referral_admin' })
    expect((await graph(1, 1, {}, { key: growth.key })).refusal?.code).toBe('FORBIDDEN')
    const permissions = ['project:read', 'analytics:read']
    const role = { name: 'figures_only', displayName: 'Figures only', permissions, scope: 'project' } as const
    const { body } = await app.call(rolesRoutes.createRole, { body: role }, { key })
    const assigned = { params: { id: growth.operatorId }, body: { roleID: body.id, projectIDs: [shop.projectId] } }
    await app.call(membersRoutes.replaceRoles, assigned, { key })
    expect((await groups(shop.p, growth.key)).body).toEqual([])
    expect((await graph(1, 1, {}, { key: growth.key })).refusal?.code).toBe('GRAPH_NOT_FOUND')
    const { key: manager } = await addOperator(app, { projectId: other.projectId, role: 'project_manager' })
    expect((await graph(1, 1, {}, { key: manager, p: 'all' })).body.data).toMatchObject([{ value: '0.00' }])
    expect((await graph(1, 1, {}, { key: manager, p: shop.p })).refusal?.code).toBe('PROJECT_NOT_FOUND')
  })
})

describe('N2 graph data', () => {
  const today = { analytics_date_filter: 'yesterday', timezone: 'Pacific/Kiritimati' }

  it('has the shape of its type for every graph (8.5)', async () => {
    const shapes: unknown[] = []
    for (const group of (await groups()).body) {
      for (const { id } of group.analyticsGroup.graphs) {
        const {
          id: found,
          type,
          data,
          attributes,
        } = wire(await graph(group.groupID, id, { timezone: 'Europe/Berlin', date_filter: 'today' }))
        const rows = data as Record<string, unknown>[]
        shapes.push({ found, type, attributes, last: type === 'bar_graph' ? rows.at(11) : rows[0] })
      }
    }
    await expect(JSON.stringify(shapes, null, 2)).toMatchFileSnapshot('./wire/graphs.json.txt')
  })

  it('reads filters from the query as well', async () => {
    const answer = await app.http.inject({
      url: `/api/v1/external-platform/${shop.p}/analytics/groups/2/graph/8/data?date_filter=last_7_days&group_by_network_currency_filter=blockchain_code&timezone=Asia/Kathmandu`,
      headers: { 'api-key': key, host: 'localhost:8080' },
    })
    const { data } = JSON.parse(answer.payload) as { data: Record<string, string>[] }
    expect(data.map((bar) => [bar.Timestamp, bar.Extras, bar.ETH])).toEqual([
      ['Mar 31', 'Tuesday', '0'],
      ['Apr 01', 'Wednesday', '0'],
      ['Apr 02', 'Thursday', '0'],
      ['Apr 03', 'Friday', '0'],
      ['Apr 04', 'Saturday', '0'],
      ['Apr 05', 'Sunday', '0'],
      ['Apr 06', 'Monday', '2'],
    ])
  })

  it('compares with the period before', async () => {
    const session = await app.call(
      analyticsRoutes.getGraphData,
      {
        params: { p: shop.p, g: '3', k: '9' },
        query: { date_filter: 'custom', start_date: '2026-04-07', end_date: '2026-04-07', compare: 'previous' },
      },
      { key },
    )
    expect(session.body).toMatchObject({
      data: [],
      previous: { data: [{ id: 'USDC', value: '110.50', display: '$110.50', description: '100.0%' }] },
      span: { from: new Date('2026-04-07T00:00:00Z'), until: new Date('2026-04-08T00:00:00Z') },
    })
  })

  it('is empty before there was anything', async () => {
    for (const [g, k] of [
      [2, 7],
      [2, 8],
      [3, 9],
      [4, 10],
      [4, 11],
      [5, 12],
      [6, 14],
    ] as const) {
      expect((await graph(g, k, { date_filter: 'forever' }, { p: other.p })).body.data).toEqual([])
    }
    expect((await graph(6, 13, {}, { p: other.p })).body.data).toEqual([
      { label: 'Conversion', text: 'N/A', subtext: 'N/A', value: '0' },
    ])
  })

  it('knows no other groups and graphs', async () => {
    for (const [g, k] of [
      [7, 1],
      [1, 7],
      ['x', 1],
      [1, 'constructor'],
      [1, '01'],
    ] as const) {
      expect((await graph(g, k)).refusal?.code).toBe('GRAPH_NOT_FOUND')
    }
  })

  it('refuses a filter by its name', async () => {
    const { status, refusal } = await graph(2, 7, { ...today, colour: 'red' })
    expect([status, refusal?.code, refusal?.message]).toEqual([400, 'FILTER_INVALID', 'colour is not valid.'])
    expect((await graph(2, 7, { analytics_date_filter: { of: 'today' } })).refusal?.message).toBe(
      'analytics_date_filter is not valid.',
    )
  })
})

describe('N2 with invalid input', () => {
  const span = (start_date: string, end_date: string, more = '') =>
    `date_filter=custom&start_date=${start_date}&end_date=${end_date}${more}`

  /** The query of a request as it is typed, and the filter that is refused. */
  it.each([
    ['colour=red', 'colour'],
    ['date_filter=last_8_days', 'analytics_date_filter'],
    ['date_filter=', 'analytics_date_filter'],
    ['date_filter=today&analytics_date_filter=today', 'date_filter'],
    ['date_filter=custom', 'custom'],
    [span('2021-01-01', '2027-01-01'), 'end_date'],
    [span('2026-01-02', '2026-01-01'), 'end_date'],
    [span('2026-02-29', '2026-03-01'), 'start_date'],
    ['timezone=Mars/Base', 'timezone'],
    ['timezone=', 'timezone'],
    ['limit=1&limit=2', 'limit'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['currency_codes=DOGE', 'in_query_currency_filter'],
    ['in_query_currency_filter=[broken', 'in_query_currency_filter'],
    ['group_by_network_currency_filter={"code":"colour"}', 'group_by_network_currency_filter'],
    ['externalPlatformIds=mine', 'externalPlatformIds'],
    ['compare=next', 'compare'],
  ])('refuses %s', async (query, filter) => {
    const { statusCode, payload } = await ask(query)
    expect([statusCode, JSON.parse(payload)]).toEqual([
      400,
      expect.objectContaining({
        error: expect.objectContaining({ code: 'FILTER_INVALID', details: `${filter} is not valid.` }),
      }),
    ])
  })

  /** How many hours are counted, and in how many bars; no bars where there was no money. */
  it.each([
    ['a day of 23 hours', span('2026-03-29', '2026-03-29', '&timezone=Europe/Berlin'), 23, 0],
    ['a day of 25 hours', span('2025-10-26', '2025-10-26', '&timezone=Europe/Berlin'), 25, 0],
    ['29 February', span('2024-02-27', '2024-03-01'), 96, 0],
    ['three days of a zone with 45 minutes', span('2026-04-05', '2026-04-07', '&timezone=Asia/Kathmandu'), 72, 3],
    ['five years, most of them before the project', span('2021-04-07', '2026-04-06'), 43_824, 61],
    ['an empty list', 'date_filter=today&currency_codes=&externalPlatformIds=', 24, 24],
    ['a currency that the project does not accept', 'date_filter=today&currency_codes=BTC', 24, 0],
  ])('answers %s', async (_name, query, hours, bars) => {
    const { statusCode, payload } = await ask(query)
    const { data, span: counted } = JSON.parse(payload) as { data: unknown[]; span: { from: string; until: string } }
    const counts = (Date.parse(counted.until) - Date.parse(counted.from)) / 3_600_000
    expect([statusCode, counts, data.length]).toEqual([200, hours, bars])
  })

  it('counts nothing of a project that the caller may not see', async () => {
    const { key: manager } = await addOperator(app, { projectId: other.projectId, role: 'project_manager' })
    const answer = await graph(1, 1, { externalPlatformIds: [shop.projectId] }, { key: manager, p: 'all' })
    expect(answer.body.data).toMatchObject([{ value: '0.00' }])
  })

  it('answers forty dashboards that open at once with the same figures', async () => {
    const asked = Array.from({ length: 40 }, () => [
      ask('', '1/graph/1'),
      ask('date_filter=today'),
      ask('', '3/graph/9'),
    ])
    const answers = await Promise.all(asked.flat())
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    const figures = answers.map(({ payload }) => JSON.stringify((JSON.parse(payload) as { data: unknown }).data))
    expect(new Set(figures).size).toBe(3)
  })
})

describe('N4 arranging groups', () => {
  const change = (g: string, body: object, p = shop.p) =>
    app.call(analyticsRoutes.changeAnalyticsGroup, { params: { p, g }, body }, { key })

  it('shows, hides, moves and filters a group for one operator', async () => {
    const stored = await change('2', {
      visible: false,
      sequence: 9,
      customFilters: [{ filterID: 1, value: '"last_7_days"' }],
    })
    expect(stored.body).toMatchObject({
      visible: false,
      sequence: 9,
      customFilters: [{ filterID: 1, value: '"last_7_days"' }],
    })
    expect((await change('2', { visible: true })).body).toMatchObject({ visible: true, sequence: 9 })
    const order = (await groups()).body.map(({ groupID }) => groupID)
    expect(order).toEqual([1, 5, 3, 4, 6, 2])
    expect((await groups('all')).body.at(-1)?.customFilters).toEqual([])
    expect((await change('2', { sequence: 3 }, 'all')).status).toBe(200)
    const { key: lead } = await addOperator(app, { projectId: shop.projectId, role: 'project_lead' })
    expect((await groups(shop.p, lead)).body.every(({ customFilters }) => customFilters.length === 0)).toBe(true)
  })

  it('refuses other groups, filters of other groups and values that no graph reads', async () => {
    expect((await change('12', { visible: true })).refusal?.code).toBe('GRAPH_NOT_FOUND')
    const values = [
      [3, '["USDC"]'],
      [1, '"someday"'],
      [1, 'today'],
      [2, '{"code":"colour"}'],
    ] as const
    for (const [filterID, value] of values) {
      expect((await change('2', { customFilters: [{ filterID, value }] })).refusal?.code).toBe('FILTER_INVALID')
    }
  })
})

describe('npm run check-figures', () => {
  it('names the row that was changed by hand', async () => {
    await compact(asSystem(app.ctx))
    expect(await findDifferences(asSystem(app.ctx))).toEqual([])
    await sql`UPDATE rollups SET usd = usd + 1 WHERE kind = 'paid' AND level = 96`.execute(app.ctx.db)
    const slot = Math.floor(Date.UTC(2026, 3, 6) / 900_000)
    expect((await findDifferences(asSystem(app.ctx))).map(({ subject }) => subject)).toEqual([
      `rollups paid level 96 project ${shop.projectId} slot ${slot} asset 7`,
    ])
    await sql`UPDATE rollups SET usd = usd - 1 WHERE kind = 'paid' AND level = 96`.execute(app.ctx.db)
  })
})
