import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { auditRoutes } from '@kassa/contract/audit/routes.ts'
import type { AuditEntry } from '@kassa/contract/audit/schemas.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { asSystem } from '../../context.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { openAlarms } from '../alarms/service.ts'
import { checkEntries, flushRefusals, sealEntries } from './service.ts'

let app: TestApp
let root: string
let shop: Shop
let other: Shop
let home: string

type Query = NonNullable<RouteCall<typeof auditRoutes.listAuditEntries>['query']>

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'kassa-audit-'))
  app = await testApp()
  root = await app.signUp()
  shop = await openShop(app, root)
  other = await openShop(app, root, 'Other')
})
afterAll(async () => {
  await app.stop()
  rmSync(home, { recursive: true })
})

const list = async (query: Query = {}, key = root) =>
  (await app.call(auditRoutes.listAuditEntries, { query }, { key })).body
const newest = async (query: Query = {}) => (await list({ ...query, limit: 1 })).data[0] as AuditEntry
const pay = (key: string, headers = {}) =>
  app.call(
    paymentsRoutes.createPayment,
    { body: { customerID: 'c1', customerEmail: 'payer@example.com', amountInUSD: '10' } },
    { key, headers },
  )
/** Waits for transactions of other databases of the server as well. */
const sealAll = () =>
  vi.waitFor(
    async () => {
      await sealEntries(asSystem(app.ctx), 0)
      expect((await newest()).hash).not.toBeNull()
    },
    { timeout: 20_000, interval: 20 },
  )

describe('audit: what a call leaves', () => {
  it('names who did what from where, with what changed and without secrets', async () => {
    await app.call(
      projectsRoutes.changeProject,
      { params: { p: shop.p }, body: { name: 'Renamed shop' } },
      { key: root, headers: { 'user-agent': 'Browser/1', referer: 'https://pay.example/settings?token=secret' } },
    )
    expect(await newest()).toMatchObject({
      eventName: 'changeProject',
      eventCategory: 'projects',
      apiAction: 'WRITE',
      apiStatus: 'SUCCESS',
      statusCode: 200,
      method: 'PUT',
      apiPart: `/external-platform/${shop.p}`,
      Member: { id: 1, email: TEST_EMAIL },
      role: 'root',
      projectIDs: [shop.projectId],
      externalPlatforms: [{ id: shop.projectId, name: 'Renamed shop' }],
      userAgent: 'Browser/1',
      referer: 'https://pay.example/settings',
      ipAddress: '127.0.0.1',
    })
    const { id, metadata } = await newest()
    expect(JSON.parse(metadata)).toMatchObject({ before: { name: 'Shop' }, after: { name: 'Renamed shop' } })
    expect((await app.call(auditRoutes.getAuditEntry, { params: { id } }, { key: root })).body.id).toBe(id)
    const absent = await app.call(auditRoutes.getAuditEntry, { params: { id: 999_999 } }, { key: root })
    expect([absent.status, absent.refusal?.code]).toEqual([404, 'AUDIT_ROW_NOT_FOUND'])
  })

  it('leaves one entry of a repeated call, and none of one that was rolled back', async () => {
    const before = (await list()).total_count
    const headers = { 'idempotency-key': 'once' }
    expect((await pay(shop.apiKey, headers)).status).toBe(200)
    const again = await pay(shop.apiKey, headers)
    expect(again.headers['idempotency-replayed']).toBe('key')
    const refused = await app.call(
      paymentsRoutes.createPayment,
      { body: { customerID: 'c1', customerEmail: 'payer@example.com', amountInUSD: '-1' } },
      { key: shop.apiKey },
    )
    expect(refused.status).toBe(400)
    expect((await list()).total_count).toBe(before + 1)
    expect(await newest()).toMatchObject({
      eventName: 'createPayment',
      eventCategory: 'money',
      role: 'platform_admin',
      Member: null,
      projectIDs: [shop.projectId],
      statusCode: 200,
    })
  })

  it('names who signed in, which the call itself does not carry', async () => {
    await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })
    expect(await newest()).toMatchObject({ eventName: 'signIn', apiAction: 'LOGIN', Member: { id: 1 } })
    expect((await newest()).metadata).not.toContain(TEST_PASSWORD)
  })

  it('is never changed or removed', async () => {
    for (const statement of ['UPDATE audit_entries SET ip = ip', 'DELETE FROM audit_entries', 'TRUNCATE audit_seals']) {
      await expect(sql.raw(statement).execute(app.ctx.db)).rejects.toThrow('never changed or removed')
    }
  })
})

describe('audit: what was refused', () => {
  beforeEach(() => flushRefusals(app.ctx))
  const denied = async () => (await list({ apiStatus: ['DENIED', 'FAILURE'] })).data

  it('writes the first refusal at once and counts the others of the minute', async () => {
    const before = (await denied()).length
    for (let n = 0; n < 5; n += 1) {
      await app.call(auditRoutes.listAuditEntries, {}, { key: shop.apiKey })
    }
    expect((await denied()).length).toBe(before + 1)
    await flushRefusals(app.ctx)
    expect((await denied()).slice(0, 2).map(({ count }) => count)).toEqual([4, 1])
    expect((await denied())[0]).toMatchObject({
      eventName: 'listAuditEntries',
      apiAction: 'READ',
      apiStatus: 'DENIED',
      statusCode: 403,
      errorCode: 'FORBIDDEN',
      projectIDs: [shop.projectId],
    })
  })

  it('counts wrong passwords by address, and says neither password nor e-mail', async () => {
    await app.call(authRoutes.signIn, { body: { email: 'guess@shop.example', password: 'Wrong.Horse9' } })
    const entry = (await denied())[0]
    expect(entry).toMatchObject({ eventName: 'signIn', apiStatus: 'FAILURE', errorCode: 'INVALID_CREDENTIALS' })
    expect(JSON.stringify(entry)).not.toMatch(/Wrong|guess@/)
  })

  it('writes a bounded number of entries, however many callers there are', async () => {
    const before = (await denied()).length
    for (let n = 0; n < 80; n += 1) {
      await app.http.inject({
        url: '/api/v1/member/me',
        headers: { host: 'localhost:8080' },
        remoteAddress: `10.0.0.${n}`,
      })
    }
    await flushRefusals(app.ctx)
    const entries = (await denied()).slice(0, -before || undefined)
    expect(entries.length).toBe(32)
    expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(80)
    expect(entries[0]).toMatchObject({ eventName: 'manyCallers', errorCode: 'UNAUTHORIZED', count: 49, ipAddress: '' })
  })
})

describe('audit: the list', () => {
  it('is searched by every column', async () => {
    const { operatorId, key } = await addOperator(app, { projectId: other.projectId, role: 'project_lead' })
    await app.call(authRoutes.changeMe, { body: { name: 'Lea' } }, { key })
    const made = await app.call(
      apiKeysRoutes.createApiKey,
      { params: { p: other.p }, body: { name: 'Second' } },
      { key },
    )
    await pay(made.body.key ?? '')
    const found = async (query: Query) => (await list(query)).data.map(({ eventName }) => eventName)
    expect(await found({ memberIDs: [operatorId] })).toEqual(['createApiKey', 'changeMe', 'signIn'])
    expect(await found({ memberIDs: [operatorId], roles: ['project_lead'], eventCategory: ['developers'] })).toEqual([
      'createApiKey',
    ])
    expect(await found({ apiKeyIDs: [made.body.id] })).toEqual(['createPayment'])
    expect(await found({ projectIDs: [other.projectId], eventName: ['createPayment', 'createApiKey'] })).toEqual([
      'createPayment',
      'createApiKey',
      'createApiKey',
    ])
    expect(await found({ memberIDs: [operatorId], excludeActionStatusPairs: ['LOGIN:SUCCESS'] })).toEqual([
      'createApiKey',
      'changeMe',
    ])
    const { Member, id } = await newest({ memberIDs: [operatorId] })
    expect(await found({ query: Member?.email.slice(0, 20) ?? '' })).toEqual(['createApiKey', 'changeMe', 'signIn'])
    expect(await found({ query: String(id) })).toEqual(['createApiKey'])
    expect(await found({ query: `/api/v1/external-platform/${other.p}/api-key` })).toEqual([
      'createApiKey',
      'createApiKey',
    ])
    expect(await found({ query: '10.9.9.9' })).toEqual([])
    expect((await list({ query: '127.0.0.1' })).total_count).toBeGreaterThan(10)
    expect(await found({ startDate: '2001-01-01', endDate: '2001-12-31' })).toEqual([])
    expect((await list({ startDate: new Date().toISOString().slice(0, 10) })).total_count).toBe(
      (await list()).total_count,
    )
    const bad = await app.call(auditRoutes.listAuditEntries, { query: { startDate: 'soon' } }, { key: root })
    expect([bad.status, bad.refusal?.fields]).toEqual([400, { startDate: 'Use a date such as 2026-01-31' }])
    const categories = await app.call(auditRoutes.listAuditCategories, {}, { key: root })
    expect(categories.body).toContain('money')
  })

  it('pages by a cursor in both directions and gives each entry once', async () => {
    const ids: number[] = []
    let cursor: string | undefined
    let back: string | null = null
    for (;;) {
      const page = await list({ limit: 3, ...(cursor && { cursor }) })
      ids.push(...page.data.map(({ id }) => id))
      back = page.prevCursor
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect(ids.length).toBe((await list()).total_count)
    const earlier = await list({ limit: 3, cursor: back ?? '' })
    expect(earlier.data.every(({ id }) => id > (ids.at(-1) ?? 0))).toBe(true)
  })

  it('shows an auditor of one project that project alone', async () => {
    const { key } = await addOperator(app, { projectId: other.projectId, role: 'auditor' })
    const { data } = await list({}, key)
    expect(data.length).toBeGreaterThan(0)
    expect(new Set(data.flatMap(({ projectIDs }) => projectIDs))).toEqual(new Set([other.projectId]))
    const id = (await newest({ projectIDs: [shop.projectId] })).id
    const foreign = await app.call(auditRoutes.getAuditEntry, { params: { id } }, { key })
    expect(foreign.refusal?.code).toBe('AUDIT_ROW_NOT_FOUND')
  })
})

describe('audit: the chain', () => {
  const verified = async () => (await app.call(auditRoutes.verifyAuditEntries, {}, { key: root })).body
  const exported = async (format: 'csv' | 'jsonl', query = {}) =>
    (
      await app.http.inject({
        url: '/api/v1/activity-log/export',
        query: { format, ...query },
        headers: { host: 'localhost:8080', 'api-key': root },
      })
    ).payload
  const command = (text: string, ...args: string[]) => {
    const file = join(home, 'log')
    writeFileSync(file, text)
    // Neither the server nor the database: nothing of either is in its environment.
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['apps/server/src/commands/verify-log.ts', file, ...args],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
    )
    return { status, text: stdout + stderr }
  }

  it('seals what was written, and no writer waits for it', async () => {
    const slow = new pg.Client({ connectionString: app.connectionString })
    await slow.connect()
    await slow.query('BEGIN')
    await slow.query(
      "INSERT INTO audit_entries (at, category, event, action, method, path, status, status_code, ip, user_agent, referer, request_id) VALUES (now(), 'system', 'slow', 'SYSTEM', '', '', 'SUCCESS', 0, '', '', '', 'slow')",
    )
    try {
      await pay(shop.apiKey, { 'idempotency-key': 'while slow' })
      expect(await sealEntries(asSystem(app.ctx), 0)).toBe(0)
      await slow.query('COMMIT')
    } finally {
      await slow.end()
    }
    await Promise.all(Array.from({ length: 4 }, () => sealEntries(asSystem(app.ctx))))
    await sealAll()
    expect(await verified()).toMatchObject({ ok: true, firstBroken: null })
    const [last, before] = (await list({ limit: 2 })).data
    expect(last?.prevHash).toBe(before?.hash)
    expect((await verified()).headHash).toBe(last?.hash)
  })

  it.each(['csv', 'jsonl'] as const)('is exported as %s, and proven without server and database', async (format) => {
    const text = await exported(format)
    const { headHash, checked } = await verified()
    const proven = command(text, headHash ?? '')
    expect(proven.text).toContain(`${checked} entries from the first entry to ${headHash}: 0 problem(s).`)
    expect(proven.status).toBe(0)
    const forged = text.replace('Renamed shop', 'Renamed shoq')
    expect(command(forged)).toMatchObject({ status: 1, text: expect.stringContaining('changed') as string })
    const cut = text.trimEnd().split('\n').slice(0, -1).join('\n')
    expect(command(cut)).toMatchObject({ status: 1, text: expect.stringContaining('missing after') as string })
    const excerpt = await exported(format, { eventCategory: 'developers' })
    expect(command(excerpt).text).toContain('add --excerpt')
    expect(command(excerpt, '--excerpt').status).toBe(0)
    expect(command(text, 'f'.repeat(64))).toMatchObject({ status: 1 })
  })

  it('exports the newest entries up to the limit of the settings', async () => {
    const setting = { key: 'activity.log.export.limit', value: '5' }
    await app.call(settingsRoutes.saveSetting, { body: setting }, { key: root })
    const text = await exported('jsonl')
    expect(text.trimEnd().split('\n')).toHaveLength(5)
    expect(command(text).status).toBe(0)
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      eventName: 'saveSetting',
      remaining: 0,
    })
  })

  const tamper = async (statement: string) => {
    const off = (state: string) =>
      `ALTER TABLE audit_entries ${state} TRIGGER USER; ALTER TABLE audit_seals ${state} TRIGGER USER`
    await sql.raw(`${off('DISABLE')}; ${statement}; ${off('ENABLE')}`).execute(app.ctx.db)
  }
  it.each([
    [
      'a changed entry',
      'changed',
      "UPDATE audit_entries SET ip = '10.1.1.1' WHERE id = $id",
      "UPDATE audit_entries SET ip = '127.0.0.1' WHERE id = $id",
    ],
    [
      'a removed entry',
      'removed',
      'CREATE TABLE kept AS SELECT * FROM audit_entries WHERE id = $id; DELETE FROM audit_entries WHERE id = $id',
      'INSERT INTO audit_entries SELECT * FROM kept; DROP TABLE kept',
    ],
    [
      'an entry that was never sealed',
      'added',
      'CREATE TABLE kept AS SELECT * FROM audit_seals WHERE entry_id = $id; DELETE FROM audit_seals WHERE entry_id = $id',
      'INSERT INTO audit_seals SELECT * FROM kept; DROP TABLE kept',
    ],
    [
      'entries in another order',
      'changed',
      'UPDATE audit_entries SET id = -1 WHERE id = $id; UPDATE audit_entries SET id = $id WHERE id = $id + 1; UPDATE audit_entries SET id = $id + 1 WHERE id = -1',
      'UPDATE audit_entries SET id = -1 WHERE id = $id; UPDATE audit_entries SET id = $id WHERE id = $id + 1; UPDATE audit_entries SET id = $id + 1 WHERE id = -1',
    ],
  ])('detects %s, and the hourly check raises an alarm', async (_what, fault, change, back) => {
    const { rows } = await sql<{ id: bigint }>`
      SELECT entry_id AS id FROM audit_seals s WHERE EXISTS (SELECT FROM audit_seals n WHERE n.entry_id = s.entry_id + 1)
      ORDER BY 1 OFFSET 5 LIMIT 1`.execute(app.ctx.db)
    const at = (statement: string) => statement.replaceAll('$id', String(rows[0]?.id))
    const alarms = async () => (await openAlarms(app.ctx)).filter(({ kind }) => kind === 'activity_log_broken')
    await tamper(at(change))
    expect(await verified()).toMatchObject({ ok: false, firstBroken: { id: Number(rows[0]?.id), fault } })
    // Entries that were verified before are read again once a day.
    // By a clock that was ahead: what it noted keeps nobody from verifying everything.
    await sql`UPDATE audit_checks SET full_at = now() + interval '1 year'`.execute(app.ctx.db)
    await checkEntries(asSystem(app.ctx))
    expect((await alarms())[0]).toMatchObject({ params: { case: fault, entry: Number(rows[0]?.id) } })
    await tamper(at(back))
    await checkEntries(asSystem(app.ctx))
    expect(await alarms()).toEqual([])
  })

  it('detects that the end was cut off since the last check', async () => {
    await checkEntries(asSystem(app.ctx))
    await tamper(`CREATE TABLE cut AS SELECT * FROM audit_seals ORDER BY entry_id DESC LIMIT 1;
      CREATE TABLE cut_entry AS SELECT * FROM audit_entries WHERE id IN (SELECT entry_id FROM cut);
      DELETE FROM audit_seals WHERE entry_id IN (SELECT entry_id FROM cut);
      DELETE FROM audit_entries WHERE id IN (SELECT entry_id FROM cut)`)
    await checkEntries(asSystem(app.ctx))
    // It stays open: the next hour finds it again.
    await checkEntries(asSystem(app.ctx))
    expect((await openAlarms(app.ctx)).map(({ kind }) => kind)).toContain('activity_log_broken')
    await tamper('INSERT INTO audit_entries SELECT * FROM cut_entry; INSERT INTO audit_seals SELECT * FROM cut')
    await checkEntries(asSystem(app.ctx))
    expect((await openAlarms(app.ctx)).map(({ kind }) => kind)).not.toContain('activity_log_broken')
  })
})
