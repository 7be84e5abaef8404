import { Message } from '@kassa/contract/kit/codecs.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { route } from '@kassa/contract/kit/route.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'

import { afterCommit, type Context } from '../context.ts'
import { findApiKey, noteApiKeyUse } from '../modules/api-keys/service.ts'
import { hashPassword } from '../modules/auth/attempts/password-hash.ts'
import { endedByPassword, findSession } from '../modules/auth/sessions/service.ts'
import { findDevice } from '../modules/devices/service.ts'
import { findProject } from '../modules/projects/service.ts'
import { findPromoter } from '../modules/referral/page/service.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { type Handlers, prepared, serve } from './handlers.ts'
import type { AuditedCall } from './audit/audit-hook.ts'
import { mount } from './mount.ts'
import { createRateLimiter } from './rate-limit/rate-limit.ts'
import { createServer } from './server.ts'

const write = (path: `/${string}`) =>
  route({
    id: `T ${path}`,
    methods: ['POST'],
    paths: [path],
    summary: 'A test',
    access: { operator: true },
    rate: 'dashboard',
    body: z.object({ outcome: z._default(z.string(), 'done') }),
    response: Message,
    errors: ['NODE_UNREACHABLE', 'WALLET_NOT_FOUND'],
  })
const routes = { twoSteps: write('/two-steps'), oneStep: write('/one-step'), hashing: write('/hashing') }

let app: TestApp
let http: FastifyInstance
let key: string
const steps: string[] = []
const written: AuditedCall[] = []
let refuseRecord = false

const where = (ctx: Context) => (ctx.db.isTransaction ? 'inside' : 'outside')
const leave = (ctx: Context) =>
  sql`INSERT INTO configuration (key, value) VALUES ('test.row', 'x')
      ON CONFLICT (key) DO UPDATE SET value = 'x'`.execute(ctx.db)
const left = async () => {
  const { rows } = await sql`DELETE FROM configuration WHERE key = 'test.row' RETURNING 1`.execute(app.ctx.db)
  return rows.length
}

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  http = await createServer(app.ctx, { origins: async () => [] })
  const options = {
    ctx: app.ctx,
    lookups: { findSession, endedByPassword, findApiKey, findDevice, noteApiKeyUse, findPromoter },
    findProject: async (ctx: Context, id: number) => {
      const project = await findProject(ctx, id)
      return project && { ...project, isArchived: false }
    },
    limiter: createRateLimiter({ factor: 1000 }),
    origins: async () => [],
    spendToken: async () => null,
    audit: {
      recordOf: (ctx: Context, call: AuditedCall) => {
        steps.push(`record ${where(ctx)}`)
        written.push(call)
        return { entry: call, insert: () => (refuseRecord ? sql`SELECT * FROM nowhere` : sql`SELECT 1`) }
      },
      refused: async () => undefined,
    },
    isStrict: true,
  }
  const handlers: Handlers<typeof routes> = {
    twoSteps: prepared({
      prepare: async (ctx, { body }) => {
        steps.push(`prepare ${where(ctx)}`)
        return body.outcome === 'unreachable' ? fail('NODE_UNREACHABLE', { values: { reason: 'silent' } }) : 'answer'
      },
      perform: async (ctx, { body }, given) => {
        steps.push(`perform ${where(ctx)}`)
        await afterCommit(ctx, async () => void steps.push(`follow, ${await left()} left`))
        await leave(ctx)
        ctx.change({ is: 'old' }, { is: 'new' })
        return body.outcome === 'refused' ? fail('WALLET_NOT_FOUND') : { message: given }
      },
    }),
    oneStep: async (ctx) => {
      steps.push(`perform ${where(ctx)}`)
      await leave(ctx)
      return { message: 'done' }
    },
    hashing: async (ctx) => ({ message: await hashPassword(ctx, { password: 'x', network: 'n' }) }),
  }
  mount(http, options, serve(routes, handlers))
})
afterAll(async () => {
  await http.close()
  await app.stop()
})
beforeEach(async () => {
  steps.length = 0
  written.length = 0
  refuseRecord = false
  await left()
})

async function call(name: keyof typeof routes, outcome?: string, idempotencyKey?: string) {
  const response = await http.inject({
    method: 'POST',
    url: `/api/v1${routes[name].paths[0]}`,
    headers: { host: 'localhost:8080', 'api-key': key, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
    payload: { outcome },
  })
  const json = JSON.parse(response.payload) as { message: string; error?: { code: string } }
  return { status: response.statusCode, said: json.error?.code ?? json.message }
}

describe('http: a write', () => {
  it('asks others before its transaction, and performs and is recorded inside it', async () => {
    expect(await call('twoSteps')).toEqual({ status: 200, said: 'answer' })
    expect(steps).toEqual(['prepare outside', 'perform inside', 'record inside', 'follow, 1 left'])
    expect(written).toMatchObject([
      { name: 'twoSteps', path: '/two-steps', status: 200, changes: [{ before: { is: 'old' }, after: { is: 'new' } }] },
    ])
    steps.length = 0
    await call('oneStep')
    expect(steps).toEqual(['perform inside', 'record inside'])
  })

  it('answers from what was stored before it asks anybody, and is recorded once', async () => {
    const first = await call('twoSteps', 'done', 'stored')
    steps.length = 0
    expect(await call('twoSteps', 'done', 'stored')).toEqual(first)
    expect(await call('twoSteps', 'other', 'stored')).toEqual({ status: 409, said: 'IDEMPOTENCY_KEY_REUSED' })
    expect(steps).toEqual([])
    expect(written).toHaveLength(1)
  })

  it('performs calls at once with one key once, however many prepared', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => call('twoSteps', 'done', 'at-once')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(steps.filter((step) => step.startsWith('perform'))).toHaveLength(1)
  })

  it.each([undefined, 'with a key'])('leaves nothing when it is refused (%s)', async (idempotencyKey) => {
    for (const [outcome, code] of [
      ['refused', 'WALLET_NOT_FOUND'],
      ['unreachable', 'NODE_UNREACHABLE'],
    ] as const) {
      const own = idempotencyKey && `${idempotencyKey} ${code}`.replaceAll(' ', '-')
      expect((await call('twoSteps', outcome, own)).said).toBe(code)
      steps.length = 0
      expect((await call('twoSteps', outcome, own)).said).toBe(code)
      // The stored refusal is repeated without asking again.
      expect(steps.length > 0).toBe(own === undefined)
    }
    expect(await left()).toBe(0)
    expect(written).toEqual([])
  })

  it('does not stand without its record', async () => {
    refuseRecord = true
    expect((await call('twoSteps')).status).toBe(500)
    expect(steps).toEqual(['prepare outside', 'perform inside', 'record inside'])
    expect(await left()).toBe(0)
  })

  it('does not hash passwords inside its transaction', async () => {
    expect((await call('hashing')).status).toBe(500)
    expect(app.logLines.join('')).toContain('A password was hashed inside a transaction')
  })
})
