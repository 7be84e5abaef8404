/** Finding, listing, counting and exporting payments of a shop with a long past, through the API. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

import type { PaymentSearch } from '@kassa/contract/payments/inputs.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'

import { keyFor, keysOf } from '../../apps/server/src/config/keys.ts'
import { filterName, sealCursor } from '../../apps/server/src/paging/cursor.ts'
import { readFilter } from '../../apps/server/src/modules/payments/search/rules.ts'
import type { Cleanup, Figure, Measurement, Options } from '../harness/figure.ts'
import { type Setup, openSetup } from '../harness/setup.ts'
import type { Pool } from '../harness/limits.ts'
import { megabytesOf } from '../harness/memory.ts'
import { fillPast } from './payment-rows.ts'
import { median } from '../harness/quantile.ts'

const PAYMENTS = { usual: 1_000_000, full: 10_000_000 } as const

/** Rows of one page of the dashboard. */
const PAGE = 50

/** Each question is asked so often; the median counts. */
const TIMES = 15

/** Searches are let through six times a second (api.md 1.7). */
const PAUSE_MS = 170

export const paymentSearch: Measurement = { name: 'search', run }

async function run(cleanup: Cleanup, { isFull, keptIn }: Options): Promise<readonly Figure[]> {
  const payments = isFull ? PAYMENTS.full : PAYMENTS.usual
  const setup = await openSetup(cleanup, {
    keptIn,
    fill: async (pool, { project }) => {
      await fillPast(pool, { payments, projectId: Number(project), walletId: await onlyWallet(pool) })
    },
  })
  const rows = await middleOf(() => rowsByKey(setup.pool))
  const among = `among ${payments.toLocaleString('en-US')} payments`
  const figures: Figure[] = []
  const limit = { name: `${PAGE} rows by primary key`, value: rows }
  for (const [p, whose] of [
    [setup.shop.project, ''],
    ['all', ', all projects'],
  ] as const) {
    for (const [name, ask] of Object.entries(await questions(setup, p))) {
      figures.push({ name: `${name} ${among}${whose}`, value: await middleOf(ask), unit: 'ms', limit })
    }
  }
  const own = await countOf(setup)
  // Ten times the rows take ten times as long and tell nothing new.
  return own > PAYMENTS.usual ? figures : [...figures, ...(await exported(setup, own))]
}

/** Pauses the program, whose reads of tables without indexes would slow down the filling; the database continues. */
export function pauseServer({ instance }: Setup): () => void {
  const servers = serversOf(instance)
  for (const pid of servers) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of servers) process.kill(pid, 'SIGCONT')
  }
}

/** Payments of the shop's own project: a kept install may have several. */
async function countOf({ pool, shop }: Setup): Promise<number> {
  const { rows } = await pool.query<{ payments: string }>(
    'SELECT sum(payments) AS payments FROM payment_counts WHERE project_id = $1',
    [shop.project],
  )
  return Number(rows[0]?.payments ?? 0)
}

/** The processes of the program itself, without its database. */
export function serversOf(instance: Setup['instance']): number[] {
  const isServer = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('apps/server/build/main.js')
  return instance.processes().filter(isServer)
}

async function questions(setup: Setup, p: string): Promise<Readonly<Record<string, () => Promise<unknown>>>> {
  const search = (body: PaymentSearch) => () =>
    setup.shop.operator(paymentsRoutes.searchProjectPayments, {
      params: { p },
      body: { limit: PAGE, ...body },
    })
  const { rows } = await setup.pool.query<{ id: bigint; at: string; tx_id: string; reference_id: string }>(`
    SELECT payment.id, payment.created_at::text AS at, payment.reference_id, deposit.tx_id
    FROM payments AS payment JOIN deposits AS deposit ON deposit.payment_id = payment.id
    WHERE payment.id > (SELECT (min(id) + max(id)) / 2 FROM payments WHERE id > 1000000)
      AND payment.project_id = ${setup.shop.project} ORDER BY payment.id LIMIT 1`)
  const [middle] = rows
  if (!middle) throw new Error('The past is empty')
  const summary = { params: { p } }
  return {
    'first page': search({}),
    'page in the middle': search({ cursor: cursorAt(setup, middle, p === 'all' ? 'every' : [Number(p)]) }),
    'page by status': search({ paymentStatus: ['PARTIALLY_FILLED'] }),
    'page by currency and network': search({ currency: ['USDC'], network: ['BASE'] }),
    'page by a state that none is in': search({ paymentStatus: ['OVER_FILLED'] }),
    'page of what needs attention': search({ paymentStatus: ['NEEDS_ATTENTION'] }),
    'page by change': search({ sortBy: 'updated_at' }),
    'page by amount': search({ sortBy: 'amount_in_usd' }),
    'page of what was paid on a day': search({ dateField: 'paid', dateFrom: daysAgo(3), dateTo: daysAgo(2) }),
    'search by transaction': search({ query: middle.tx_id }),
    'search by the start of an e-mail': search({ query: 'payer-77777' }),
    'search by what all begin with': search({ query: 'payer' }),
    summary: () => setup.shop.operator(paymentsRoutes.summarizeProjectPayments, summary),
    'summary of 30 days': () =>
      setup.shop.operator(paymentsRoutes.summarizeProjectPayments, { ...summary, query: { dateFrom: daysAgo(30) } }),
  }
}

/** A cursor at a row deep in the list, sealed as the server would. */
function cursorAt(
  { instance }: Setup,
  { id, at }: { id: bigint; at: string },
  projectIds: readonly number[] | 'every',
): string {
  const masterKey = Buffer.from(readFileSync(join(instance.home, 'master.key'), 'utf8').trim(), 'hex')
  const keys = keysOf(masterKey, ['api'])
  const filter = filterName('payments', readFilter({}, projectIds))
  return sealCursor(keyFor({ keys }, 'cursor'), {
    sort: 'created_at',
    isAscending: false,
    filter,
    key: at,
    id: String(id),
    isBackwards: false,
  })
}

/** The whole file, read as fast as it comes, and what it costs the server in memory. */
async function exported({ instance, shop, pool }: Setup, payments: number): Promise<Figure[]> {
  const url = `${instance.url}/api/v1${paymentsRoutes.exportPayments.paths[0].replace('{p}', shop.project)}`
  const servers = serversOf(instance)
  const before = megabytesOf(servers)
  let most = before
  const watch = setInterval(() => (most = Math.max(most, megabytesOf(servers))), 500)
  const begun = performance.now()
  const response = await fetch(url, { headers: { 'api-key': shop.session } })
  let bytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) bytes += chunk.byteLength
  const seconds = (performance.now() - begun) / 1000
  clearInterval(watch)
  if (!response.ok || bytes < payments * 100)
    throw new Error(`The export ended with ${response.status} after ${bytes} bytes`)
  const copied = await millisecondsOf(() => pool.query("COPY payments TO '/dev/null'"))
  return [
    {
      name: 'payments exported as CSV',
      value: payments / seconds,
      unit: '/s',
      limit: { name: 'rows copied by the database', value: (payments * 1000) / copied },
    },
    {
      name: 'memory that the export adds to the server',
      value: most - before,
      unit: 'MB',
      limit: { name: 'its budget', value: 64 },
    },
  ]
}

export async function onlyWallet(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM wallets')
  return rows[0]?.id ?? 0
}

async function rowsByKey(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: bigint }>('SELECT max(id) / 2 AS id FROM payments')
  const middle = Number(rows[0]?.id ?? 0n)
  const ids = Array.from({ length: PAGE }, (_, at) => middle + at * 997)
  await pool.query('SELECT * FROM payments WHERE id = ANY ($1::bigint[])', [ids])
}

async function middleOf(ask: () => Promise<unknown>): Promise<number> {
  await ask()
  const samples: number[] = []
  for (let time = 0; time < TIMES; time += 1) {
    await pause(PAUSE_MS)
    samples.push(await millisecondsOf(ask))
  }
  return median(samples)
}

export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}
