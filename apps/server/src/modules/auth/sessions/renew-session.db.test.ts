import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'

const START = new Date('2026-01-31T09:00:00.000Z')
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let app: TestApp
let signedIn: { id: number; key: string; accessToken: string; refreshToken: string }

const advance = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}
const signIn = async () =>
  (await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })).body
const refresh = (refreshToken: string) => app.call(authRoutes.refresh, { body: { refreshToken } })
const me = (key: string) => app.call(authRoutes.getMe, {}, { key })
const stored = async () =>
  (await sql`SELECT * FROM sessions`.execute(app.ctx.db)).rows.concat(
    (await sql`SELECT * FROM superseded_refresh_tokens`.execute(app.ctx.db)).rows,
  )

beforeEach(async () => {
  app = await testApp({ now: START })
  await app.signUp()
  signedIn = await signIn()
})
afterEach(async () => {
  await app.stop()
})

describe('auth.refresh', () => {
  it('opens a session again whose access token ran out', async () => {
    advance(15 * MINUTE)
    expect((await me(signedIn.accessToken)).refusal?.code).toBe('UNAUTHORIZED')
    const { status, body, text } = await refresh(signedIn.refreshToken)
    expect([status, body.expiresIn, body.tokenType]).toEqual([200, 900, 'Bearer'])
    expect(body.accessToken).toMatch(/^ka_[\w-]{43}$/)
    expect(text).toMatch(/"accessToken":"[^"]+","refreshToken":"[^"]+"/)
    expect((await me(body.accessToken)).body.email).toBe(TEST_EMAIL)
    advance(15 * MINUTE)
    expect((await me(body.accessToken)).status).toBe(401)
  })

  it('goes on for a week after the key has ended, and never wakes the key', async () => {
    advance(3 * DAY)
    const { body } = await refresh(signedIn.refreshToken)
    const { status, body: who } = await me(body.accessToken)
    expect([status, who.sessionExpiresAt]).toEqual([200, new Date(app.clock.now.getTime() + 15 * MINUTE)])
    expect((await me(signedIn.key)).status).toBe(401)
    advance(4 * DAY)
    expect((await refresh(signedIn.refreshToken)).refusal?.code).toBe('UNAUTHORIZED')
  })

  it('hands out the same refresh token while more than two days remain, then another', async () => {
    advance(5 * DAY - 1)
    expect((await refresh(signedIn.refreshToken)).body.refreshToken).toBe(signedIn.refreshToken)
    advance(MINUTE + 1)
    const { body } = await refresh(signedIn.refreshToken)
    expect(body.refreshToken).toMatch(/^kr_[\w-]{43}$/)
    expect(body.refreshToken).not.toBe(signedIn.refreshToken)
    advance(6 * DAY)
    expect((await refresh(body.refreshToken)).status).toBe(200)
  })

  it('ends thirty days after signing in, however often it was renewed', async () => {
    let token = signedIn.refreshToken
    for (let day = 5; day < 30; day += 5) {
      advance(5 * DAY)
      token = (await refresh(token)).body.refreshToken
    }
    advance(5 * DAY - 1)
    token = (await refresh(token)).body.refreshToken
    advance(1)
    expect((await refresh(token)).refusal?.code).toBe('UNAUTHORIZED')
  })

  it.each([0, 6 * DAY])('gives parallel calls after %d ms one answer', async (wait) => {
    advance(wait)
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(signedIn.refreshToken)))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await me(answers[0]?.body.accessToken ?? '')).status).toBe(200)
  })

  it('repeats its answer for a minute to holders of the old or the new token', async () => {
    advance(6 * DAY)
    const { text, body } = await refresh(signedIn.refreshToken)
    advance(MINUTE)
    expect((await refresh(signedIn.refreshToken)).text).toBe(text)
    expect((await refresh(body.refreshToken)).text).toBe(text)
    expect((await me(body.accessToken)).status).toBe(200)
  })

  it('gives another access token after that minute, in place of the former', async () => {
    const { body: first } = await refresh(signedIn.refreshToken)
    advance(MINUTE + 1)
    const { body: second } = await refresh(signedIn.refreshToken)
    expect(second.accessToken).not.toBe(first.accessToken)
    expect([(await me(first.accessToken)).status, (await me(second.accessToken)).status]).toEqual([401, 200])
  })

  it('ends the session when a token that was replaced turns up late', async () => {
    advance(6 * DAY)
    const { body: first } = await refresh(signedIn.refreshToken)
    advance(6 * DAY)
    const { body: second } = await refresh(first.refreshToken)
    advance(MINUTE + 1)
    const { status, refusal } = await refresh(signedIn.refreshToken)
    expect([status, refusal?.code, refusal?.details]).toEqual([
      401,
      'UNAUTHORIZED',
      'This refresh token was used after a newer one had replaced it, so the session has ended. Sign in again.',
    ])
    expect((await refresh(second.refreshToken)).status).toBe(401)
    expect((await me(second.accessToken)).status).toBe(401)
  })

  it('takes a replaced token for a copy also when it was stored later than the renewal', async () => {
    advance(6 * DAY)
    await refresh(signedIn.refreshToken)
    await sql`UPDATE superseded_refresh_tokens SET superseded_at = superseded_at + interval '1 minute'`.execute(
      app.ctx.db,
    )
    advance(MINUTE + 1)
    expect((await refresh(signedIn.refreshToken)).refusal?.code).toBe('UNAUTHORIZED')
    expect(await stored()).toContainEqual(expect.objectContaining({ id: signedIn.id, ended_at: app.clock.now }))
  })

  it('ends a session whose operator must choose a password and whose time for that is over', async () => {
    advance(3 * DAY)
    await sql`UPDATE sessions SET restricted = true`.execute(app.ctx.db)
    expect((await refresh(signedIn.refreshToken)).refusal?.code).toBe('UNAUTHORIZED')
    expect(await stored()).toContainEqual(expect.objectContaining({ id: signedIn.id, ended_at: app.clock.now }))
  })

  it('takes nothing of a session that ended in another way', async () => {
    await app.call(authRoutes.logOut, {}, { key: signedIn.key })
    expect((await refresh(signedIn.refreshToken)).refusal?.code).toBe('UNAUTHORIZED')
    const other = await signIn()
    await app.call(
      authRoutes.changePassword,
      { body: { oldPassword: TEST_PASSWORD, password: 'Battery.Staple9' } },
      { key: (await signIn()).key },
    )
    expect((await refresh(other.refreshToken)).refusal?.code).toBe('UNAUTHORIZED')
  })

  it('takes neither other credentials nor nothing', async () => {
    for (const token of [signedIn.key, signedIn.accessToken, `kr_${'x'.repeat(43)}`]) {
      expect((await refresh(token)).refusal?.code).toBe('UNAUTHORIZED')
    }
    const { status, refusal } = await app.call(authRoutes.refresh, {}, { raw: '{}' })
    expect([status, refusal?.code, refusal?.message]).toEqual([400, 'INVALID_JSON_DATA', 'Refresh token is required'])
    expect((await me(signedIn.refreshToken)).status).toBe(401)
  })

  it('shows a session that can only be renewed where its operator ends it', async () => {
    advance(2 * DAY)
    const now = await signIn()
    const { body } = await app.call(authRoutes.listSessions, {}, { key: now.key })
    expect(body.map(({ id }) => id)).toContain(signedIn.id)
    const ended = await app.call(authRoutes.endSession, { params: { id: signedIn.id } }, { key: now.key })
    expect(ended.status).toBe(200)
    expect((await refresh(signedIn.refreshToken)).status).toBe(401)
  })

  it('stores no token as text', async () => {
    advance(6 * DAY)
    const { body } = await refresh(signedIn.refreshToken)
    const text = JSON.stringify(await stored(), (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    )
    for (const token of [body.accessToken, body.refreshToken, signedIn.refreshToken]) {
      expect(text).not.toContain(token)
    }
  })
})
