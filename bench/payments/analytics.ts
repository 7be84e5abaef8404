/** Every graph of a dashboard over a long past, the cost of its figures for writers, and the speed of their compaction. */
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

import { DATE_PRESETS, type DatePreset, GRAPH_GROUPS } from '@kassa/contract/analytics/groups.ts'
import { analyticsRoutes } from '@kassa/contract/analytics/routes.ts'

import { openDatabase } from '../../apps/server/src/db/database.ts'
import { compactChanges } from '../../apps/server/src/modules/analytics/rollups/store.ts'
import { newPayment } from '../../e2e/shop.ts'
import type { Cleanup, Figure, Measurement, Options } from '../harness/figure.ts'
import { openInProcess } from '../harness/in-process.ts'
import type { Pool } from '../harness/limits.ts'
import { megabytesOf } from '../harness/memory.ts'
import { millisecondsOf, onlyWallet, pauseServer, serversOf } from './payment-search.ts'
import { fillPast } from './payment-rows.ts'
import { median, quantile } from '../harness/quantile.ts'
import { type Fill, openSetup, type Setup } from '../harness/setup.ts'

const PAYMENTS = { usual: 1_000_000, full: 10_000_000 } as const
const PROJECTS = 20

/** Each question is asked so often: the slowest of twelve stands for the 95th percentile. */
const TIMES = 12

/** Graphs are let through six times a second (api.md 1.7). */
const PAUSE_MS = 170

/** Spans that read different cells, days of a zone, weeks and months; in full each there is, five years among them. */
const PRESETS = {
  usual: ['last_30_days', 'last_6_months', 'forever'],
  full: DATE_PRESETS,
} as const satisfies Record<string, readonly DatePreset[]>

/** The longest span that may be asked for. */
const FIVE_YEARS = { start_date: yearsAgo(5, 1), end_date: yearsAgo(0, 0) }

/** Days of a zone that are no days of UTC: the longest way. */
const ZONE = 'Asia/Kolkata'

export const analytics: Measurement = { name: 'analytics', run }

async function run(cleanup: Cleanup, { isFull, keptIn }: Options): Promise<readonly Figure[]> {
  const setup = await openSetup(cleanup, { keptIn, fill: pastOf(isFull ? PAYMENTS.full : PAYMENTS.usual) })
  const dashboard = await dashboardFigures(setup)
  const graphs = await graphFigures(setup, isFull ? PRESETS.full : PRESETS.usual)
  return [
    ...graphs,
    ...dashboard,
    await compactionFigure(setup),
    ...(await writeFigures(setup)),
    ...(await creditingFigures(cleanup)),
  ]
}

/** Fills many projects with a past. */
function pastOf(payments: number, isUncounted = false): Fill {
  return async (pool, { project }) => {
    await pool.query(`INSERT INTO projects (name) SELECT 'Project ' || n FROM generate_series(2, ${PROJECTS}) AS n`)
    const { rows } = await pool.query<{ id: number }>('SELECT id FROM projects ORDER BY id')
    const past = { payments, projectId: Number(project), walletId: await onlyWallet(pool), isUncounted }
    await fillPast(pool, { ...past, projectIds: rows.map(({ id }) => id) })
  }
}

/** A past that was there before the analytics, counted by the program while it serves, as after an upgrade. */
export const backfill: Measurement = { name: 'backfill', run: runBackfill }

async function runBackfill(cleanup: Cleanup, { isFull }: Options): Promise<readonly Figure[]> {
  const payments = isFull ? PAYMENTS.full : PAYMENTS.usual
  const { instance, pool } = await openSetup(cleanup, { fill: pastOf(payments, true) })
  const servers = serversOf(instance)
  const before = megabytesOf(servers)
  let most = before
  await pool.query(`
    UPDATE rollup_backfill SET deposit_id = 0, last_deposit_id = (SELECT max(id) FROM deposits),
      customer_id = 0, last_customer_id = (SELECT max(id) FROM customers)`)
  const seconds = await secondsUntil(async () => {
    most = Math.max(most, megabytesOf(servers))
    return isCounted(pool)
  })
  return [
    {
      name: `a past of ${payments.toLocaleString('en-US')} payments counted and compacted`,
      value: (await count(pool, 'deposits')) / seconds,
      unit: '/s',
      limit: { name: 'deposits rewritten by one statement', value: await rewritten(pool) },
    },
    {
      name: 'memory that counting it adds to the server',
      value: most - before,
      unit: 'MB',
      limit: { name: 'its budget', value: 64 },
    },
  ]
}

async function isCounted(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ isdone: boolean }>(`
    SELECT deposit_id >= last_deposit_id AND customer_id >= last_customer_id
      AND NOT EXISTS (SELECT FROM rollup_changes) AND NOT EXISTS (SELECT FROM finality_time_changes) AS isdone
    FROM rollup_backfill`)
  return rows[0]?.isdone ?? false
}

async function secondsUntil(isDone: () => Promise<boolean>): Promise<number> {
  const begun = performance.now()
  while (!(await isDone())) await pause(250)
  return (performance.now() - begun) / 1000
}

async function count(pool: Pool, table: string): Promise<number> {
  const { rows } = await pool.query<{ count: bigint }>(`SELECT count(*) AS count FROM ${table}`)
  return Number(rows[0]?.count ?? 0n)
}

/** Deposits per second that one statement rewrites, with all of their indexes and no trigger. */
async function rewritten(pool: Pool): Promise<number> {
  const rows = 50_000
  const client = await pool.connect()
  try {
    await client.query('SET session_replication_role = replica; SET statement_timeout = 0')
    const ms = await millisecondsOf(() =>
      client.query(`UPDATE deposits SET counted_usd = counted_usd + 0
        WHERE id IN (SELECT id FROM deposits ORDER BY id LIMIT ${rows})`),
    )
    return (rows * 1000) / ms
  } finally {
    client.release(true)
  }
}

type Ask = (groupId: number, graphId: number, filters: Record<string, unknown>) => Promise<unknown>

/** Each graph of all projects and of one, over the preset that takes longest. */
async function graphFigures(setup: Setup, presets: readonly DatePreset[]): Promise<Figure[]> {
  const limit = {
    name: 'one index range read: the deposits of 30 days',
    value: quantile(await samplesOf(() => readRange(setup.pool), 0), 0.95),
  }
  const figures: Figure[] = []
  for (const p of ['all', setup.shop.project]) {
    for (const { id: groupId, graphs } of GRAPH_GROUPS) {
      for (const { id, name, filters } of graphs) {
        const asked = (filters as readonly number[]).includes(1) ? presets : [undefined]
        const slowest = { value: 0, preset: '' }
        for (const preset of asked) {
          const body = {
            timezone: ZONE,
            ...(preset && { analytics_date_filter: preset }),
            ...(preset === 'custom' && FIVE_YEARS),
          }
          const value = quantile(await samplesOf(() => askOf(setup, p)(groupId, id, body), PAUSE_MS), 0.95)
          if (value > slowest.value) Object.assign(slowest, { value, preset: preset ? `, ${preset}` : '' })
        }
        const whose = p === 'all' ? `${PROJECTS} projects` : 'one project'
        figures.push({ name: `${id} ${name}, ${whose}${slowest.preset}, p95`, value: slowest.value, unit: 'ms', limit })
      }
    }
  }
  return figures
}

function askOf({ shop }: Setup, p: string): Ask {
  return (g, k, body) =>
    shop.operator(analyticsRoutes.getGraphData, { params: { p, g: String(g), k: String(k) }, query: body })
}

async function readRange(pool: Pool): Promise<void> {
  await pool.query(`
    SELECT count(*), sum(counted_usd) FROM deposits WHERE status = 'applied' AND counted_usd IS NOT NULL
      AND project_id IN (SELECT id FROM projects) AND block_time >= now() - interval '30 days'`)
}

async function samplesOf(ask: () => Promise<unknown>, pauseMs: number): Promise<number[]> {
  await ask()
  const samples: number[] = []
  for (let time = 0; time < TIMES; time += 1) {
    await pause(pauseMs)
    samples.push(await millisecondsOf(ask))
  }
  return samples
}

/** All graphs of a dashboard at once, as a page asks for them: first after the program has started, then again and again. */
async function dashboardFigures(setup: Setup): Promise<Figure[]> {
  const all = GRAPH_GROUPS.flatMap(({ id, graphs }) => graphs.map((graph) => [id, graph.id] as const))
  const once = () => Promise.all(all.map(([g, k]) => askOf(setup, 'all')(g, k, { timezone: ZONE })))
  const cold = await millisecondsOf(once)
  const samples: number[] = []
  for (let time = 0; time < TIMES; time += 1) {
    // The bucket of calls fills up again.
    await pause(all.length * PAUSE_MS)
    samples.push(await millisecondsOf(once))
  }
  const name = `${all.length} graphs at once, ${PROJECTS} projects, last 30 days`
  const limit = { name: 'one after the other at 200 ms', value: all.length * 200 }
  return [
    { name: `${name}, cold`, value: cold, unit: 'ms', limit },
    { name: `${name}, warm, p95`, value: quantile(samples, 0.95), unit: 'ms', limit },
  ]
}

/** Changes added to the cells of five levels, beside as many rows written by one statement. */
async function compactionFigure({ pool, instance }: Setup): Promise<Figure> {
  const rows = 50_000
  const resume = pauseServer({ instance } as Setup)
  try {
    await pool.query(`
      INSERT INTO rollup_changes (kind, project_id, slot, asset_id, units, usd, count)
      SELECT 'paid', 1, 1900000 + n / 4, 7, 0, 0, 0 FROM generate_series(1, ${rows}) AS n`)
    const { db, close } = openDatabase(String(pool.options.connectionString))
    const ms = await millisecondsOf(() => compactChanges({ db }))
    await close()
    await pool.query('CREATE TABLE bench.cells AS SELECT * FROM rollup_changes LIMIT 0')
    const written = await millisecondsOf(() =>
      pool.query(`INSERT INTO bench.cells SELECT n, 'paid', 1, n, 7, 0, 0, 0 FROM generate_series(1, ${rows}) AS n`),
    )
    return {
      name: 'changes compacted',
      value: (rows * 1000) / ms,
      unit: '/s',
      limit: { name: 'as many rows written by one statement', value: (rows * 1000) / written },
    }
  } finally {
    resume()
  }
}

/** A payment of a new customer, with and without the figures it changes, in turns. */
async function writeFigures({ shop, pool }: Setup): Promise<Figure[]> {
  const samples = { on: [] as number[], off: [] as number[] }
  const run = Date.now()
  let customer = 0
  const create = () => newPayment(shop, '49', { customerID: `bench-${run}-${(customer += 1)}` })
  await create()
  for (let round = 0; round < 6; round += 1) {
    const side = round % 2 === 0 ? 'on' : 'off'
    await pool.query(`ALTER TABLE payments ${side === 'on' ? 'ENABLE' : 'DISABLE'} TRIGGER payments_requested`)
    for (let time = 0; time < 60; time += 1) {
      await pause(25)
      samples[side].push(await millisecondsOf(create))
    }
  }
  await pool.query('ALTER TABLE payments ENABLE TRIGGER payments_requested')
  // What was not counted meanwhile is, so that the figures of an install that is kept stay true.
  await pool.query(`
    UPDATE rollup_backfill SET last_customer_id = (SELECT max(id) FROM customers), customer_id = (
      SELECT min(id) - 1 FROM customers WHERE customer_id LIKE 'bench-${run}-%')`)
  await secondsUntil(() => isCounted(pool))
  return [
    {
      name: 'payment created by a new customer, with its figures',
      value: median(samples.on),
      unit: 'ms',
      limit: { name: 'without', value: median(samples.off) },
    },
  ]
}

const BATCH = 2_000
const ROUNDS = 6

/** Deposits made final at once and one by one, with and without the figures they change, in turns. */
async function creditingFigures(cleanup: Cleanup): Promise<Figure[]> {
  const program = await openInProcess(cleanup, (ROUNDS + 1) * (BATCH + 200))
  const rates = { on: [] as number[], off: [] as number[] }
  const times = { on: [] as number[], off: [] as number[] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    if (round === 1) await program.pool.query('ANALYZE')
    const side = round % 2 === 0 ? 'on' : 'off'
    await program.pool.query(`ALTER TABLE deposits ${side === 'on' ? 'ENABLE' : 'DISABLE'} TRIGGER deposits_rolled_up`)
    await program.pay(BATCH / 50, 50)
    const batch = await millisecondsOf(program.settle)
    const single = await millisecondsOf(async () => {
      for (let one = 0; one < 200; one += 1) await program.pay(1, 1)
    })
    await program.settle()
    // The first round warms up.
    if (round === 0) continue
    rates[side].push((BATCH * 1000) / batch)
    times[side].push(single / 200)
  }
  return [
    {
      name: `deposits made final, ${BATCH} at once, with their figures`,
      value: median(rates.on),
      unit: '/s',
      limit: { name: 'without', value: median(rates.off) },
    },
    {
      name: 'deposit credited, one block each, with its figures',
      value: median(times.on),
      unit: 'ms',
      limit: { name: 'without', value: median(times.off) },
    },
  ]
}

/** A date so many years and days ago, in UTC. */
function yearsAgo(years: number, days: number): string {
  const at = new Date()
  at.setUTCFullYear(at.getUTCFullYear() - years)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}
