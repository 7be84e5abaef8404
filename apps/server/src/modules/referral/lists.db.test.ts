import { eventLogMachine, promoterMachine, rewardMachine } from '@kassa/contract/referral/machine.ts'
import { PROMOTER_SORTS } from '@kassa/contract/referral/inputs.ts'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import type { ProjectScope } from '../../context.ts'
import { openDatabase } from '../../db/database.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import { listLogs } from './logs/service.ts'
import { listFoundLogs } from './logs/store.ts'
import { listPromoters } from './promoters/service.ts'
import { listFoundPromoters, searchOf } from './promoters/store.ts'
import { listFoundRewards } from './rewards/list-store.ts'
import { listRewards } from './rewards/lists.ts'

let test: TestContext
/** Two of project 1, the first for all and the second for chosen people; of project 2 one for chosen people. */
const CAMPAIGNS = [1, 2, 3]
const FIRST_DAY = Date.parse('2026-03-01T00:00:00Z')
const DAY = 86_400_000
/** More than are named, or counted. */
const MANY = 10_050
const TABLES = ['referrers', 'event_logs', 'rewards']

beforeAll(async () => {
  test = await testContext()
  await seedBlockchains(test.ctx)
  await sql`INSERT INTO projects (name) VALUES ('One'), ('Two')`.execute(test.ctx.db)
  await sql`
    INSERT INTO referral_events (project_id, key, name, event_type)
    SELECT id, 'order', 'Order', 'simple' FROM projects`.execute(test.ctx.db)
  await sql`
    INSERT INTO campaigns (project_id, name, unit_id, reward_type, reward_value, per_customer, is_default, status, consider_events_from)
    SELECT project_id, 'Bench', 1000001, 'flat_fee', 1, 'forever', is_default, 'active', now()
    FROM (VALUES (1, true), (1, false), (2, false)) AS made (project_id, is_default)`.execute(test.ctx.db)
  // Moments repeat, so that ids decide.
  const at = sql`${new Date(FIRST_DAY)}::timestamptz + (n * 7 % 100) * interval '1 hour'`
  const status = (names: readonly string[]) => sql`(${[...names]}::text[])[1 + n * 13 % ${names.length}::int]`
  const code = sql`translate(lpad(n::text, 7, '0'), '0123456789', 'ABCDEFGHJK')`
  await sql`
    INSERT INTO referrers (project_id, reference_id, email, code, status, created_at)
    SELECT 1 + n % 2, (ARRAY['shop-', 'Ann_', '100%'])[1 + n % 3] || n, (ARRAY['Ann', 'bob', 'shop'])[1 + n / 3 % 3] || n % 50 || '@mail.example',
      ${code}, CASE WHEN n % 7 = 0 THEN 'inactive' ELSE 'active' END, ${at}
    FROM generate_series(1, 240) AS n`.execute(test.ctx.db)
  await sql`
    UPDATE referrers SET referred_by = id - 2 * (1 + id % 5), referred_at = created_at
    WHERE id % 3 > 0 AND id > 12`.execute(test.ctx.db)
  await sql`
    INSERT INTO campaign_referrers (campaign_id, referrer_id, project_id)
    SELECT campaign.id, person.id, project_id FROM campaigns AS campaign JOIN referrers AS person USING (project_id)
    WHERE NOT campaign.is_default AND person.id % 4 < 2`.execute(test.ctx.db)
  await sql`
    INSERT INTO event_logs (project_id, event_id, member_id, triggered_at, status, failure_code, created_at, updated_at)
    SELECT person.project_id, event.id, person.id, made.at, made.status, CASE made.status WHEN 'failed' THEN 'NOT_LINKED' END, made.at, made.at
    FROM (
      SELECT n, ${at} AS at, ${status(['pending', 'processed', 'processed', 'failed'])} AS status FROM generate_series(1, 600) AS n
    ) AS made JOIN referrers AS person ON person.id = 1 + made.n % 200
    JOIN referral_events AS event ON event.project_id = person.project_id AND event.key = (ARRAY['order', 'kassa_payment'])[1 + made.n % 2]
  `.execute(test.ctx.db)
  await sql`
    INSERT INTO event_log_uses (campaign_id, log_id, member_id, outcome, reason_code, set_log_id, at)
    SELECT campaign.id, log.id, log.member_id, made.outcome, CASE made.outcome WHEN 'refused' THEN 'BUDGET' END, log.id, log.created_at
    FROM event_logs AS log JOIN campaigns AS campaign USING (project_id)
    JOIN LATERAL (SELECT CASE WHEN log.id % 5 > 1 THEN 'rewarded' ELSE 'refused' END AS outcome) AS made ON true
    WHERE log.status = 'processed'`.execute(test.ctx.db)
  await sql`
    INSERT INTO rewards (project_id, campaign_id, set_log_id, side, referrer_id, related_id, unit_id, units, reversed_units, held_units,
      paid_units, status, triggered_at, created_at, updated_at)
    SELECT log.project_id, part.campaign_id, log.id, 'referrer', log.member_id, log.member_id, 1000001, 100,
      CASE made.status WHEN 'reversed' THEN 100 ELSE 0 END, CASE made.status WHEN 'held' THEN 1 ELSE 0 END,
      CASE made.status WHEN 'processed' THEN 100 ELSE 0 END, made.status, log.created_at, log.created_at, log.created_at
    FROM event_log_uses AS part JOIN event_logs AS log ON log.id = part.log_id
    JOIN LATERAL (SELECT log.id::int AS n) AS one ON true
    JOIN LATERAL (SELECT ${status(rewardMachine.states)} AS status) AS made ON true
    WHERE part.outcome = 'rewarded'`.execute(test.ctx.db)
})
afterAll(() => test.stop())

const scopes = fc.constantFrom<ProjectScope['projectIds']>([1], [2], [1, 2], 'every', [])
const scopeOf = (projectIds: ProjectScope['projectIds']): ProjectScope => ({ projectId: null, projectIds })
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 1 })
const days = maybe(fc.integer({ min: 0, max: 5 }).map((day) => new Date(FIRST_DAY + day * DAY).toISOString()))
const paging = fc.record({
  limit: fc.constantFrom(1, 7, 60),
  order: fc.constantFrom('asc', 'desc'),
  offset: fc.nat(20),
})

type Page = {
  readonly data: readonly { readonly id: number }[]
  readonly total: number
  readonly nextCursor: string | null
}

/** The ids of the first pages, read one after the other by their cursors. */
async function idsOf(read: (cursor: string | undefined) => Promise<Page>): Promise<{ ids: number[]; total: number }> {
  const first = await read(undefined)
  const ids = first.data.map(({ id }) => id)
  let cursor = first.nextCursor
  for (let page = 1; page < 5 && cursor !== null; page += 1) {
    const next = await read(cursor)
    ids.push(...next.data.map(({ id }) => id))
    cursor = next.nextCursor
  }
  return { ids, total: first.total }
}

type Wanted = { readonly limit: number; readonly offset: number; readonly order: string }

/** What the same pages hold when all rows that match are sorted at once. */
async function sorted(
  from: RawBuilder<unknown>,
  where: readonly (RawBuilder<unknown> | false)[],
  keys: readonly RawBuilder<unknown>[],
  { limit, offset, order }: Wanted,
): Promise<{ ids: number[]; total: number }> {
  const by = sql.join(keys.map((key) => sql`${key} ${sql.raw(order)}`))
  const conditions = sql.join([sql`true`, ...where.filter((one) => one !== false)], sql` AND `)
  const { rows } = await sql<{ id: bigint }>`SELECT row.id FROM ${from} WHERE ${conditions} ORDER BY ${by}`.execute(
    test.ctx.db,
  )
  const ids = rows.map(({ id }) => Number(id))
  return { ids: ids.slice(offset, offset + 5 * limit), total: Math.min(ids.length, 10_000) }
}

const among = (column: RawBuilder<unknown>, projectIds: ProjectScope['projectIds']) =>
  projectIds !== 'every' && sql`${column} = ANY(${[...projectIds]}::int[])`
const oneOf = (column: RawBuilder<unknown>, values: readonly string[]) =>
  values.length > 0 && sql`${column} = ANY(${[...values]}::text[])`
const spanned = (from: string | undefined, to: string | undefined) => [
  from !== undefined && sql`row.created_at >= ${from}::timestamptz`,
  to !== undefined && sql`row.created_at <= ${to}::timestamptz`,
]

describe('lists of the referral programme', () => {
  it('show event logs as if all of them were sorted at once', async () => {
    const filters = fc.record({
      projectIds: scopes,
      eventKey: maybe(fc.constantFrom('order', 'nothing')),
      referenceID: maybe(fc.constantFrom('shop-3', 'Ann_4', 'nobody')),
      status: fc.subarray([...eventLogMachine.states]),
      campaignID: maybe(fc.constantFrom(...CAMPAIGNS, 99)),
      dateFrom: days,
      dateTo: days,
    })
    const property = fc.asyncProperty(filters, paging, async ({ projectIds, ...filter }, page) => {
      const shown = await idsOf((cursor) =>
        listLogs(test.ctx, scopeOf(projectIds), { ...filter, ...page, ...(cursor && { cursor }) }),
      )
      const { eventKey, referenceID, status, campaignID, dateFrom, dateTo } = filter
      // Those of a campaign are shown in the order in which they were stored.
      const isStored = campaignID !== undefined && dateFrom === undefined && dateTo === undefined
      const where = [
        among(sql`row.project_id`, projectIds),
        eventKey !== undefined && sql`event.key = ${eventKey}`,
        referenceID !== undefined && sql`member.reference_id = ${referenceID}`,
        oneOf(sql`row.status`, status),
        campaignID !== undefined &&
          sql`row.id IN (SELECT log_id FROM event_log_uses WHERE campaign_id = ${campaignID} AND outcome = 'rewarded')`,
        ...spanned(dateFrom, dateTo),
      ]
      const from = sql`event_logs AS row JOIN referral_events AS event ON event.id = row.event_id
        JOIN referrers AS member ON member.id = row.member_id`
      const keys = isStored ? [sql`row.id`] : [sql`row.created_at`, sql`row.id`]
      expect(shown).toEqual(await sorted(from, where, keys, page))
    })
    await fc.assert(property, { numRuns: 120 })
  })

  it('show rewards as if all of them were sorted at once', async () => {
    const filters = fc.record({
      whose: fc.oneof(
        fc.record({ campaignId: fc.constantFrom(...CAMPAIGNS) }),
        fc.record({ referrerId: fc.integer({ min: 1, max: 30 }), campaignIds: fc.subarray(CAMPAIGNS) }),
      ),
      status: fc.subarray([...rewardMachine.states]),
      from: days,
      to: days,
    })
    const property = fc.asyncProperty(filters, paging, async ({ whose, status, from, to }, page) => {
      const span = { ...(from && { from: new Date(from) }), ...(to && { to: new Date(to) }) }
      const shown = await idsOf((cursor) =>
        listRewards(test.ctx, { ...whose, status, ...span }, { ...page, ...(cursor && { cursor }) }),
      )
      const where = [
        'campaignId' in whose && sql`row.campaign_id = ${whose.campaignId}`,
        'referrerId' in whose && sql`row.referrer_id = ${whose.referrerId}`,
        'referrerId' in whose &&
          whose.campaignIds.length > 0 &&
          sql`row.campaign_id = ANY(${whose.campaignIds}::int[])`,
        oneOf(sql`row.status`, status),
        ...spanned(from, to),
      ]
      expect(shown).toEqual(await sorted(sql`rewards AS row`, where, [sql`row.created_at`, sql`row.id`], page))
    })
    await fc.assert(property, { numRuns: 80 })
  })

  const people = fc.record({
    projectIds: scopes,
    query: maybe(fc.constantFrom('ann', 'ANN_', '100%', 'shop', 'ABCDEFG', 'abaaaac', 'mail', 'many')),
    code: maybe(fc.constantFrom('AAAAAKK', 'aaaaakk', 'ZZZZZZZ')),
    status: fc.subarray([...promoterMachine.states]),
    isReferred: maybe(fc.boolean()),
    isPromoter: maybe(fc.boolean()),
    campaignIDs: fc.subarray([...CAMPAIGNS, 99]),
    sortBy: fc.constantFrom(...PROMOTER_SORTS),
  })
  type FilterOfPeople = typeof people extends fc.Arbitrary<infer Filter> ? Filter : never
  const KEYS = {
    created_at: sql`row.created_at`,
    email: sql`lower(row.email)`,
    referee_count: sql`row.referee_count`,
    total_rewards: sql`row.earned`,
  }
  /** The first pages, and what they should hold. */
  const readPeople = async ({ projectIds, ...filter }: FilterOfPeople, page: Wanted) => {
    const shown = await idsOf((cursor) =>
      listPromoters(test.ctx, scopeOf(projectIds), { ...filter, ...page, ...(cursor && { cursor }) }),
    )
    const { query, code, status, isReferred, isPromoter, campaignIDs, sortBy } = filter
    const where = [
      among(sql`row.project_id`, projectIds),
      query !== undefined &&
        sql`(starts_with(lower(row.email), ${query.toLowerCase()}) OR starts_with(lower(row.reference_id), ${query.toLowerCase()})
          OR row.code = ${query.toUpperCase()})`,
      code !== undefined && sql`row.code = ${code.toUpperCase()}`,
      oneOf(sql`row.status`, status),
      isReferred !== undefined && sql`(row.referred_by IS NOT NULL) = ${isReferred}`,
      isPromoter !== undefined && sql`(row.referred_by IS NULL OR row.referee_count > 0) = ${isPromoter}`,
      campaignIDs.length > 0 &&
        sql`EXISTS (SELECT FROM campaigns AS campaign
          WHERE campaign.id = ANY(${campaignIDs}::int[]) AND campaign.project_id = row.project_id
            AND (campaign.is_default OR EXISTS (SELECT FROM campaign_referrers AS given
              WHERE given.campaign_id = campaign.id AND given.referrer_id = row.id)))`,
    ]
    return [shown, await sorted(sql`referrers AS row`, where, [KEYS[sortBy], sql`row.id`], page)] as const
  }

  it('show people as if all of them were sorted at once', async () => {
    const property = fc.asyncProperty(people, paging, async (filter, page) => {
      const [shown, wanted] = await readPeople(filter, page)
      expect(shown).toEqual(wanted)
    })
    await fc.assert(property, { numRuns: 150 })
  })

  it('show them when more match than are named, and count so many', async () => {
    await sql`
      WITH made AS (
        INSERT INTO referrers (project_id, reference_id, email, code, created_at)
        SELECT 2, 'many-' || n, 'many-' || n || '@mail.example', translate(lpad(n::text, 7, '0'), '0123456789', 'ABCDEFGHJK'),
          ${new Date(FIRST_DAY + 10 * DAY)}::timestamptz + n * interval '1 second'
        FROM generate_series(1000, ${999 + MANY}::int) AS n RETURNING id, project_id)
      INSERT INTO campaign_referrers (campaign_id, referrer_id, project_id) SELECT 3, id, project_id FROM made`.execute(
      test.ctx.db,
    )
    for (const filter of [{}, { query: 'many' }, { campaignIDs: [3] }, { query: 'many', campaignIDs: [3] }]) {
      const { total, data } = await listPromoters(test.ctx, scopeOf([2]), { ...filter, limit: 1 })
      expect([total, data[0]?.referenceID]).toEqual([10_000, `many-${999 + MANY}`])
    }
    const property = fc.asyncProperty(people, paging, async (filter, page) => {
      const [shown, wanted] = await readPeople(filter, page)
      expect(shown).toEqual(wanted)
    })
    await fc.assert(property, { numRuns: 30 })
  })

  it('read as many rows as a page needs', async () => {
    for (const table of TABLES) await sql`VACUUM ANALYZE ${sql.raw(table)}`.execute(test.ctx.db)
    // One connection, which tells what it has read when it is asked to.
    const { db, close } = openDatabase(test.ctx.config.databaseUrl, { max: 1 })
    onTestFinished(close)
    const ctx = { ...test.ctx, db }
    const rowsRead = async () => {
      await sql`SELECT pg_stat_force_next_flush()`.execute(db)
      const { rows } = await sql<{ n: number }>`
        SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname = ANY(${TABLES}::text[]))::int
          + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = ANY(${TABLES}::text[]))::int AS n`.execute(
        db,
      )
      return rows[0]?.n ?? 0
    }
    const readBy = async (work: () => Promise<unknown>) => {
      const before = await rowsRead()
      await work()
      return (await rowsRead()) - before
    }
    const page = { isAscending: false, limit: 5, offset: 0, from: null }
    const newest = { ...page, sort: 'created_at' as const }
    expect(await readBy(() => listFoundLogs(ctx, { projectIds: [1, 2] }, newest))).toBeLessThan(80)
    expect(await readBy(() => listFoundRewards(ctx, { campaignId: 1, status: ['held'] }, newest))).toBeLessThan(60)
    for (const sort of PROMOTER_SORTS) {
      const filter = { projectIds: [1, 2], isPromoter: true, status: ['active' as const] }
      const search = await searchOf(ctx, filter)
      expect(await readBy(() => listFoundPromoters(ctx, search, { ...page, sort }))).toBeLessThan(60)
    }
    // Prepared statements may keep a plan that was made for any term. Fifty match: by their e-mails, and by their references.
    await sql`SET plan_cache_mode = force_generic_plan`.execute(db)
    expect(await readBy(() => searchOf(ctx, { projectIds: [2], query: 'many-110' }))).toBeLessThan(200)
  })
})
