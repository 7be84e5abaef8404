/** How fast the programme takes in what customers do, owes for it and takes back what it owed. */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

import { campaignsRoutes, referralEventsRoutes, referralShopRoutes } from '@kassa/contract/referral/routes.ts'

import { type Context, inTransaction } from '../../apps/server/src/context.ts'
import { createCampaign } from '../../apps/server/src/modules/referral/campaigns/service.ts'
import { countLog, countPending, followPayments } from '../../apps/server/src/modules/referral/counting/service.ts'
import { createEvent } from '../../apps/server/src/modules/referral/events/service.ts'
import { logEvent } from '../../apps/server/src/modules/referral/logs/service.ts'
import { authenticateReferrer, linkReferee } from '../../apps/server/src/modules/referral/referrers/service.ts'
import type { Cleanup, Figure } from '../harness/figure.ts'
import { type Pool, rawTransactions } from '../harness/limits.ts'
import { repeat } from '../harness/load.ts'
import { millisecondsOf } from '../payments/payment-search.ts'
import { quantile } from '../harness/quantile.ts'
import { openSetup } from '../harness/setup.ts'

export const CLIENTS = 16
const FOR_MS = 5_000

/** One dollar for every event. */
export const FLAT = {
  currencyCode: 'USD',
  campaignTypePerCustomer: 'forever',
  rewardType: 'flat_fee',
  rewardValue: '1',
} as const

export async function newProject(pool: Pool): Promise<number> {
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

/** A caller whose credential said the version of the configuration, as those of the API do: what is versioned is remembered. */
function asCaller(ctx: Context): Context {
  return { ...ctx, configVersion: 1n }
}

/** Logs stored, and rewards owed for them by the one process that counts: of one campaign, and of as many as there are clients. */
export async function throughput(ctx: Context, pool: Pool): Promise<readonly Figure[]> {
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
    let n = 0
    const stored = await repeat({ clients: CLIENTS, forMs: FOR_MS }, async (client) => {
      const input = { eventKey: `order-${client % campaigns}`, referenceID: people[client] ?? '', amount: '10' }
      await logEvent(asCaller(ctx), projectId, { ...input, externalID: `${projectId}-${(n += 1)}` })
    })
    if (campaigns === 1) {
      figures.push({ name: `event logs stored, ${CLIENTS} clients`, value: stored.perSecond, unit: '/s', limit })
    }
    const ms = await millisecondsOf(() => countPending(ctx))
    const owed = await numberOf(pool, `SELECT count(*) AS n FROM rewards WHERE project_id = ${projectId}`)
    if (owed !== n) throw new Error(`Of ${n} rewards ${owed} were given`)
    figures.push({
      name: `rewards owed, ${campaigns === 1 ? 'one campaign' : `${campaigns} campaigns`}, ${owed.toLocaleString('en-US')} logs waiting`,
      value: (owed * 1000) / ms,
      unit: '/s',
      limit,
    })
  }
  return figures
}

export async function numberOf(pool: Pool, query: string): Promise<number> {
  const { rows } = await pool.query<{ n: string }>(query)
  return Number(rows[0]?.n ?? 0)
}

/** A payment whose one log earned rewards of both sides in 500 campaigns loses its money. */
export async function reversal(ctx: Context, pool: Pool): Promise<Figure> {
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

const SAMPLES = 200

/** Calls before the first sample: a process that has just started compiles what it runs, and prepares its statements. */
const WARM_UP = 20

/** From the call of the shop to the reward that everybody can read, by the workers of the whole program. */
export async function latency(cleanup: Cleanup): Promise<readonly Figure[]> {
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
  for (let at = -WARM_UP; at < SAMPLES; at += 1) {
    const begun = performance.now()
    const body = { eventKey: 'order', referenceID: 'c', amount: '10', externalID: `latency-${at}` }
    const { id } = await shop.merchant(referralShopRoutes.logReferralEvent, { body })
    while ((await numberOf(pool, `SELECT count(*) AS n FROM rewards WHERE set_log_id = ${id}`)) === 0) await sleep(1)
    if (at < 0) continue
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
