/** The referral programme: how fast it takes in what customers do and owes for it, and how it reads after a million rewards. */
import { performance } from 'node:perf_hooks'

import { REWARD_DECIMALS } from '@kassa/contract/referral/rewards.ts'
import {
  campaignsRoutes,
  promotersRoutes,
  referralEventsRoutes,
  referralShopRoutes,
} from '@kassa/contract/referral/routes.ts'
import type { Route } from '@kassa/contract/kit/route.ts'
import { promoterPageRoutes } from '@kassa/contract/referral/page-routes.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'

import type { App } from '../../apps/server/src/app.ts'
import { asSystem, type Context, inTransaction } from '../../apps/server/src/context.ts'
import { createCampaign } from '../../apps/server/src/modules/referral/campaigns/service.ts'
import { countLog, followPayments } from '../../apps/server/src/modules/referral/counting/service.ts'
import { reward } from '../../apps/server/src/modules/referral/counting/rules.ts'
import { createEvent } from '../../apps/server/src/modules/referral/events/service.ts'
import { logEvent } from '../../apps/server/src/modules/referral/logs/service.ts'
import { authenticateReferrer, linkReferee } from '../../apps/server/src/modules/referral/referrers/service.ts'
import { caller } from '../../apps/server/src/testing/app.ts'
import { addSession } from '../../apps/server/src/testing/credentials.ts'
import type { Cleanup, Figure, Measurement, Options } from '../figure.ts'
import { type Pool, prepareTransactions, rawTransactions } from '../limits.ts'
import { repeat } from '../load.ts'
import { millisecondsOf } from '../payment-search.ts'
import { openProgram } from '../program.ts'
import { quantile } from '../quantile.ts'
import { fillProgramme, type ProgrammePast } from './past.ts'
import { openSetup } from '../setup.ts'

const CLIENTS = 16
const FOR_MS = 5_000
const REWARDS = { usual: 1_000_000, full: 10_000_000 } as const

export const referral: Measurement = { name: 'referral', run }

async function run(cleanup: Cleanup, { isFull }: Options): Promise<readonly Figure[]> {
  const { app, pool } = await openProgram(cleanup)
  await prepareTransactions(pool, CLIENTS)
  const ctx = asSystem(app.ctx)
  const rewards = isFull ? REWARDS.full : REWARDS.usual
  return [
    ...(await throughput(ctx, pool)),
    await reversal(ctx, pool),
    ...(await latency(cleanup)),
    ...(await longPast(app, pool, rewards)),
  ]
}

const FLAT = {
  currencyCode: 'USD',
  campaignTypePerCustomer: 'forever',
  rewardType: 'flat_fee',
  rewardValue: '1',
} as const

async function newProject(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>("INSERT INTO projects (name) VALUES ('Bench') RETURNING id")
  return rows[0]?.id ?? 0
}

/** A promoter who brought one customer. */
async function bring(ctx: Context, projectId: number, name: string): Promise<string> {
  const promoter = { email: `p-${name}@mail.example`, referenceID: `p-${name}` }
  const { referrer } = await authenticateReferrer(ctx, projectId, promoter)
  const referenceID = `c-${name}`
  await linkReferee(ctx, projectId, { email: `${referenceID}@mail.example`, referenceID, referrerCode: referrer.code })
  return referenceID
}

/** Logs stored, and rewards owed for them: of one campaign, whose rows are taken one at a time, and of as many as there are clients. */
async function throughput(ctx: Context, pool: Pool): Promise<readonly Figure[]> {
  const raw = await rawTransactions(pool, { clients: CLIENTS, forMs: FOR_MS })
  const limit = { name: 'raw durable double-entry transactions', value: raw.perSecond }
  const figures: Figure[] = []
  for (const campaigns of [1, CLIENTS]) {
    const projectId = await newProject(pool)
    for (let at = 0; at < campaigns; at += 1) {
      await createEvent(ctx, projectId, { key: `order-${at}`, name: 'Order', eventType: 'payment' })
      await createCampaign(ctx, projectId, { ...FLAT, name: 'Bench', eventKeys: [`order-${at}`] })
    }
    const people: string[] = []
    for (let client = 0; client < CLIENTS; client += 1)
      people.push(await bring(ctx, projectId, `${campaigns}-${client}`))
    const logged: bigint[][] = people.map(() => [])
    let n = 0
    const stored = await repeat({ clients: CLIENTS, forMs: FOR_MS }, async (client) => {
      const input = { eventKey: `order-${client % campaigns}`, referenceID: people[client] ?? '', amount: '10' }
      const { id } = await logEvent(ctx, projectId, { ...input, externalID: `${projectId}-${(n += 1)}` })
      logged[client]?.push(BigInt(id))
    })
    if (campaigns === 1) {
      figures.push({ name: `event logs stored, ${CLIENTS} clients`, value: stored.perSecond, unit: '/s', limit })
    }
    const counted = await repeat({ clients: CLIENTS, forMs: FOR_MS }, async (client) => {
      const id = logged[client]?.pop()
      if (id !== undefined) await countLog(ctx, id)
    })
    const owed = await numberOf(pool, `SELECT count(*) AS n FROM rewards WHERE project_id = ${projectId}`)
    const seconds = counted.latenciesMs.length / counted.perSecond
    figures.push({
      name: `rewards owed, ${campaigns === 1 ? 'one campaign' : `${campaigns} campaigns`}`,
      value: owed / Math.min(seconds, FOR_MS / 1000),
      unit: '/s',
      limit,
    })
  }
  return figures
}

async function numberOf(pool: Pool, query: string): Promise<number> {
  const { rows } = await pool.query<{ n: string }>(query)
  return Number(rows[0]?.n ?? 0)
}

/** A payment whose one log earned rewards of both sides in 500 campaigns loses its money. */
async function reversal(ctx: Context, pool: Pool): Promise<Figure> {
  const CAMPAIGNS = 500
  const projectId = await newProject(pool)
  const referenceID = await bring(ctx, projectId, 'reversed')
  const both = { inviteeRewardType: 'flat_fee', inviteeRewardValue: '1', eventKeys: ['kassa_payment'] }
  for (let at = 0; at < CAMPAIGNS; at += 1)
    await createCampaign(ctx, projectId, { ...FLAT, ...both, name: `Bench ${at}` })
  const { rows } = await pool.query<{ id: bigint }>(
    `WITH customer AS (
       INSERT INTO customers (project_id, customer_id, email) VALUES ($1, $2, 'c@mail.example') RETURNING id, project_id
     ), payment AS (
       INSERT INTO payments (reference_id, project_id, customer_id, amount_usd, created_by, expires_at, status, funding_state, filled_usd)
       SELECT gen_random_uuid(), project_id, id, 100, 'system', now() + interval '1 day', 'FILLED', 'confirmed', 100 FROM customer RETURNING id
     )
     INSERT INTO event_logs (project_id, event_id, member_id, amount, triggered_at, payment_id, status, created_at, updated_at)
     SELECT $1, event.id, member.id, 100000000, now(), payment.id, 'pending', now(), now()
     FROM payment, referral_events AS event, referrers AS member
     WHERE event.project_id = $1 AND event.key = 'kassa_payment' AND member.project_id = $1 AND member.reference_id = $2
     RETURNING id`,
    [projectId, referenceID],
  )
  const ids = rows.map(({ id }) => BigInt(id))
  for (const id of ids) await countLog(ctx, id)
  const owed = await numberOf(pool, `SELECT count(*) AS n FROM rewards WHERE project_id = ${projectId}`)
  if (owed !== 2 * CAMPAIGNS) throw new Error(`${owed} rewards were given`)
  await pool.query('UPDATE payments SET filled_usd = 0 WHERE project_id = $1', [projectId])
  const ms = await millisecondsOf(() => inTransaction(ctx, (tx) => followPayments(tx, ids, 'PAYMENT_REOPENED')))
  const client = await pool.connect()
  const raw = await millisecondsOf(async () => {
    await client.query('BEGIN')
    for (let at = 0; at < owed; at += 1) {
      await client.query(`
        INSERT INTO bench.entries (debit, credit, units) VALUES (1, 2, 1);
        UPDATE bench.accounts SET balance = balance - 1 WHERE id = 1;
        UPDATE bench.accounts SET balance = balance + 1 WHERE id = 2;`)
    }
    await client.query('COMMIT')
  })
  client.release()
  return {
    name: `a payment with ${owed.toLocaleString('en-US')} rewards reversed`,
    value: ms,
    unit: 'ms',
    limit: { name: 'as many raw double entries in one transaction', value: raw },
  }
}

const SAMPLES = 60

/** From the call of the shop to the reward that everybody can read, by the workers of the whole program. */
async function latency(cleanup: Cleanup): Promise<readonly Figure[]> {
  const { shop, pool } = await openSetup(cleanup)
  const params = { p: shop.project }
  const event = { key: 'order', name: 'Order', eventType: 'payment' } as const
  await shop.operator(referralEventsRoutes.createReferralEvent, { params, body: event })
  await shop.operator(campaignsRoutes.createCampaign, {
    params,
    body: { ...FLAT, name: 'Bench', eventKeys: ['order'] },
  })
  const promoter = { email: 'p@mail.example', referenceID: 'p' }
  const { referrer } = await shop.merchant(referralShopRoutes.authenticateReferrer, { body: promoter })
  const link = { email: 'c@mail.example', referenceID: 'c', referrerCode: referrer.code }
  await shop.merchant(referralShopRoutes.linkReferee, { body: link })
  const samples: number[] = []
  const commits: number[] = []
  for (let at = 0; at < SAMPLES; at += 1) {
    const begun = performance.now()
    const body = { eventKey: 'order', referenceID: 'c', amount: '10', externalID: `latency-${at}` }
    const { id } = await shop.merchant(referralShopRoutes.logReferralEvent, { body })
    while ((await numberOf(pool, `SELECT count(*) AS n FROM rewards WHERE set_log_id = ${id}`)) === 0);
    samples.push(performance.now() - begun)
    commits.push(
      await millisecondsOf(() =>
        pool.query(`
          INSERT INTO bench.entries (debit, credit, units) VALUES (1, 2, 1);
          UPDATE bench.accounts SET balance = balance - 1 WHERE id = 1;
          UPDATE bench.accounts SET balance = balance + 1 WHERE id = 2;`),
      ),
    )
  }
  return [0.5, 0.99].map((share) => ({
    name: `from a shop's call to the reward, p${share * 100}`,
    value: quantile(samples, share),
    unit: 'ms',
    limit: { name: 'one raw transaction and 100 ms', value: quantile(commits, share) + 100 },
  }))
}

async function longPast(app: App, pool: Pool, rewards: number): Promise<readonly Figure[]> {
  const ctx = asSystem(app.ctx)
  const projectId = await newProject(pool)
  await createEvent(ctx, projectId, { key: 'order', name: 'Order', eventType: 'payment' })
  const terms = { ...FLAT, rewardType: 'percentage', rewardValue: '10', name: 'Long', eventKeys: ['order'] }
  const { id: campaignId } = await createCampaign(ctx, projectId, terms)
  await pool.query(`UPDATE campaigns SET consider_events_from = now() - interval '500 days' WHERE id = ${campaignId}`)
  const unitId = await numberOf(pool, `SELECT unit_id AS n FROM campaigns WHERE id = ${campaignId}`)
  const eventId = await numberOf(
    pool,
    `SELECT id AS n FROM referral_events WHERE project_id = ${projectId} AND key = 'order'`,
  )
  const past = { projectId, eventId, campaignId, unitId }
  await fillProgramme(pool, rewards, past)
  return [await replayed(pool, past), ...(await readings(app, pool, past))]
}

type LoggedRow = { id: string; referred_by: number; amount: string; triggered_at: Date; units: string }

/** Plays every log through the reward rule again, and compares what it gives with what is owed. */
async function replayed(pool: Pool, { projectId, campaignId }: ProgrammePast): Promise<Figure> {
  const client = await pool.connect()
  const read = async (each: (row: LoggedRow) => void) => {
    await client.query('BEGIN')
    await client.query('SET LOCAL statement_timeout = 0')
    await client.query(`
      DECLARE logs NO SCROLL CURSOR FOR
      SELECT log.id::text, member.referred_by, log.amount::text, log.triggered_at, reward.units::text
      FROM event_logs AS log JOIN referrers AS member ON member.id = log.member_id
      LEFT JOIN rewards AS reward ON reward.campaign_id = ${campaignId} AND reward.set_log_id = log.id AND reward.side = 'referrer'
      WHERE log.project_id = ${projectId} ORDER BY log.id`)
    let count = 0
    for (;;) {
      const { rows } = await client.query<LoggedRow>('FETCH 10000 FROM logs')
      if (rows.length === 0) break
      count += rows.length
      for (const row of rows) each(row)
    }
    await client.query('COMMIT')
    return count
  }
  const campaign = {
    ...{ eventKeys: ['order'], type: 'forever' as const, months: null, occurrences: null, limitPerPerson: null },
    rewards: {
      referrer: { type: 'percentage' as const, value: parseUnits('10', REWARD_DECIMALS), cap: null },
      referee: null,
    },
    ...{ budget: null, given: 0n, isDefault: true, currencyCode: 'USD', startDate: null, endDate: null },
    ...{ status: 'active' as const, considerEventsFrom: new Date(0) },
  }
  const member = { isActive: true, referrer: { isActive: true, isAttached: false } }
  const none = { count: 0, units: 0n, firstAt: null }
  try {
    const begun = performance.now()
    const count = await read(({ id, amount, triggered_at, units }) => {
      const newest = { id: BigInt(id), eventKey: 'order', amount: BigInt(amount), triggeredAt: triggered_at }
      const verdict = reward(campaign, { member, newest, waiting: [] }, { referrer: none, referee: none })
      const given = verdict.kind === 'rewards' ? verdict.rewards[0]?.units : undefined
      if (given !== BigInt(units)) throw new Error(`Log ${id} earned ${units}, and ${given} when played again`)
    })
    const replayedIn = performance.now() - begun
    const readIn = await millisecondsOf(() => read(() => undefined))
    return {
      name: `${count.toLocaleString('en-US')} logs played again, with the same rewards`,
      value: (count * 1000) / replayedIn,
      unit: '/s',
      limit: { name: 'the same rows read in order', value: (count * 1000) / readIn },
    }
  } finally {
    client.release()
  }
}

const TIMES = 20

/** Every list at its first page, at one deep within and where little matches; totals beside them. */
async function readings(app: App, pool: Pool, { projectId, campaignId }: ProgrammePast): Promise<readonly Figure[]> {
  const { key } = await addSession(app, { projectId, permissions: ['referral:read'] })
  const call = caller(app)
  const p = String(projectId)
  const promoter = await numberOf(pool, `SELECT min(id) AS n FROM referrers WHERE project_id = ${projectId}`)
  const token = await tokenOf(app, projectId)
  const limit = { name: 'the goal', value: 50 }
  const figures: Figure[] = []
  const slowest = async (
    name: string,
    asks: readonly (() => Promise<{ status: number; text: string }>)[],
    goal = limit,
  ) => {
    let value = 0
    for (const ask of asks) {
      const samples: number[] = []
      for (let time = 0; time <= TIMES; time += 1) {
        const begun = performance.now()
        const { status, text } = await ask()
        if (time > 0) samples.push(performance.now() - begun)
        if (status !== 200) throw new Error(`${name} was answered with ${status}: ${text}`)
      }
      value = Math.max(value, quantile(samples, 0.95))
    }
    figures.push({ name, value, unit: 'ms', limit: goal })
  }
  const get = <R extends Route>(route: R, params: object, query: object = {}) =>
    call(route, { params: { p, ...params }, query } as never, { key })
  const list = (route: Route, params: object, queries: readonly object[]) =>
    queries.map((query) => () => get(route, params, query))
  const usual = [{}, { offset: 9_000 }]
  await slowest('campaigns, p95', list(campaignsRoutes.listCampaigns, {}, [{}]))
  const sorts = ['created_at', 'email', 'referee_count', 'total_rewards'].map((sortBy) => ({
    sortBy,
    isPromoter: true,
  }))
  await slowest('promoters by each column, p95', list(promotersRoutes.listPromoters, {}, sorts))
  await slowest(
    'promoters found by the start of an e-mail, p95',
    list(promotersRoutes.listPromoters, {}, [{ query: 'person-77' }]),
  )
  const ofCampaign = { id: campaignId }
  const statuses = [{ status: ['reversed'] }, { status: ['held'] }, { status: ['pending', 'reversed'] }]
  await slowest('rewards of a campaign, p95', list(campaignsRoutes.listCampaignRewards, ofCampaign, usual))
  await slowest(
    'rewards of a campaign in some states, p95',
    list(campaignsRoutes.listCampaignRewards, ofCampaign, statuses),
  )
  await slowest(
    'rewards of a promoter, p95',
    list(promotersRoutes.listPromoterRewards, { id: promoter }, [{}, ...statuses]),
  )
  await slowest('event logs, p95', list(referralEventsRoutes.listEventLogs, {}, usual))
  const five = { name: 'the goal', value: 5 }
  await slowest('totals of a campaign, p95', list(campaignsRoutes.getCampaignRewardsTotal, ofCampaign, [{}]), five)
  await slowest('totals of a promoter, p95', list(promotersRoutes.getPromoter, { id: promoter }, [{}]), five)
  const page = () => call(promoterPageRoutes.getPromoterPage, {}, { headers: { 'referral-token': token } })
  await slowest("a promoter's page, p95", [page])
  return figures
}

async function tokenOf(app: App, projectId: number): Promise<string> {
  const person = { email: 'person-1@mail.example', referenceID: 'person-1' }
  const { redirectURL } = await authenticateReferrer(asSystem(app.ctx), projectId, person)
  return redirectURL.split('/').at(-1) ?? ''
}
