import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'

const START = new Date('2026-01-31T09:00:00.000Z')
const MINUTE = 60_000

let app: TestApp
let key: string

const advance = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}
const prove = (body: object) =>
  app.call(authRoutes.stepUp, { body: { method: 'password', password: TEST_PASSWORD, ...body } }, { key })
const prepare = (body: { action: string; subject: Record<string, unknown> }) =>
  app.call(authRoutes.prepareStepUp, { body }, { key })
const changeSetting = () =>
  app.call(settingsRoutes.saveSetting, { body: { key: 'wallet_connect_id', value: 'abc' } }, { key })

beforeEach(async () => {
  app = await testApp({ now: START })
  key = await app.signUp()
})
afterEach(async () => {
  await app.stop()
})

describe('auth.stepUp', () => {
  it('counts the sign-in for half an hour, then asks again: STEP_UP_REQUIRED', async () => {
    advance(30 * MINUTE - 1)
    expect((await changeSetting()).status).toBe(201)
    advance(1)
    const { status, refusal } = await changeSetting()
    expect([status, refusal?.code]).toEqual([403, 'STEP_UP_REQUIRED'])
    expect(refusal?.data).toEqual({ class: 'S', action: 'C3', methods: ['password'] })
  })

  it('opens the window of this session with the password', async () => {
    const other = await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })
    advance(40 * MINUTE)
    const { body } = await prove({})
    expect(body).toEqual({ windowUntil: new Date(START.getTime() + 70 * MINUTE) })
    expect((await changeSetting()).status).toBe(201)
    const mine = await app.call(authRoutes.getMe, {}, { key })
    expect(mine.body.stepUp.windowUntil).toEqual(body.windowUntil)
    const theirs = await app.call(authRoutes.getMe, {}, { key: other.body.key })
    expect(theirs.body.stepUp.windowUntil).toEqual(new Date(START.getTime() + 30 * MINUTE))
  })

  it('refuses a wrong password without signing out: CURRENT_PASSWORD_WRONG', async () => {
    advance(40 * MINUTE)
    const { status, refusal } = await prove({ password: 'Wrong.Horse9' })
    expect([status, refusal?.code, refusal?.message]).toEqual([
      400,
      'CURRENT_PASSWORD_WRONG',
      'Current password is incorrect.',
    ])
    expect((await changeSetting()).refusal?.code).toBe('STEP_UP_REQUIRED')
  })

  it('counts failures for this session alone: SIGN_IN_THROTTLED', async () => {
    for (let failure = 1; failure <= 5; failure += 1) await prove({ password: 'Wrong.Horse9' })
    const { status, refusal } = await prove({})
    expect([status, refusal?.code]).toEqual([429, 'SIGN_IN_THROTTLED'])
    const signIn = await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })
    expect(signIn.status).toBe(200)
  })

  it('waits for nothing that strangers do at the sign-in', async () => {
    for (let failure = 1; failure <= 6; failure += 1) {
      const body = { email: TEST_EMAIL, password: 'Wrong.Horse9' }
      await app.call(authRoutes.signIn, { body })
    }
    expect((await prove({})).status).toBe(200)
  })

  it('has no other method while no factor can be enrolled: STEP_UP_METHOD_NOT_ALLOWED', async () => {
    const { status, refusal } = await prove({ method: 'totp', code: '123456' })
    expect([status, refusal?.code]).toEqual([403, 'STEP_UP_METHOD_NOT_ALLOWED'])
  })

  it('refuses a body without its password: INVALID_JSON_DATA', async () => {
    const { status, refusal } = await prove({ password: undefined })
    expect([status, refusal?.code, refusal?.message]).toEqual([400, 'INVALID_JSON_DATA', 'Password is required'])
  })
})

describe('auth.prepareStepUp', () => {
  it('describes the action and covers it with a digest', async () => {
    const one = await prepare({ action: 'I2', subject: { p: 3, name: 'Shop' } })
    expect(one.body).toMatchObject({
      methods: ['password'],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      display: { title: expect.stringContaining('API key'), lines: [] },
    })
    const same = await prepare({ action: 'I2', subject: { name: 'Shop', p: 3 } })
    const other = await prepare({ action: 'I2', subject: { name: 'Shop', p: 4 } })
    expect(same.body.digest).toBe(one.body.digest)
    expect(other.body.digest).not.toBe(one.body.digest)
  })

  it.each(['A3', 'Z9', ''])('refuses %j: STEP_UP_ACTION_UNKNOWN', async (action) => {
    const { status, refusal } = await prepare({ action, subject: {} })
    expect([status, refusal?.code]).toEqual([400, 'STEP_UP_ACTION_UNKNOWN'])
  })

  it('is confirmed once, within five minutes, in its own session: CHALLENGE_EXPIRED', async () => {
    const first = (await prepare({ action: 'I2', subject: {} })).body.challengeId
    const second = (await prepare({ action: 'I2', subject: {} })).body.challengeId
    expect((await prove({ challengeId: first })).status).toBe(200)
    expect((await prove({ challengeId: first })).refusal?.code).toBe('CHALLENGE_EXPIRED')
    const other = await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })
    const elsewhere = await app.call(
      authRoutes.stepUp,
      { body: { method: 'password', password: TEST_PASSWORD, challengeId: second } },
      { key: other.body.key },
    )
    expect(elsewhere.refusal?.code).toBe('CHALLENGE_EXPIRED')
    advance(5 * MINUTE)
    const { status, refusal } = await prove({ challengeId: second })
    expect([status, refusal?.code]).toEqual([400, 'CHALLENGE_EXPIRED'])
  })
})
