import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { findSessionFacts } from '../sessions/service.ts'

const START = new Date('2026-01-31T09:00:00.000Z')
const NEXT = 'Another.Horse9'

let app: TestApp
let key: string

const change = (body: object = {}, options: object = { key }) =>
  app.call(authRoutes.changePassword, { body: { oldPassword: TEST_PASSWORD, password: NEXT, ...body } }, options)
const signIn = (password = TEST_PASSWORD) => app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password } })
const me = (session: string) => app.call(authRoutes.getMe, {}, { key: session })
const rows = async (query: ReturnType<typeof sql>) => (await query.execute(app.ctx.db)).rows

beforeEach(async () => {
  app = await testApp({ now: START })
  key = await app.signUp()
})
afterEach(async () => {
  await app.stop()
})

describe('auth.changePassword', () => {
  it('takes the new password from now on and keeps this session', async () => {
    const { status, body } = await change()
    expect([status, body]).toEqual([200, { message: 'Password changed successfully.' }])
    expect((await me(key)).status).toBe(200)
    expect((await signIn()).refusal?.code).toBe('INVALID_CREDENTIALS')
    expect((await signIn(NEXT)).status).toBe(200)
    const [{ id }] = (await rows(sql`SELECT id FROM sessions ORDER BY id`)) as [{ id: number }]
    expect(await rows(sql`SELECT project_id, payload FROM events WHERE type = 'operator.password_changed'`)).toEqual([
      { project_id: null, payload: { memberID: 1, sessionID: id, ipAddress: '127.0.0.1' } },
    ])
  })

  it('ends the other sessions of the operator, says so, and leaves other operators alone', async () => {
    const other = (await signIn()).body
    const shop = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body
    const somebody = await addOperator(app, { projectId: shop.id, role: 'project_ops' })
    expect((await change()).body.message).toBe('Password changed successfully. Other devices were signed out.')
    expect((await me(other.key)).refusal?.code).toBe('UNAUTHORIZED')
    expect((await me(other.accessToken)).refusal).toMatchObject({
      code: 'UNAUTHORIZED',
      details: 'You were signed out because your password changed.',
      data: { reason: 'password_changed' },
    })
    expect(await findSessionFacts(app.ctx, other.id)).toBeNull()
    expect((await me(key)).status).toBe(200)
    expect((await me(somebody.key)).status).toBe(200)
  })

  it('does not speak of sessions that had run out, and ends them all the same', async () => {
    const { body } = await signIn()
    await sql`UPDATE sessions SET idle_expires_at = ${START}, access_expires_at = ${START}, refresh_expires_at = ${START} WHERE id = ${body.id}`.execute(
      app.ctx.db,
    )
    expect((await change()).body.message).toBe('Password changed successfully.')
    expect(await rows(sql`SELECT ended_at FROM sessions WHERE id = ${body.id}`)).toEqual([{ ended_at: START }])
  })

  it('lets an operator who must choose a password do so, and asks them to sign in again', async () => {
    await sql`UPDATE operators SET reset_password_required = true`.execute(app.ctx.db)
    const { body } = await signIn()
    expect((await change({}, { key: body.key })).status).toBe(200)
    expect((await me(body.key)).refusal?.code).toBe('UNAUTHORIZED')
    expect((await me(key)).refusal?.code).toBe('UNAUTHORIZED')
    expect((await signIn(NEXT)).body.resetPasswordRequired).toBe(false)
  })

  it('refuses a wrong current password without signing out: CURRENT_PASSWORD_WRONG', async () => {
    const other = (await signIn()).body
    const { status, refusal } = await change({ oldPassword: 'Wrong.Horse9' })
    expect([status, refusal?.code, refusal?.message, refusal?.fields]).toEqual([
      400,
      'CURRENT_PASSWORD_WRONG',
      'Current password is incorrect.',
      { oldPassword: 'Current password is incorrect.' },
    ])
    expect((await me(key)).status).toBe(200)
    expect((await me(other.key)).status).toBe(200)
    expect((await signIn()).status).toBe(200)
    expect(await rows(sql`SELECT 1 FROM events WHERE type = 'operator.password_changed'`)).toEqual([])
  })

  it.each(['Correct.Horsé9', 'Correct.Horse\u03019'])(
    'refuses the password that is in use, however it is typed (%j): PASSWORD_UNCHANGED',
    async (password) => {
      await change({ password: 'Correct.Horsé9' })
      const { status, refusal } = await change({ oldPassword: 'Correct.Horsé9', password })
      const text = 'The new password must differ from the current one.'
      expect([status, refusal?.code, refusal?.message, refusal?.fields]).toEqual([
        400,
        'PASSWORD_UNCHANGED',
        text,
        { password: text },
      ])
    },
  )

  it('says of a wrong current password that it is wrong, even when both are the same', async () => {
    const { refusal } = await change({ oldPassword: NEXT })
    expect(refusal?.code).toBe('CURRENT_PASSWORD_WRONG')
  })

  it('counts failures for this session alone: SIGN_IN_THROTTLED', async () => {
    for (let failure = 1; failure <= 5; failure += 1) await change({ oldPassword: 'Wrong.Horse9' })
    const { status, refusal, headers } = await change()
    expect([status, refusal?.code, headers['retry-after'], refusal?.data]).toEqual([
      429,
      'SIGN_IN_THROTTLED',
      '1',
      { seconds: 1 },
    ])
    expect((await signIn()).status).toBe(200)
    app.clock.now = new Date(START.getTime() + 1000)
    expect((await change()).status).toBe(200)
  })

  it.each([
    [{}, { oldPassword: 'Current password is required', password: 'Password is required' }],
    [
      { oldPassword: '', password: 'abc' },
      {
        oldPassword: 'Current password is required',
        password: 'Password does not meet all requirements',
      },
    ],
    [{ oldPassword: TEST_PASSWORD, password: 'Ab1!' }, { password: 'Password must be at least 8 characters long' }],
  ])('refuses %j with each field named: INVALID_JSON_DATA', async (body, fields) => {
    const { status, refusal } = await change({}, { key, raw: JSON.stringify(body) })
    expect([status, refusal?.code, refusal?.fields]).toEqual([400, 'INVALID_JSON_DATA', fields])
    expect(refusal?.message).toBe(Object.values(fields)[0])
  })

  it('asks for a session: UNAUTHORIZED', async () => {
    expect((await change({}, {})).refusal?.code).toBe('UNAUTHORIZED')
  })

  it('lets one of two changes at once win', async () => {
    const answers = await Promise.all([change({ password: 'First.Horse9' }), change({ password: 'Second.Horse9' })])
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 400]))
    expect(answers.find(({ status }) => status === 400)?.refusal?.code).toBe('CURRENT_PASSWORD_WRONG')
  })

  it('is answered again to the same key, and refused to another body', async () => {
    const keyed = { key, headers: { 'idempotency-key': 'change-1' } }
    const first = await change({}, keyed)
    expect((await change({}, keyed)).body).toEqual(first.body)
    expect((await change({ password: 'Other.Horse9' }, keyed)).refusal?.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})

describe('auth.signIn', () => {
  it('opens no session with a password that is being changed', async () => {
    let attempt: ReturnType<typeof signIn> | undefined
    await app.ctx.db.transaction().execute(async (db) => {
      await sql`UPDATE operators SET password_hash = 'changed'`.execute(db)
      attempt = signIn()
      await vi.waitFor(
        async () =>
          expect(
            await rows(sql`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`),
          ).toHaveLength(1),
        { timeout: 10_000 },
      )
    })
    expect((await attempt)?.refusal?.code).toBe('INVALID_CREDENTIALS')
    expect(await rows(sql`SELECT 1 FROM sessions`)).toHaveLength(1)
  })
})
