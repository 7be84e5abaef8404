/** From the commit of an event to the first byte at the merchant's server, alone and beside a thousand dead endpoints. */
import { setTimeout as pause } from 'node:timers/promises'

import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'

import { LIVE_CHANNEL } from '../../apps/server/src/events/publisher.ts'
import { until } from '../../e2e/until.ts'
import { addDeadEndpoints } from './dead-endpoints.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import { CLIENTS, type Setup, openSetup } from '../harness/setup.ts'
import { commitAndPost } from '../harness/limits.ts'
import { type Arrivals, openArrivals } from '../harness/arrivals.ts'
import { repeat } from '../harness/load.ts'
import { quantile } from '../harness/quantile.ts'

/** Payments whose creation is delivered, a little less often than a key may make them. */
const PAYMENTS = 400
const PAUSE_MS = 25
/** Endpoints of the busy shop, as many as it may have, each with so many messages. */
const ENDPOINTS = 20
const MESSAGES = 200
const LIMIT_MS = 4_000

export const webhookDelivery: Measurement = { name: 'webhooks', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const setup = await openSetup(cleanup)
  const arrivals = await openArrivals(cleanup)
  const limit = async (clients: number) =>
    repeat({ clients, forMs: LIMIT_MS }, () => commitAndPost(setup.pool, `${arrivals.url}/limit`))
  const [one, many] = [await limit(1), await limit(CLIENTS)]
  const rate = await deliveriesPerSecond(setup, arrivals)
  const alone = await delays(setup, arrivals, cleanup)
  await addDeadEndpoints(setup.pool, cleanup)
  const crowded = await delays(setup, arrivals, cleanup)
  const time = (name: string, samples: readonly number[], share: number): Figure => ({
    name: `commit → first byte, ${name}, p${share * 100}`,
    value: quantile(samples, share),
    unit: 'ms',
    limit: { name: `one commit and one POST, p${share * 100}`, value: quantile(one.latenciesMs, share) },
  })
  return [
    {
      name: 'deliveries to 20 endpoints',
      value: rate,
      unit: '/s',
      limit: { name: `one commit and one POST each, ${CLIENTS} at a time`, value: many.perSecond },
    },
    ...[0.5, 0.99].map((share) => time('0 dead endpoints', alone, share)),
    ...[0.5, 0.99].map((share) => time('1,000 dead endpoints', crowded, share)),
    {
      name: 'commit → first byte, 1,000 dead endpoints, worst of the first 20',
      value: Math.max(...crowded.slice(0, 20)),
      unit: 'ms',
      limit: { name: 'worst of 20: one commit and one POST', value: Math.max(...one.latenciesMs.slice(0, 20)) },
    },
  ]
}

async function addEndpoint({ shop }: Setup, url: string, status: 'active' | 'inactive' = 'active') {
  const body = { url, status, events: ['payment.created'] }
  return shop.operator(webhooksRoutes.createWebhook, { params: { p: shop.project }, body })
}

let customers = 0

async function makePayments({ shop }: Setup, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const customerID = `c-${(customers += 1)}`
    const body = { customerID, customerEmail: `${customerID}@mail.example`, amountInUSD: '49' }
    await shop.merchant(paymentsRoutes.createPayment, { body })
    await pause(PAUSE_MS)
  }
}

/** Makes payments one after the other and gives what passed between the commit of each and its arrival. */
async function delays(setup: Setup, arrivals: Arrivals, cleanup: Cleanup): Promise<number[]> {
  const { id } = await addEndpoint(setup, `${arrivals.url}/delays/${Math.random()}`)
  const commits = new Map<string, number>()
  const client = await setup.pool.connect()
  cleanup(() => client.release())
  client.on('notification', ({ payload = '{}' }) => {
    const now = performance.now()
    const { name, referenceId } = JSON.parse(payload) as { name?: string; referenceId?: string }
    if (name === 'payment.created' && referenceId !== undefined) commits.set(referenceId, now)
  })
  await client.query(`LISTEN ${LIVE_CHANNEL}`)
  await makePayments(setup, PAYMENTS)
  const all = () => [...commits].filter(([reference]) => arrivals.of(reference) !== undefined)
  await until(
    'every payment to be delivered',
    () => all().length,
    (count) => count >= PAYMENTS,
  )
  await setup.shop.operator(webhooksRoutes.deleteWebhook, { params: { p: setup.shop.project, id } })
  return all().map(([reference, committed]) => (arrivals.of(reference) ?? Number.NaN) - committed)
}

/** Lets a shop's endpoints miss everything while they are off, and sends it all when they are on. */
async function deliveriesPerSecond(setup: Setup, arrivals: Arrivals): Promise<number> {
  const { operator, project } = setup.shop
  const endpoints: { id: number }[] = []
  for (let n = 0; n < ENDPOINTS; n += 1) {
    endpoints.push(await addEndpoint(setup, `${arrivals.url}/rate/${n}`, 'inactive'))
  }
  await makePayments(setup, MESSAGES)
  const params = (id: number) => ({ p: project, id })
  const [from, to] = [new Date(Date.now() - 3_600_000).toISOString(), new Date(Date.now() + 3_600_000).toISOString()]
  for (const { id } of endpoints) {
    await operator(webhooksRoutes.updateWebhook, { params: params(id), body: { status: 'active' } })
  }
  const before = arrivals.count()
  const begun = performance.now()
  for (const { id } of endpoints) {
    await operator(webhooksRoutes.replayDeliveries, { params: params(id), body: { from, to } })
  }
  const expected = ENDPOINTS * MESSAGES
  await until(
    'every message to arrive',
    () => arrivals.count() - before,
    (count) => count >= expected,
  )
  const seconds = (arrivals.last() - begun) / 1000
  for (const { id } of endpoints) await operator(webhooksRoutes.deleteWebhook, { params: params(id) })
  return expected / seconds
}
