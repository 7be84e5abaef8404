import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { asSystem } from '../../../context.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { mailNewDeviceJob } from './service.ts'

const START = new Date('2026-01-31T09:00:00.000Z')
const MINUTE = 60_000

let app: TestApp

const signIn = (body: object = {}, options = {}) =>
  app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD, ...body } }, options)
const from = (remoteAddress: string, password: string, email = TEST_EMAIL, program = 'Firefox') =>
  app.http.inject({
    method: 'POST',
    url: '/api/v1/signin',
    remoteAddress,
    headers: { host: 'localhost:8080', 'content-type': 'application/json', 'user-agent': program },
    payload: JSON.stringify({ email, password }),
  })
const me = (key: string) => app.call(authRoutes.getMe, {}, { key })
const rows = async (query: ReturnType<typeof sql>) => (await query.execute(app.ctx.db)).rows

describe('auth.signIn', () => {
  beforeAll(async () => {
    app = await testApp({ now: START })
    await app.signUp()
  })
  afterEach(async () => {
    app.clock.now = START
    await sql`UPDATE operators SET state = 'active', reset_password_required = false`.execute(app.ctx.db)
    await sql`DELETE FROM sign_in_failures`.execute(app.ctx.db)
  })
  afterAll(async () => {
    await app.stop()
  })

  it('opens a session with the address in any case', async () => {
    const { status, body } = await signIn({ email: 'OWNER@shop.example' })
    expect(status).toBe(200)
    expect(body.expiresAt).toEqual(new Date(START.getTime() + 120 * MINUTE))
    expect(body.absoluteExpiresAt).toEqual(new Date(START.getTime() + 24 * 60 * MINUTE))
    expect((await me(body.key)).body.email).toBe(TEST_EMAIL)
    expect((await me(body.accessToken)).status).toBe(200)
    expect((await me(body.refreshToken)).status).toBe(401)
    expect(await rows(sql`SELECT payload FROM events WHERE type = 'operator.signed_in'`)).toContainEqual({
      payload: { memberID: 1, sessionID: body.id, ipAddress: '127.0.0.1' },
    })
  })

  it('says the same of a wrong password, an unknown address and an inactive account: INVALID_CREDENTIALS', async () => {
    const wrong = await signIn({ password: 'Wrong.Horse9' })
    const unknown = await signIn({ email: 'nobody@shop.example' })
    await sql`UPDATE operators SET state = 'inactive'`.execute(app.ctx.db)
    const inactive = await signIn()
    for (const { status, refusal } of [wrong, unknown, inactive]) {
      expect([status, refusal?.code, refusal?.message, refusal?.details]).toEqual([
        401,
        'INVALID_CREDENTIALS',
        'E-mail or password is incorrect.',
        'E-mail or password is incorrect.',
      ])
    }
  })

  it('ends the session of an operator who becomes inactive', async () => {
    const { body } = await signIn()
    await sql`UPDATE operators SET state = 'inactive'`.execute(app.ctx.db)
    expect((await me(body.key)).refusal?.code).toBe('UNAUTHORIZED')
  })

  it('refuses an empty body with each field named: INVALID_JSON_DATA', async () => {
    const { status, refusal } = await app.call(authRoutes.signIn, {}, { raw: '{}' })
    expect([status, refusal?.code, refusal?.message]).toEqual([400, 'INVALID_JSON_DATA', 'Email is required'])
    expect(refusal?.fields).toEqual({ email: 'Email is required', password: 'Password is required' })
    const broken = await app.call(authRoutes.signIn, {}, { raw: '{' })
    expect([broken.status, broken.refusal?.message]).toEqual([400, 'Bad Request: Invalid input.'])
  })

  it.each([TEST_EMAIL, 'nobody@shop.example'])(
    'makes %s wait after five failures: SIGN_IN_THROTTLED',
    async (email) => {
      for (let failure = 1; failure <= 5; failure += 1) {
        expect((await signIn({ email, password: 'Wrong.Horse9' })).refusal?.code).toBe('INVALID_CREDENTIALS')
      }
      const { status, refusal, headers } = await signIn({ email })
      expect([status, refusal?.code, headers['retry-after']]).toEqual([429, 'SIGN_IN_THROTTLED', '1'])
      expect(refusal?.message).toBe('Too many attempts. Try again in 1 seconds.')
      app.clock.now = new Date(START.getTime() + 1000)
      expect((await signIn({ email, password: 'Wrong.Horse9' })).refusal?.code).toBe('INVALID_CREDENTIALS')
      expect((await signIn({ email })).headers['retry-after']).toBe('2')
    },
  )

  it('does not lock an owner out for failures of a stranger elsewhere', async () => {
    const guess = () => from('198.51.100.7', 'Wrong.Horse9')
    for (let quarter = 0; quarter < 8; quarter += 1) await guess()
    expect((await guess()).json()).toMatchObject({ error: { code: 'SIGN_IN_THROTTLED' } })
    expect((await signIn()).status).toBe(200)
    // The owner on the way, in a network that is new.
    expect((await from('203.0.113.9', TEST_PASSWORD)).statusCode).toBe(200)
  })

  it('counts an IPv6 network of 64 bits as one', async () => {
    for (let host = 1; host <= 5; host += 1) await from(`2001:db8:1:2::${host}`, 'Wrong.Horse9')
    expect((await from('2001:db8:1:2::6', TEST_PASSWORD)).statusCode).toBe(429)
    expect((await from('2001:db8:1:3::6', TEST_PASSWORD)).statusCode).toBe(200)
  })

  it('makes every new network wait after a hundred failures from many, and none that signed in before', async () => {
    await from('203.0.113.10', TEST_PASSWORD)
    for (let network = 1; network <= 100; network += 1) await from(`198.51.100.${network}`, 'Wrong.Horse9')
    expect((await from('198.51.100.200', TEST_PASSWORD)).json()).toMatchObject({ error: { code: 'SIGN_IN_THROTTLED' } })
    expect((await from('203.0.113.10', TEST_PASSWORD)).statusCode).toBe(200)
  })

  it('counts attempts at the same time one by one', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn({ password: 'Wrong.Horse9' })))
    const codes = answers.map((answer) => answer.refusal?.code)
    expect(codes.filter((code) => code === 'INVALID_CREDENTIALS')).toHaveLength(5)
    expect(codes.filter((code) => code === 'SIGN_IN_THROTTLED')).toHaveLength(3)
  })

  it('forgives former failures once the password is right', async () => {
    for (let failure = 1; failure <= 4; failure += 1) await signIn({ password: 'Wrong.Horse9' })
    expect((await signIn()).status).toBe(200)
    for (let failure = 1; failure <= 4; failure += 1) await signIn({ password: 'Wrong.Horse9' })
    expect((await signIn()).status).toBe(200)
  })

  it('gives an operator who must choose a password a session for that only: RESET_PASSWORD_REQUIRED', async () => {
    await sql`UPDATE operators SET reset_password_required = true`.execute(app.ctx.db)
    const { body } = await signIn()
    expect(body.resetPasswordRequired).toBe(true)
    expect(body.absoluteExpiresAt).toEqual(new Date(START.getTime() + 30 * MINUTE))
    expect((await me(body.key)).body.resetPasswordRequired).toBe(true)
    const other = await app.call(settingsRoutes.getDefaultConfiguration, {}, { key: body.key })
    expect([other.status, other.refusal?.code]).toEqual([401, 'RESET_PASSWORD_REQUIRED'])
  })
})

describe('auth.signIn on a new device', () => {
  const HOME = '203.0.113.9'
  const queued = async () => {
    const { rows: jobs } = await sql<{ data: Parameters<typeof mailNewDeviceJob.run>[1] }>`
      SELECT data FROM pgboss.job WHERE name = ${mailNewDeviceJob.queue} ORDER BY created_on`.execute(app.ctx.db)
    return jobs.map(({ data }) => data)
  }

  beforeAll(async () => {
    app = await testApp({ now: START })
    await app.signUp()
  })
  afterAll(async () => {
    await app.stop()
  })

  it('writes to its operator once for each program and network, and never for a wrong password', async () => {
    await from(HOME, 'Wrong.Horse9')
    expect(await queued()).toEqual([])
    for (let time = 0; time < 2; time += 1) await from(HOME, TEST_PASSWORD)
    const first = { operatorId: 1, at: START.toISOString(), ip: HOME, userAgent: 'Firefox' }
    expect(await queued()).toEqual([first])
    await from(HOME, TEST_PASSWORD, TEST_EMAIL, 'Chrome')
    await from('198.51.100.7', TEST_PASSWORD)
    for (const program of ['Firefox', 'Chrome']) await from(HOME, TEST_PASSWORD, TEST_EMAIL, program)
    expect(await queued()).toEqual([first, { ...first, userAgent: 'Chrome' }, { ...first, ip: '198.51.100.7' }])
    await mailNewDeviceJob.run(asSystem(app.ctx), first)
    const [mail] = await rows(sql`SELECT recipient, message FROM sandbox_emails`)
    expect(mail).toMatchObject({
      recipient: TEST_EMAIL,
      message: { paragraphs: [expect.stringContaining(HOME), 'It calls itself: Firefox'] },
    })
  })

  it('is silent at the very first sign-in, and not after a year without one', async () => {
    await sql`DELETE FROM pgboss.job WHERE name = ${mailNewDeviceJob.queue}`.execute(app.ctx.db)
    const email = 'new@shop.example'
    const added = await sql<{ id: number }>`INSERT INTO operators (email, customer_id, password_hash)
      SELECT ${email}, 'new', password_hash FROM operators WHERE customer_id = 'root' RETURNING id`.execute(app.ctx.db)
    expect((await from(HOME, TEST_PASSWORD, email)).statusCode).toBe(200)
    expect(await queued()).toEqual([])
    await sql`DELETE FROM sessions`.execute(app.ctx.db)
    await from(HOME, TEST_PASSWORD, email)
    expect(await queued()).toMatchObject([{ operatorId: added.rows[0]?.id }])
  })
})

describe('auth.signIn of many at once', () => {
  it('answers 503 beyond the longest queue, at no attempt, and lets another network have its turn soon', async () => {
    app = await testApp({ config: { passwordCost: { memoryKib: 16_384, passes: 3, lanes: 1 } } })
    await app.signUp()
    const answers: { status: number; retryAfter: unknown }[] = []
    const flood = Array.from({ length: 120 }, async (_, index) => {
      const { statusCode, headers } = await from('198.51.100.7', 'Wrong.Horse9', `x${index}@shop.example`)
      answers.push({ status: statusCode, retryAfter: headers['retry-after'] })
    })
    const tried = () => answers.filter(({ status }) => status === 401).length
    // Who is left stands in the queue.
    await vi.waitUntil(() => answers.length >= 80, { timeout: 50_000, interval: 1 })
    const [before, left] = [tried(), 120 - answers.length]
    expect((await from('203.0.113.9', TEST_PASSWORD)).statusCode).toBe(200)
    expect(tried() - before).toBeLessThan(left / 2)
    await Promise.all(flood)
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(30)
    expect(refused.length).toBe(120 - tried())
    expect(new Set(refused.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['5']))
    expect(
      await rows(sql`SELECT count(*)::int AS n FROM sign_in_failures WHERE failures > 0 AND subject LIKE '% %'`),
    ).toEqual([{ n: tried() }])
    await app.stop()
  })
})
