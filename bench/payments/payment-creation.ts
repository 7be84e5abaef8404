/** Payment links made by a merchant's server over HTTP, beside the least server that could store them, and raw transactions. */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'

import type { Shop } from '../../e2e/shop.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import { CLIENTS, type Setup, openSetup } from '../harness/setup.ts'
import { rawTransactions, setFlushMs } from '../harness/limits.ts'
import { type Load, repeat } from '../harness/load.ts'
import { startPlainServer } from './plain-payments.ts'
import { median, quantile } from '../harness/quantile.ts'

/** Both sides take turns, so that what else the machine does slows them alike. */
const ROUNDS = 4
const ROUND_MS = { measured: 5_000, limit: 2_000 } as const

/** A flush to a network volume. */
const SLOW_FLUSH_MS = 3

/** Before it counts: code gets compiled, connections opened, and the addresses of the new wallet derived. */
const WARM_UP_MS = 5_000

/** With the one of the shop as many as a project may have: each is let through 50 times a second (api.md 1.7), which is too little for one project. */
const KEYS = 19

export const paymentCreation: Measurement = { name: 'payments', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const setup = await openSetup(cleanup)
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  cleanup(() => agent.destroy())
  const create = await createsPayments(setup, agent)
  const plain = await createsPlainly(setup, agent, cleanup)
  await repeat({ clients: CLIENTS, forMs: WARM_UP_MS }, create)
  await repeat({ clients: CLIENTS, forMs: WARM_UP_MS }, plain)
  const raw: Work = (forMs) => rawTransactions(setup.pool, { clients: CLIENTS, forMs })
  const works = [raw, timesOf(plain), timesOf(create)] as const
  const [limits, plains, measured] = await inTurns(works)
  await setFlushMs(setup.pool, SLOW_FLUSH_MS)
  const [, slowPlains, slow] = await inTurns(works)
  const name = 'payments created through HTTP'
  const least = 'Fastify and pg: four statements in one transaction'
  const time = (percentile: string, share: number): Figure => ({
    name: `payment created, ${CLIENTS} at a time, ${percentile}`,
    value: quantile(latenciesOf(measured), share),
    unit: 'ms',
    limit: { name: `one of Fastify and pg, ${percentile}`, value: quantile(latenciesOf(plains), share) },
  })
  return [
    { name, value: rateOf(measured), unit: '/s', limit: { name: least, value: rateOf(plains) } },
    {
      name,
      value: rateOf(measured),
      unit: '/s',
      limit: { name: 'durable double-entry transactions', value: rateOf(limits) },
    },
    {
      name: `${name}, ${SLOW_FLUSH_MS} ms a flush`,
      value: rateOf(slow),
      unit: '/s',
      limit: { name: least, value: rateOf(slowPlains) },
    },
    time('p50', 0.5),
    time('p99', 0.99),
  ]
}

type Work = (forMs: number) => Promise<Load>

const timesOf =
  (work: (client: number) => Promise<void>): Work =>
  (forMs) =>
    repeat({ clients: CLIENTS, forMs }, work)

/** What both limits and the program do, one after the other, a few times over. */
async function inTurns([raw, plain, create]: readonly [Work, Work, Work]): Promise<[Load[], Load[], Load[]]> {
  const loads: [Load[], Load[], Load[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    loads[0].push(await raw(ROUND_MS.limit))
    loads[1].push(await plain(ROUND_MS.limit))
    loads[2].push(await create(ROUND_MS.measured))
    await pause(500)
  }
  return loads
}

function rateOf(loads: readonly Load[]): number {
  return median(loads.map(({ perSecond }) => perSecond))
}

function latenciesOf(loads: readonly Load[]): number[] {
  return loads.flatMap(({ latenciesMs }) => latenciesMs)
}

/** The same client, with the least server in a process of its own. */
async function createsPlainly({ pool }: Setup, agent: Agent, cleanup: Cleanup): Promise<() => Promise<void>> {
  const url = await startPlainServer(pool, cleanup)
  let made = 0
  return async () => {
    made += 1
    await post(agent, url, 'plain', JSON.stringify(bodyOf(`plain-${made}`)))
  }
}

function bodyOf(customerID: string) {
  return { customerID, customerEmail: `${customerID}@mail.example`, amountInUSD: '49' }
}

/** The servers of two projects with open connections: each call is a payment of a new customer. */
async function createsPayments({ instance, shop }: Setup, agent: Agent): Promise<() => Promise<void>> {
  const projects = [shop.project, await secondProject(shop)]
  const keys = (await Promise.all(projects.map((project) => newKeys(shop, project)))).flat()
  const url = `${instance.url}/api/v1${paymentsRoutes.createPayment.paths[0]}`
  let made = 0
  return async () => {
    made += 1
    await post(agent, url, keys[made % keys.length] ?? '', JSON.stringify(bodyOf(`cashier-${made}`)))
  }
}

/** A project whose customers pay to the wallet of the shop. */
async function secondProject({ operator, project }: Shop): Promise<string> {
  const [wallet] = await operator(walletsRoutes.listWalletsOfProject, { params: { p: project } })
  const { id } = await operator(projectsRoutes.createProject, { body: { name: 'Acme Two' } })
  const wallets = [{ walletID: wallet?.id ?? 0, blockchainFamily: 'ETH_Family' }]
  await operator(walletsRoutes.linkWallets, { params: { p: String(id) }, body: { wallets } })
  return String(id)
}

async function newKeys({ operator }: Shop, p: string): Promise<string[]> {
  const keys: string[] = []
  while (keys.length < KEYS) {
    const { key } = await operator(apiKeysRoutes.createApiKey, {
      params: { p },
      body: { name: `Cashier ${keys.length}` },
    })
    keys.push(key ?? '')
  }
  return keys
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
