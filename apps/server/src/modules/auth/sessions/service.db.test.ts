import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { forgetOld } from '../jobs.ts'
import { findSessionFacts } from './service.ts'

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

  it('ends a session after a day of any activity', async () => {
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

  it('finds a session by id without counting as use, until it ends in any way', async () => {
    const { body } = await signIn()
    const facts = () => findSessionFacts(app.ctx, body.id)
    expect(await facts()).toMatchObject({ operatorId: 1, sessionId: body.id, email: TEST_EMAIL, restricted: false })
    advance(119 * MINUTE)
    expect(await facts()).not.toBeNull()
    advance(MINUTE)
    expect(await facts()).toBeNull()
    const next = (await signIn()).body
    await app.call(authRoutes.logOut, {}, { key: next.key })
    expect(await findSessionFacts(app.ctx, next.id)).toBeNull()
    expect(await findSessionFacts(app.ctx, 999_999)).toBeNull()
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

describe('auth.forgetOld', () => {
  it('forgets what ended a month ago and keeps the rest', async () => {
    app = await testApp({ now: START })
    try {
      await app.signUp()
      await signIn({ email: 'nobody@shop.example' })
      advance(32 * 24 * 60 * MINUTE)
      const { body } = await signIn()
      await signIn({ email: 'somebody@shop.example' })
      await forgetOld(app.ctx)
      expect(await rows(sql`SELECT id FROM sessions`)).toEqual([{ id: body.id }])
      expect(await rows(sql`SELECT subject FROM sign_in_failures ORDER BY subject`)).toEqual([
        { subject: 'sign-in:somebody@shop.example' },
        { subject: 'sign-in:somebody@shop.example 127.0.0.1' },
      ])
    } finally {
      await app.stop()
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
        secondFactor: { enrolled: false, setupRequired: false, requiredForMoney: false },
      })
      expect(body.permissions.install).toContain('payment:create')
    } finally {
      await app.stop()
    }
  })
})
