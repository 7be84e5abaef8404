/** Payment links made by a merchant's server over HTTP, beside the raw transactions of the same database. */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'

import type { Cleanup, Figure, Measurement } from './figure.ts'
import { CLIENTS, type Setup, openSetup } from './setup.ts'
import { rawTransactions } from './limits.ts'
import { repeat } from './load.ts'
import { median, quantile } from './quantile.ts'

/** Both sides take turns, so that what else the machine does slows them alike. */
const ROUNDS = 4
const ROUND_MS = { measured: 5_000, limit: 2_000 } as const

/** Before it counts: code gets compiled, connections opened, and the addresses of the new wallet derived. */
const WARM_UP_MS = 5_000

/** As many as a project may have: each is let through 50 times a second (api.md 1.7). */
const KEYS = 20

export const paymentCreation: Measurement = { name: 'payments', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const setup = await openSetup(cleanup)
  const create = await createsPayments(setup, cleanup)
  await repeat({ clients: CLIENTS, forMs: WARM_UP_MS }, create)
  const measured = []
  const limits = []
  for (let round = 0; round < ROUNDS; round += 1) {
    limits.push(await rawTransactions(setup.pool, { clients: CLIENTS, forMs: ROUND_MS.limit }))
    measured.push(await repeat({ clients: CLIENTS, forMs: ROUND_MS.measured }, create))
    await pause(500)
  }
  const latencies = measured.flatMap(({ latenciesMs }) => latenciesMs)
  const rawLatencies = limits.flatMap(({ latenciesMs }) => latenciesMs)
  const time = (name: string, share: number): Figure => ({
    name: `payment created, ${CLIENTS} at a time, ${name}`,
    value: quantile(latencies, share),
    unit: 'ms',
    limit: { name: `one such transaction, ${name}`, value: quantile(rawLatencies, share) },
  })
  return [
    {
      name: 'payments created through HTTP',
      value: median(measured.map(({ perSecond }) => perSecond)),
      unit: '/s',
      limit: { name: 'durable double-entry transactions', value: median(limits.map(({ perSecond }) => perSecond)) },
    },
    time('p50', 0.5),
    time('p99', 0.99),
  ]
}

/** A merchant's server with open connections: each call is a payment of a customer nobody has seen before. */
async function createsPayments(
  { instance, shop }: Setup,
  cleanup: Cleanup,
): Promise<(client: number) => Promise<void>> {
  const keys = [shop.apiKey]
  while (keys.length < KEYS) {
    const params = { p: shop.project }
    const { key } = await shop.operator(apiKeysRoutes.createApiKey, {
      params,
      body: { name: `Cashier ${keys.length}` },
    })
    keys.push(key ?? '')
  }
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  cleanup(() => agent.destroy())
  const url = `${instance.url}/api/v1${paymentsRoutes.createPayment.paths[0]}`
  let made = 0
  return async () => {
    made += 1
    const body = { customerID: `cashier-${made}`, customerEmail: `cashier-${made}@mail.example`, amountInUSD: '49' }
    await post(agent, url, keys[made % KEYS] ?? '', JSON.stringify(body))
  }
}

/** @throws Error with the answer when it is a refusal: a refused payment costs less than one that is made. */
function post(agent: Agent, url: string, key: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'api-key': key, 'content-length': Buffer.byteLength(body) }
    const call = request(url, { agent, method: 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode = 0 } = response
        if (statusCode < 300) resolve()
        else reject(new Error(`A payment was refused with ${statusCode}: ${text}`))
      })
    })
    call.on('error', reject)
    call.end(body)
  })
}
