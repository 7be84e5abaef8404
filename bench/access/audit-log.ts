/** The activity log at a million entries: verifying its chain, proving its export, and searching it by each column. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { AuditQuery } from '@kassa/contract/audit/inputs.ts'

import { asSystem, type Context } from '../../apps/server/src/context.ts'
import {
  exportEntries,
  listEntryPage,
  sealEntries,
  verifyEntries,
} from '../../apps/server/src/modules/audit/service.ts'
import { runTool } from '../../scripts/checks/command.ts'
import type { Cleanup, Figure, Measurement, Options } from '../harness/figure.ts'
import type { Pool } from '../harness/limits.ts'
import { openProgram } from '../harness/program.ts'
import { quantile } from '../harness/quantile.ts'
import { secondsOf } from '../harness/seconds.ts'

const ENTRIES = { usual: 1_000_000, full: 10_000_000 } as const

/** Each question is asked so often, each time about another value. */
const TIMES = 20

/** What the setting of the export allows. */
const MOST_EXPORTED = 1_000_000

const ROOT = join(import.meta.dirname, '../..')

/** Rows of one page of the screen. */
const PAGE = 50

export const auditLog: Measurement = { name: 'audit', run }

async function run(cleanup: Cleanup, { isFull }: Options): Promise<readonly Figure[]> {
  // For a look at whether it runs; a figure of a few entries says nothing.
  const entries = Number(process.env['KASSA_BENCH_ENTRIES'] ?? (isFull ? ENTRIES.full : ENTRIES.usual))
  const { app, pool, home } = await openProgram(cleanup)
  const ctx = asSystem(app.ctx)
  await fill(pool, entries)
  const sealing = await secondsOf(async () => void (await sealEntries(ctx)))
  const verifying = await secondsOf(async () => {
    const { ok, checked } = await verifyEntries(ctx)
    if (!ok || checked !== entries) throw new Error(`${checked} of ${entries} entries were verified: ${ok}`)
  })
  const hashing = await hashedPerSecond(pool)
  await pool.query('VACUUM ANALYZE audit_entries, audit_seals')
  const limit = { name: 'SHA-256 of as many bytes', value: hashing }
  return [
    { name: 'entries of the activity log sealed', value: entries / sealing, unit: '/s', limit },
    { name: 'entries of the activity log verified', value: entries / verifying, unit: '/s', limit },
    await proving(ctx, pool, { entries, file: join(home, 'activity-log.jsonl') }),
    ...(await searches(ctx, pool, entries)),
  ]
}

/** A year of a busy install: nine in ten entries are payments by key, the others what people do, some of it refused. */
async function fill(pool: Pool, entries: number): Promise<void> {
  await pool.query(`
    INSERT INTO audit_entries (at, category, event, action, method, path, status, status_code, error_code, operator_id,
      operator_email, role, key_id, session_id, project_id, ip, user_agent, referer, request_id, changes)
    SELECT now() - (${entries} - n) * interval '1 year' / ${entries}, category, event,
      CASE WHEN event = 'signIn' THEN 'LOGIN' ELSE 'WRITE' END, 'POST',
      CASE WHEN isKey THEN '/payment' ELSE '/' || event || '/' || n % 1000 END,
      CASE WHEN isRefused THEN 'DENIED' ELSE 'SUCCESS' END, CASE WHEN isRefused THEN 403 ELSE 200 END,
      CASE WHEN isRefused THEN 'FORBIDDEN' END,
      CASE WHEN NOT isKey THEN n % 50 + 1 END, CASE WHEN NOT isKey THEN 'member-' || n % 50 || '@shop.example' END,
      CASE WHEN isKey THEN 'platform_admin' ELSE (ARRAY['root', 'project_lead', 'auditor'])[n % 3 + 1] END,
      CASE WHEN isKey THEN n % 40 + 1 END, CASE WHEN NOT isKey THEN n % 500 + 1 END, n % 20 + 1,
      '203.0.113.' || n % 200, 'Browser/1', '', md5(n::text),
      CASE WHEN NOT isKey THEN '{"before":{"name":"' || n || '"},"after":{"name":"' || n + 1 || '"}}' END
    FROM (
      SELECT n, n % 10 <> 0 AS isKey, n % 1000 = 10 AS isRefused,
        (CASE WHEN n % 10 <> 0 THEN 'createPayment'
          ELSE (ARRAY['signIn', 'changeProject', 'createApiKey', 'replaceRoles'])[n / 10 % 4 + 1] END) AS event,
        (CASE WHEN n % 10 <> 0 THEN 'money'
          ELSE (ARRAY['access', 'projects', 'developers', 'access'])[n / 10 % 4 + 1] END) AS category
      FROM generate_series(1, ${entries}) AS n
    ) AS made`)
  await pool.query('ANALYZE audit_entries')
}

async function hashedPerSecond(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ line: string }>(
    'SELECT entry::text AS line FROM audit_entries AS entry LIMIT 20000',
  )
  const seconds = await secondsOf(() => {
    for (const { line } of rows) createHash('sha256').update(line).digest('hex')
  })
  return rows.length / seconds
}

/** How fast `npm run verify-log`, from its start to its end, proves a file with as many entries as one may hold. */
async function proving(
  ctx: Context,
  pool: Pool,
  { entries, file }: { entries: number; file: string },
): Promise<Figure> {
  const rows = Math.min(entries, MOST_EXPORTED)
  await pool.query("INSERT INTO configuration (key, value) VALUES ('activity.log.export.limit', $1)", [String(rows)])
  await writeFile(file, linesOf(await exportEntries(ctx, 'every', {})))
  const seconds = await secondsOf(async () => {
    const { code, output } = await runTool(ROOT, 'node', ['apps/server/src/commands/verify-log.ts', file])
    if (code !== 0 || !output.includes(`${rows} entries from`)) throw new Error(output)
  })
  const hashing = await secondsOf(async () => {
    const hash = createHash('sha256')
    for await (const piece of createReadStream(file)) hash.update(piece as Buffer)
    hash.digest('hex')
  })
  return {
    name: `entries of an exported file proven by verify-log, at ${rows.toLocaleString('en-US')}`,
    value: rows / seconds,
    unit: '/s',
    limit: { name: 'SHA-256 of the same file', value: rows / hashing },
  }
}

async function* linesOf(rows: AsyncIterable<object>): AsyncGenerator<string, void> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}

/** The same question about other values. */
type Question = (n: number) => AuditQuery

const day = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString().slice(0, 10)

const QUESTIONS: Readonly<Record<string, Question>> = {
  'everything, newest first': () => ({}),
  'by member': (n) => ({ memberIDs: [(n % 50) + 1] }),
  'by member and event': (n) => ({ memberIDs: [(n % 50) + 1], eventName: ['createApiKey'] }),
  'by API key': (n) => ({ apiKeyIDs: [(n % 40) + 1] }),
  'by role': (n) => ({ roles: [['root', 'project_lead', 'auditor'][n % 3] ?? ''] }),
  'by category': (n) => ({
    eventCategory: [(['access', 'developers', 'vaults', 'money'] as const)[n % 4] ?? 'access'],
  }),
  'by event': (n) => ({ eventName: [['replaceRoles', 'deleteRole', 'createPayment'][n % 3] ?? ''] }),
  'by project': (n) => ({ projectIDs: [(n % 20) + 1] }),
  refused: () => ({ apiStatus: ['DENIED', 'FAILURE'] }),
  'by address': (n) => ({ query: `203.0.113.${n % 220}` }),
  'by e-mail': (n) => ({ query: `member-${n % 60}@` }),
  'by path': (n) => ({ query: `/signIn/${n * 10}` }),
  'by number': (n) => ({ query: String(n * 37) }),
  'of one day, long ago': (n) => ({ startDate: day(200 + n), endDate: day(200 + n) }),
}

async function searches(ctx: Context, pool: Pool, entries: number): Promise<Figure[]> {
  const page = await timed(async (n) => {
    const from = Math.max(PAGE, Math.floor((entries / (TIMES + 1)) * (n + 1)))
    await pool.query('SELECT * FROM audit_entries WHERE id <= $1 ORDER BY id DESC LIMIT 50', [from])
  })
  const limit = { name: `${PAGE} rows by primary key, p95`, value: page }
  const figures: Figure[] = []
  for (const [name, question] of Object.entries(QUESTIONS)) {
    const value = await timed(async (n) => void (await listEntryPage(ctx, 'every', { ...question(n), limit: PAGE })))
    figures.push({ name: `activity log ${name}, p95 at ${entries.toLocaleString('en-US')}`, value, unit: 'ms', limit })
  }
  return figures
}

async function timed(ask: (n: number) => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < TIMES; n += 1) times.push((await secondsOf(() => ask(n))) * 1000)
  return quantile(times, 0.95)
}
