import { allRoutes } from '@kassa/contract/contract.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { type App, createApp } from '../app.ts'
import type { Context } from '../context.ts'
import { caller, testApp, type TestApp } from '../testing/app.ts'
import { openShop, type Shop } from '../testing/shop.ts'
import { run } from '../testing/database/run-statement.ts'
import { versioned } from './versioned.ts'

let app: TestApp
let other: App
let operator: string
let shop: Shop

beforeAll(async () => {
  app = await testApp()
  operator = await app.signUp()
  shop = await openShop(app, operator)
  // As behind a pooler: the other process prepares no statements.
  const databaseUrl = new URL(app.connectionString)
  databaseUrl.searchParams.set('application_name', 'pooled')
  const config = { ...app.ctx.config, databaseUrl: databaseUrl.href }
  other = await createApp(config, { keys: app.ctx.keys, log: pino({ level: 'silent' }), isTest: true })
})

afterAll(async () => {
  await other.close()
  await app.stop()
})

let customers = 0

/** What the process answers a merchant's server that wants a payment made. */
async function answerOf(process: { readonly http: App['http'] }): Promise<string> {
  customers += 1
  const body = { customerID: `c-${customers}`, customerEmail: `c-${customers}@mail.example`, amountInUSD: '49' }
  const { status, refusal } = await caller(process)(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
  return refusal?.code ?? String(status)
}

const change = (statement: string) => run(app.connectionString, statement)

async function version(ctx: Context = app.ctx): Promise<bigint> {
  const { rows } = await sql<{ version: bigint }>`SELECT version FROM config_version`.execute(ctx.db)
  return rows[0]?.version ?? 0n
}

describe('db.versioned', () => {
  it('takes effect at the next request in every process, for a change by any of them', async () => {
    expect([await answerOf(app), await answerOf(other)]).toEqual(['200', '200'])
    await app.call(
      projectsRoutes.changePaymentPolicy,
      { params: { p: shop.p }, body: { minAmountInUSD: '50' } },
      { key: operator },
    )
    expect([await answerOf(other), await answerOf(app)]).toEqual(['AMOUNT_OUT_OF_RANGE', 'AMOUNT_OUT_OF_RANGE'])
    await app.call(
      projectsRoutes.changePaymentPolicy,
      { params: { p: shop.p }, body: { minAmountInUSD: '0' } },
      { key: operator },
    )
    expect([await answerOf(other), await answerOf(app)]).toEqual(['200', '200'])
  })

  it('is read again by a call that waited for the first one with its key', async () => {
    await answerOf(app)
    const waiting = await app.ctx.db.transaction().execute(async (db) => {
      await sql`
        INSERT INTO idempotency_keys (caller, key, kind, request_hash, created_at)
        VALUES (${`project:${shop.projectId}`}, 'waits', 'key', '', now())`.execute(db)
      const body = { customerID: 'waits', customerEmail: 'waits@mail.example', amountInUSD: '49' }
      const headers = { 'idempotency-key': 'waits' }
      const answer = app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey, headers })
      await expect
        .poll(async () => {
          const { rows } = await sql`SELECT FROM pg_locks WHERE NOT granted`.execute(app.ctx.db)
          return rows.length
        })
        .toBe(1)
      await change(`UPDATE projects SET payment_policy = '{"minAmountInUSD":"50"}'`)
      await sql`SELECT pg_sleep(0.15)`.execute(db)
      await sql`DELETE FROM idempotency_keys WHERE key = 'waits'`.execute(db)
      return { answer }
    })
    expect((await waiting.answer).refusal?.code).toBe('AMOUNT_OUT_OF_RANGE')
    await change(`UPDATE projects SET payment_policy = '{}'`)
  })

  describe('each kind of what is kept', () => {
    const kinds: readonly [name: string, off: string, answer: string, on: string][] = [
      [
        'projects',
        `UPDATE projects SET status = 'archived'`,
        'PROJECT_ARCHIVED',
        `UPDATE projects SET status = 'active'`,
      ],
      [
        'policy',
        `UPDATE projects SET payment_policy = '{"maxAmountInUSD":"1"}'`,
        'AMOUNT_OUT_OF_RANGE',
        `UPDATE projects SET payment_policy = '{}'`,
      ],
      [
        'wallets',
        `UPDATE wallets SET status = 'inactive'`,
        'PROJECT_NOT_READY',
        `UPDATE wallets SET status = 'active'`,
      ],
      [
        'assets',
        'UPDATE assets SET deposit_enabled = false',
        'PROJECT_NOT_READY',
        'UPDATE assets SET deposit_enabled = true',
      ],
      [
        'blockchains',
        `UPDATE blockchains SET status = 'inactive'`,
        'PROJECT_NOT_READY',
        `UPDATE blockchains SET status = 'active' WHERE code IN ('ETH', 'BASE')`,
      ],
      ['nodes', 'UPDATE rpc_nodes SET is_active = false', 'PROJECT_NOT_READY', 'UPDATE rpc_nodes SET is_active = true'],
      [
        'accepted assets',
        'CREATE TABLE former AS TABLE project_assets; DELETE FROM project_assets',
        'PROJECT_NOT_READY',
        'INSERT INTO project_assets SELECT * FROM former; DROP TABLE former',
      ],
      [
        'links of wallets',
        'CREATE TABLE former AS TABLE project_wallets; DELETE FROM project_wallets',
        'PROJECT_NOT_READY',
        'INSERT INTO project_wallets (project_id, family_id, wallet_id) SELECT project_id, family_id, wallet_id FROM former; DROP TABLE former',
      ],
    ]

    it.each(kinds)('%s', async (_name, off, answer, on) => {
      expect([await answerOf(app), await answerOf(other)]).toEqual(['200', '200'])
      await change(off)
      expect([await answerOf(app), await answerOf(other)]).toEqual([answer, answer])
      await change(on)
      expect([await answerOf(app), await answerOf(other)]).toEqual(['200', '200'])
    })

    it('settings', async () => {
      const link = async () => {
        customers += 1
        const body = { customerID: `c-${customers}`, customerEmail: 'payer@mail.example', amountInUSD: '49' }
        return (await caller(other)(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body.url
      }
      expect(await link()).not.toContain('https://pay.shop.example')
      await change(`INSERT INTO configuration (key, value) VALUES ('payram.frontend', 'https://pay.shop.example')`)
      expect(await link()).toContain('https://pay.shop.example')
      await change(`DELETE FROM configuration WHERE key = 'payram.frontend'`)
      expect(await link()).not.toContain('https://pay.shop.example')
    })

    it('webhooks', async () => {
      const queued = async () => {
        await answerOf(other)
        const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM deliveries`.execute(app.ctx.db)
        return rows[0]?.n
      }
      expect(await queued()).toBe(0)
      const body = { url: 'https://shop.example/hook', events: ['payment.created'] }
      await app.call(webhooksRoutes.createWebhook, { params: { p: shop.p }, body }, { key: operator })
      expect(await queued()).toBe(1)
      await change(`UPDATE webhooks SET events = '{payment.filled}'`)
      expect(await queued()).toBe(1)
      await change(`UPDATE webhooks SET events = '{payment.created}'`)
      expect(await queued()).toBe(2)
      await change(`UPDATE webhooks SET status = 'deleted'`)
      expect(await queued()).toBe(2)
    })
  })

  it('is raised with the commit, by what is kept and by nothing else', async () => {
    const before = await version()
    await app.ctx.db.transaction().execute(async (db) => {
      await sql`UPDATE projects SET name = 'Renamed'`.execute(db)
      expect(await answerOf(other)).toBe('200')
    })
    const changed = await version()
    expect(changed).toBeGreaterThan(before)
    await change('UPDATE webhooks SET last_delivery_at = now(), failing_since = now()')
    await change(`UPDATE rpc_nodes SET health = '{}'`)
    await change('UPDATE api_keys SET last_used_at = now()')
    await answerOf(app)
    expect(await version()).toBe(changed)
    const undone = app.ctx.db.transaction().execute(async (db) => {
      await sql`UPDATE projects SET name = 'Undone'`.execute(db)
      throw new Error('rolled back')
    })
    await expect(undone).rejects.toThrow('rolled back')
    expect(await version()).toBe(changed)
  })

  it('lets two changes that cross each other pass', async () => {
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    const crossing = [
      app.ctx.db.transaction().execute(async (db) => {
        await sql`UPDATE projects SET name = name`.execute(db)
        first.resolve()
        await second.promise
        await sql`UPDATE assets SET visible = visible`.execute(db)
      }),
      app.ctx.db.transaction().execute(async (db) => {
        await first.promise
        await sql`UPDATE wallets SET name = name`.execute(db)
        second.resolve()
      }),
    ]
    await expect(Promise.all(crossing)).resolves.toHaveLength(2)
  })

  describe('the memory', () => {
    const loads: string[] = []
    const lookUp = versioned(async (_ctx, key: string) => {
      loads.push(key)
      return `${key} ${loads.length}`
    })
    const at = (configVersion?: bigint): Context => ({
      ...app.ctx,
      ...(configVersion !== undefined && { configVersion }),
    })

    afterEach(() => void loads.splice(0))

    it('loads once for a version, and again for the next', async () => {
      for (const configVersion of [7n, 7n, 8n, 8n]) await lookUp(at(configVersion), 'a')
      expect(loads).toEqual(['a', 'a'])
    })

    it('keeps nothing for those who read no version, and for those whose version is past', async () => {
      for (const configVersion of [undefined, 9n, undefined, 8n, 9n]) await lookUp(at(configVersion), 'a')
      expect(loads).toHaveLength(4)
    })

    it('discards what was loaded while the version was raised', async () => {
      const gate = Promise.withResolvers<void>()
      const slow = versioned(async (ctx, _key: string) => {
        if (ctx.configVersion === 1n) await gate.promise
        return ctx.configVersion
      })
      const early = slow(at(1n), 'a')
      expect(await slow(at(2n), 'a')).toBe(2n)
      gate.resolve()
      expect(await early).toBe(1n)
      expect(await slow(at(2n), 'a')).toBe(2n)
    })

    it('is bounded', async () => {
      for (let index = 0; index <= 1_000; index += 1) await lookUp(at(20n), `project ${index}`)
      loads.splice(0)
      await lookUp(at(20n), 'project 1000')
      await lookUp(at(20n), 'project 0')
      expect(loads).toEqual(['project 0'])
    })
  })

  it('needs no version within a transaction: no route for API keys changes what is kept', () => {
    const writes = allRoutes().filter(
      ({ access, methods, repeatable }) =>
        access.scope !== undefined && !repeatable && methods.some((method) => method !== 'GET'),
    )
    expect(new Set(writes.map(({ access }) => access.scope))).toEqual(
      new Set(['payment:create', 'payment:cancel', 'payout:create', 'recipient:write', 'referral:write']),
    )
  })
})
