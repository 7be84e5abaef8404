/** The referral programme: how fast it takes in what customers do and owes for it, and how it reads after a million rewards. */
import { performance } from 'node:perf_hooks'

import { REWARD_DECIMALS } from '@kassa/contract/referral/rewards.ts'
import { campaignsRoutes, promotersRoutes, referralEventsRoutes } from '@kassa/contract/referral/routes.ts'
import type { Route } from '@kassa/contract/kit/route.ts'
import { promoterPageRoutes } from '@kassa/contract/referral/page-routes.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'

import type { App } from '../../apps/server/src/app.ts'
import { asSystem } from '../../apps/server/src/context.ts'
import { createCampaign } from '../../apps/server/src/modules/referral/campaigns/service.ts'
import { reward } from '../../apps/server/src/modules/referral/counting/rules.ts'
import { createEvent } from '../../apps/server/src/modules/referral/events/service.ts'
import { authenticateReferrer } from '../../apps/server/src/modules/referral/referrers/service.ts'
import { caller } from '../../apps/server/src/testing/app.ts'
import { addSession } from '../../apps/server/src/testing/accounts/credentials.ts'
import type { Cleanup, Figure, Measurement, Options } from '../harness/figure.ts'
import { type Pool, prepareTransactions } from '../harness/limits.ts'
import { millisecondsOf } from '../payments/payment-search.ts'
import { openProgram } from '../harness/program.ts'
import { quantile } from '../harness/quantile.ts'
import { CLIENTS, FLAT, latency, newProject, numberOf, reversal, throughput } from './owed.ts'
import { fillProgramme, type ProgrammePast } from './past.ts'

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
