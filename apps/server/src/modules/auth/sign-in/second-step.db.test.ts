import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

import { TEST_PASSWORD } from '../../../testing/app.ts'
import { factorWorld, MINUTE, STEP, wrongCode } from '../../../testing/accounts/factors.ts'

const world = await factorWorld()
const { app, advance, codeAt, ownFactors, changeName, withTotp, signIn, firstStep, finish, withCode, root } = world

beforeEach(world.nextTest)
afterAll(() => app.stop())

describe('A3, A4: the second step of a sign-in', () => {
  it('asks, takes a code, and opens a session that has both factors', async () => {
    const { email, secret } = await withTotp()
    const step = await firstStep(email)
    expect(step).toMatchObject({ methods: ['totp', 'backup'], expiresAt: expect.any(String) })
    expect(step.publicKey).toBeUndefined()
    const { status, body } = await finish({ challengeToken: step.challengeToken, method: 'totp', code: codeAt(secret) })
    expect(status).toBe(200)
    expect(body.secondFactor).toMatchObject({ enrolled: true, satisfied: true })
    const sessions = await app.call(authRoutes.listSessions, {}, { key: body.key })
    expect(sessions.body.find(({ current }) => current)?.factors).toEqual(['password', 'totp'])
  })

  it('takes the code beside the password, for scripts', async () => {
    const { email, secret, codes } = await withTotp()
    expect((await signIn(email, codeAt(secret))).status).toBe(200)
    expect((await signIn(email, codes[0])).status).toBe(200)
    const { status, refusal } = await signIn(email, codes[0])
    expect([status, refusal?.code, refusal?.data]).toEqual([400, 'SECOND_FACTOR_INVALID', { reason: 'backup_unknown' }])
  })

  it.each([-1, 0, 1])('takes a code %d steps away once', async (by) => {
    const { email, secret } = await withTotp()
    const code = codeAt(secret, by)
    expect((await withCode(email, code)).status).toBe(200)
    const { refusal } = await withCode(email, code)
    expect([refusal?.code, refusal?.data]).toEqual(['SECOND_FACTOR_INVALID', { reason: 'used' }])
  })

  it('says that a late code is late, and of an early one nothing', async () => {
    const { email, secret } = await withTotp()
    expect((await withCode(email, codeAt(secret, -10))).refusal?.data).toEqual({ reason: 'clock_behind', minutes: 5 })
    expect((await withCode(email, codeAt(secret, 10))).refusal?.data).toEqual({ reason: 'unknown' })
  })

  it('gives one of two calls with one code the session', async () => {
    const { email, secret } = await withTotp()
    const [one, other] = [await firstStep(email), await firstStep(email)]
    const code = codeAt(secret)
    const answers = await Promise.all(
      [one, other].map(({ challengeToken }) => finish({ challengeToken, method: 'totp', code })),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
  })

  it('takes each backup code once, counts what is left, and goes on without them', async () => {
    const { email, key, codes } = await withTotp()
    const typed = codes[0]?.toLowerCase().replaceAll('-', ' ') ?? ''
    const enter = async (code: string) => {
      const { challengeToken } = await firstStep(email)
      return finish({ challengeToken, method: 'backup', code })
    }
    const { body } = await enter(typed)
    expect(await ownFactors(body.key)).toMatchObject({ backupCodesLeft: 9 })
    expect((await enter(typed)).refusal?.code).toBe('SECOND_FACTOR_INVALID')
    for (const code of codes.slice(1)) expect((await enter(code)).status).toBe(200)
    expect((await firstStep(email)).methods).toEqual(['totp'])
    const renewed = await app.call(factorRoutes.renewBackupCodes, {}, { key })
    expect(renewed.body.backupCodes).toHaveLength(10)
    expect((await firstStep(email)).methods).toEqual(['totp', 'backup'])
  })

  it('has five tries, five minutes, one network, one program and one use: CHALLENGE_EXPIRED', async () => {
    const { email, secret } = await withTotp()
    const expired = async (answer: ReturnType<typeof finish>) => {
      const { status, refusal } = await answer
      expect([status, refusal?.code]).toEqual([400, 'CHALLENGE_EXPIRED'])
    }
    await expired(finish({ challengeToken: 'nobody', method: 'totp', code: '123456' }))
    const { challengeToken } = await firstStep(email)
    await expired(finish({ challengeToken, method: 'totp', code: codeAt(secret) }, { 'user-agent': 'other' }))
    const right = { challengeToken, method: 'totp', code: codeAt(secret) } as const
    expect((await finish(right)).status).toBe(200)
    await expired(finish(right))

    advance(2 * STEP)
    const second = await firstStep(email)
    advance(5 * MINUTE)
    await expired(finish({ ...right, challengeToken: second.challengeToken, code: codeAt(secret) }))

    const third = await firstStep(email)
    for (let tried = 1; tried <= 5; tried += 1) {
      await finish({ challengeToken: third.challengeToken, method: 'passkey', assertion: {} })
    }
    await expired(finish({ ...right, challengeToken: third.challengeToken, code: codeAt(secret) }))
  })

  it('begins anew when the password changed, or the access was taken, in between', async () => {
    const one = await withTotp()
    const { challengeToken } = await firstStep(one.email)
    const body = { oldPassword: TEST_PASSWORD, password: 'Another.Horse8' }
    expect((await app.call(authRoutes.changePassword, { body }, { key: one.key })).status).toBe(200)
    const changed = await finish({ challengeToken, method: 'totp', code: codeAt(one.secret) })
    expect(changed.refusal?.code).toBe('CHALLENGE_EXPIRED')

    const other = await withTotp()
    const step = await firstStep(other.email)
    await app.call(accountRoutes.revokeAccess, { params: { id: other.id }, body: {} }, { key: root() })
    const revoked = await finish({ challengeToken: step.challengeToken, method: 'totp', code: codeAt(other.secret) })
    expect(revoked.refusal?.code).toBe('CHALLENGE_EXPIRED')
  })

  it('leaves the duty to choose a password', async () => {
    const { email, secret, id } = await withTotp()
    await app.call(passwordRoutes.requireReset, { params: { id } }, { key: root() })
    const { body } = await withCode(email, codeAt(secret))
    expect(body).toMatchObject({ resetPasswordRequired: true, resetPasswordToken: expect.any(String) })
    expect((await changeName(body.key)).refusal?.code).toBe('RESET_PASSWORD_REQUIRED')
  })

  it('refuses a body without its code: INVALID_JSON_DATA', async () => {
    const { status, refusal } = await finish({ challengeToken: 'x', method: 'totp' })
    expect([status, refusal?.code, refusal?.fields]).toEqual([400, 'INVALID_JSON_DATA', { code: 'Code is required' }])
  })
})

describe('guesses at codes', () => {
  it('wait longer after each one, also after the right password, and lock no one out for good', async () => {
    const { email, secret } = await withTotp()
    let tried = 0
    let waited = 0
    for (let guess = 1; guess <= 10_000; guess += 1) {
      // Most guesses fall into a wait: those are answered from one row, and counted here by the time they take.
      const { refusal } = await signIn(email, wrongCode(codeAt(secret)))
      if (refusal?.code !== 'SIGN_IN_THROTTLED') {
        tried += 1
        continue
      }
      const { seconds } = refusal.data as { seconds: number }
      waited = seconds
      if (seconds >= 15 * 60 - 1) break
      advance(seconds * 1000)
      await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
    }
    expect(waited).toBe(15 * 60)
    expect(tried).toBeLessThan(20)
    advance(waited * 1000)
    expect((await signIn(email, codeAt(secret))).status).toBe(200)
    // Forgiven.
    expect((await signIn(email, wrongCode(codeAt(secret)))).refusal?.code).toBe('SECOND_FACTOR_INVALID')
  })
})
