import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../testing/app.ts'

const START = new Date('2026-01-31T09:00:00.000Z')
const MINUTE = 60_000

let app: TestApp

const advance = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}
const signIn = (body: object = {}, options = {}) =>
  app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD, ...body } }, options)
const me = (key: string) => app.call(authRoutes.getMe, {}, { key })
const rows = async (query: ReturnType<typeof sql>) => (await query.execute(app.ctx.db)).rows

describe('auth.signUp', () => {
  const signUp = (body: object, options = {}) =>
    app.call(authRoutes.signUp, { body: { email: TEST_EMAIL, password: TEST_PASSWORD, ...body } }, options)

  beforeEach(async () => {
    app = await testApp()
  })
  afterEach(async () => {
    await app.stop()
  })

  it('creates the first account and signs it in', async () => {
    expect((await app.call(authRoutes.rootExists)).body).toEqual({ exist: false })
    const answer = await signUp({ email: 'Owner@Shop.Example' })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      memberID: 1,
      roleID: 1,
      expiresIn: 900,
      resetPasswordRequired: false,
      projects: [],
    })
    expect(answer.body.member).toMatchObject({ email: TEST_EMAIL, customer_id: 'root', state: 'active' })
    expect(answer.body.role?.permissions).toContain('security:write')
    expect((await app.call(authRoutes.rootExists)).body).toEqual({ exist: true })
    expect((await me(answer.body.key)).status).toBe(200)
    expect(await rows(sql`SELECT type, payload FROM events`)).toEqual([
      { type: 'operator.created', payload: { memberID: 1, email: TEST_EMAIL, role: 'root' } },
    ])
  })

  it('answers in text that scripts can search', async () => {
    const { text } = await signUp({})
    expect(text).toMatch(/^\{"id":1,"createdAt":"[^"]+","updatedAt":"[^"]+","key":"ks_[\w-]{43}","status":"active",/)
    expect(text.match(/"email":/g)).toHaveLength(1)
    expect(text.match(/"customer_id":"root"/g)).toHaveLength(1)
    expect(text).toMatch(
      /"accessToken":"ka_[\w-]{43}","refreshToken":"kr_[\w-]{43}","expiresIn":900,"tokenType":"Bearer"/,
    )
  })

  it('stores neither password nor keys as they are', async () => {
    const { body } = await signUp({})
    const [operator] = await rows(sql`SELECT password_hash FROM operators`)
    expect(operator).toEqual({ password_hash: expect.stringMatching(/^\$argon2id\$/) })
    const dump = JSON.stringify(await rows(sql`SELECT encode(key_hash, 'escape') k, s.* FROM sessions s`))
    for (const secret of [body.key, body.accessToken, body.refreshToken]) expect(dump).not.toContain(secret.slice(3))
    expect(app.logLines.join('')).not.toContain(body.key)
  })

  it('lets one of two sign-ups at once win', async () => {
    const answers = await Promise.all([signUp({}), signUp({ email: 'other@shop.example' })])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 409])
    expect(answers.find((answer) => answer.refusal)?.refusal?.code).toBe('SIGN_UP_CLOSED')
    expect(await rows(sql`SELECT count(*)::int AS n FROM operators`)).toEqual([{ n: 1 }])
    expect(await rows(sql`SELECT count(*)::int AS n FROM sessions`)).toEqual([{ n: 1 }])
  })

  it('refuses a second account: SIGN_UP_CLOSED', async () => {
    await signUp({})
    const { status, refusal } = await signUp({ email: 'other@shop.example' })
    expect([status, refusal?.code]).toEqual([409, 'SIGN_UP_CLOSED'])
  })

  it.each([
    [{ email: 'nobody' }, { email: 'Enter a valid e-mail address' }],
    [{ email: '' }, { email: 'Email is required' }],
    [{ password: 'short' }, { password: 'Password does not meet all requirements' }],
    [{ password: 'Ab1!' }, { password: 'Password must be at least 8 characters long' }],
    [{ password: null }, { password: 'Password is required' }],
  ])('refuses %j: INVALID_JSON_DATA', async (body, fields) => {
    const { status, refusal } = await signUp(
      {},
      { raw: JSON.stringify({ email: TEST_EMAIL, password: TEST_PASSWORD, ...body }) },
    )
    expect([status, refusal?.code, refusal?.message]).toEqual([400, 'INVALID_JSON_DATA', Object.values(fields)[0]])
    expect(refusal?.fields).toEqual(fields)
    expect(await rows(sql`SELECT 1 FROM operators`)).toEqual([])
  })

  it.each([
    ['a proxy forwards the call', { 'x-forwarded-for': '203.0.113.9' }],
    ['the host name is a foreign one', { host: 'kassa.attacker.example' }],
  ])('asks for the set-up code when %s: SETUP_CODE_REQUIRED', async (_case, headers) => {
    const { status, refusal } = await signUp({}, { headers })
    expect([status, refusal?.code]).toEqual([403, 'SETUP_CODE_REQUIRED'])
    expect((await signUp({ setupCode: 'AAAA-BBBB-CCCC-DDDD' }, { headers })).refusal?.code).toBe('SETUP_CODE_REQUIRED')
  })

  it('lets a caller from afar in with the set-up code, printed once and stored as a hash', async () => {
    const codes = app.logLines.flatMap((line) => /([A-Z2-9]{4}-){3}[A-Z2-9]{4}/.exec(line)?.[0] ?? [])
    expect(codes).toHaveLength(1)
    const [code = ''] = codes
    expect(JSON.stringify(await rows(sql`SELECT encode(code_hash, 'escape') FROM setup_codes`))).not.toContain(code)
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    expect((await signUp({ setupCode: code.toLowerCase() }, { headers })).status).toBe(201)
    expect(await rows(sql`SELECT 1 FROM setup_codes`)).toEqual([])
  })
})

describe('auth.signIn', () => {
  beforeEach(async () => {
    app = await testApp({ now: START })
    await app.signUp()
  })
  afterEach(async () => {
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
    expect(await rows(sql`SELECT type FROM events ORDER BY id`)).toEqual([
      { type: 'operator.created' },
      { type: 'operator.signed_in' },
    ])
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
      advance(1000)
      expect((await signIn({ email, password: 'Wrong.Horse9' })).refusal?.code).toBe('INVALID_CREDENTIALS')
      expect((await signIn({ email })).headers['retry-after']).toBe('2')
    },
  )

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

  it('gives who must choose a password a session that reaches nothing else: RESET_PASSWORD_REQUIRED', async () => {
    await sql`UPDATE operators SET reset_password_required = true`.execute(app.ctx.db)
    const { body } = await signIn()
    expect(body.resetPasswordRequired).toBe(true)
    expect(body.absoluteExpiresAt).toEqual(new Date(START.getTime() + 30 * MINUTE))
    expect((await me(body.key)).body.resetPasswordRequired).toBe(true)
    const other = await app.call(settingsRoutes.getDefaultConfiguration, {}, { key: body.key })
    expect([other.status, other.refusal?.code]).toEqual([401, 'RESET_PASSWORD_REQUIRED'])
  })
})

describe('auth.findSession', () => {
  beforeAll(async () => {
    app = await testApp({ now: START })
    await app.signUp()
  })
  afterAll(async () => {
    await app.stop()
  })

  it('ends a session that was idle for two hours', async () => {
    const { body } = await signIn()
    advance(119 * MINUTE)
    expect((await me(body.key)).status).toBe(200)
    advance(119 * MINUTE)
    expect((await me(body.key)).status).toBe(200)
    advance(120 * MINUTE)
    expect((await me(body.key)).refusal?.code).toBe('UNAUTHORIZED')
  })

  it('ends a session after a day, however busy it is', async () => {
    const { body } = await signIn()
    for (let hour = 1; hour < 24; hour += 1) {
      advance(60 * MINUTE)
      expect((await me(body.key)).status).toBe(200)
    }
    advance(60 * MINUTE)
    expect((await me(body.key)).refusal?.code).toBe('UNAUTHORIZED')
  })

  it('writes a use at most once a minute', async () => {
    const { body } = await signIn()
    const seen = () => rows(sql`SELECT last_seen_at FROM sessions WHERE id = ${body.id}`)
    const first = await seen()
    advance(59_000)
    await me(body.key)
    expect(await seen()).toEqual(first)
    advance(1000)
    await me(body.key)
    expect(await seen()).toEqual([{ last_seen_at: app.clock.now }])
  })

  it('takes an access token for a quarter of an hour', async () => {
    const { body } = await signIn()
    advance(15 * MINUTE - 1)
    expect((await me(body.accessToken)).status).toBe(200)
    advance(1)
    expect((await me(body.accessToken)).refusal?.code).toBe('UNAUTHORIZED')
    expect((await me(body.key)).status).toBe(200)
  })

  it('follows the settings of idle and absolute time', async () => {
    const { body: admin } = await signIn()
    const set = (key: string, value: string) =>
      app.call(settingsRoutes.saveSetting, { body: { key, value } }, { key: admin.key })
    await set('security.session_idle_minutes', '5')
    await set('security.session_absolute_hours', '1')
    const { body } = await signIn()
    expect(body.expiresAt.getTime() - app.clock.now.getTime()).toBe(5 * MINUTE)
    expect(body.absoluteExpiresAt.getTime() - app.clock.now.getTime()).toBe(60 * MINUTE)
    advance(5 * MINUTE)
    expect((await me(body.key)).refusal?.code).toBe('UNAUTHORIZED')
  })
})

describe('auth.logOut', () => {
  beforeAll(async () => {
    app = await testApp()
    await app.signUp()
  })
  afterAll(async () => {
    await app.stop()
  })

  it('ends this session and no other', async () => {
    const [one, other] = [(await signIn()).body, (await signIn()).body]
    expect((await app.call(authRoutes.logOut, {}, { key: one.key })).body).toEqual({ message: 'Signed out.' })
    expect((await me(one.key)).refusal?.code).toBe('UNAUTHORIZED')
    expect((await me(one.accessToken)).refusal?.code).toBe('UNAUTHORIZED')
    expect((await me(other.key)).status).toBe(200)
  })

  it('ends every session of the operator', async () => {
    const [one, other] = [(await signIn()).body, (await signIn()).body]
    expect((await app.call(authRoutes.logOutEverywhere, {}, { key: one.key })).status).toBe(200)
    expect((await me(one.key)).status).toBe(401)
    expect((await me(other.key)).status).toBe(401)
  })

  it('asks for a session: UNAUTHORIZED', async () => {
    for (const route of [authRoutes.logOut, authRoutes.logOutEverywhere, authRoutes.getMe]) {
      expect((await app.call(route)).refusal?.code).toBe('UNAUTHORIZED')
      expect((await app.call(route, {}, { key: `ks_${'x'.repeat(43)}` })).refusal?.code).toBe('UNAUTHORIZED')
    }
  })
})

describe('auth.getMe', () => {
  it('tells who is signed in and what they may do', async () => {
    app = await testApp({ now: START })
    try {
      const { body } = await me(await app.signUp())
      expect(body).toMatchObject({
        email: TEST_EMAIL,
        platformRoles: 'root',
        memberExternalPlatformRoles: [{ memberID: 1, externalPlatformID: null, roleID: 1 }],
        permissions: { projects: {} },
        stepUp: { windowUntil: new Date(START.getTime() + 30 * MINUTE) },
        sessionExpiresAt: new Date(START.getTime() + 120 * MINUTE),
        secondFactor: { enrolled: false, setupRequired: false },
      })
      expect(body.permissions.install).toContain('payment:create')
    } finally {
      await app.stop()
    }
  })
})
