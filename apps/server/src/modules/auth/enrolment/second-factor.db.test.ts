import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import type { SecondStep } from '@kassa/contract/auth/factor-schemas.ts'
import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { rolesRoutes } from '@kassa/contract/operators/role-routes.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { softAuthenticator } from '../../../testing/authenticator.ts'
import { addOperator } from '../../../testing/operators.ts'
import { totpCode } from '../factors/totp.ts'
import { openAlarms } from '../../alarms/service.ts'
import { removeFactorsByEmail } from './removal.ts'

const START = new Date('2026-01-31T09:00:00.000Z')
const STEP = 30_000
const MINUTE = 60_000

let app: TestApp
let root: string
let shop: number

beforeAll(async () => {
  app = await testApp({ now: START })
  root = await app.signUp()
  shop = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key: root })).body.id
})
afterAll(() => app.stop())

const advance = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}
beforeEach(async () => {
  // Each test is in a step of its own, whatever the one before used.
  advance(5 * STEP)
  await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
  await renewRoot()
})

/** The root goes on, whatever the clock did. */
async function renewRoot() {
  root = (await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })).body.key
}

const codeAt = (secret: string, by = 0) => totpCode(base32(secret), Math.floor(app.clock.now.getTime() / STEP) + by)

function base32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const wrongCode = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, '0')

async function member() {
  const { operatorId, key, signedIn } = await addOperator(app, { projectId: shop, role: 'project_lead' })
  return { id: operatorId, key, email: signedIn.member.email }
}

const beginTotp = (key: string) => app.call(factorRoutes.beginTotp, {}, { key })
const confirmTotp = (key: string, code: string) => app.call(factorRoutes.confirmTotp, { body: { code } }, { key })
const ownFactors = async (key: string) => (await app.call(factorRoutes.getOwnFactors, {}, { key })).body
const changeName = (key: string) => app.call(authRoutes.changeMe, { body: { name: 'x' } }, { key })
const makeKey = (key: string) => app.call(factorRoutes.beginPasskey, {}, { key })

/** A member with an authenticator app, still signed in. */
async function withTotp() {
  const one = await member()
  const { secret } = (await beginTotp(one.key)).body
  const { body } = await confirmTotp(one.key, codeAt(secret))
  advance(2 * STEP)
  return { ...one, secret, codes: body.backupCodes ?? [] }
}

/** A member with a passkey, still signed in. */
async function withPasskey() {
  const one = await member()
  const authenticator = softAuthenticator()
  const added = await addPasskey(one.key, authenticator)
  return { ...one, authenticator, passkeyId: added.body.id, codes: added.body.backupCodes ?? [] }
}

async function addPasskey(key: string, authenticator = softAuthenticator(), wrong = {}) {
  const { challengeId, publicKey } = (await makeKey(key)).body
  const body = { challengeId, attestation: authenticator.create(publicKey, wrong), name: 'Phone' }
  return app.call(factorRoutes.addPasskey, { body }, { key })
}

const signIn = (email: string, otpCode?: string) =>
  app.call(authRoutes.signIn, { body: { email, password: TEST_PASSWORD, ...(otpCode !== undefined && { otpCode }) } })
async function firstStep(email: string): Promise<SecondStep> {
  const { status, refusal } = await signIn(email)
  expect([status, refusal?.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
  return refusal?.data as SecondStep
}
type Finish = NonNullable<Parameters<typeof app.call<typeof factorRoutes.finishSignIn>>[1]>['body']
const finish = (body: NonNullable<Finish>, headers = {}) => app.call(factorRoutes.finishSignIn, { body }, { headers })
const withCode = async (email: string, code: string) => {
  const { challengeToken } = await firstStep(email)
  return finish({ challengeToken, method: 'totp', code })
}
const setPolicy = async (value: string) => {
  const { status } = await app.call(
    settingsRoutes.saveSetting,
    { body: { key: 'security.second_factor', value } },
    { key: root },
  )
  expect(status).toBeLessThan(300)
}

describe('A18–A20: an authenticator app', () => {
  it('shows a secret once, confirms it by a code, gives ten backup codes and ends other sessions', async () => {
    const { key, email } = await member()
    const other = (await signIn(email)).body.key
    const { body } = await beginTotp(key)
    expect(body).toMatchObject({ secret: expect.stringMatching(/^[A-Z2-7]{32}$/) })
    expect(body.otpauthURI).toContain(body.secret)
    expect(body.qrSvg).toMatch(/^<svg /)
    expect(await ownFactors(key)).toMatchObject({ enrolled: false, totp: false, backupCodesLeft: 0 })

    const confirmed = await confirmTotp(key, codeAt(body.secret))
    expect(confirmed.body.backupCodes).toHaveLength(10)
    expect(new Set(confirmed.body.backupCodes).size).toBe(10)
    expect(await ownFactors(key)).toEqual({
      enrolled: true,
      policy: 'optional',
      totp: true,
      passkeys: [],
      backupCodesLeft: 10,
    })
    expect((await changeName(other)).status).toBe(401)
    const me = await app.call(authRoutes.getMe, {}, { key })
    expect(me.body.secondFactor).toEqual({
      enrolled: true,
      methods: ['totp', 'backup'],
      satisfied: true,
      setupRequired: false,
    })
    // The window is that of a factor from now on.
    expect(me.body.stepUp.windowUntil).toEqual(new Date(app.clock.now.getTime() + 10 * MINUTE))
    expect((await beginTotp(key)).refusal?.code).toBe('TOTP_ALREADY_ENROLLED')
  })

  it('keeps the secret sealed, and neither secret nor code in the log', async () => {
    const { secret, codes } = await withTotp()
    const dump = await sql<{ text: string }>`SELECT (SELECT string_agg(s::text, ' ') FROM secrets s) ||
      (SELECT string_agg(b::text, ' ') FROM backup_codes b) AS text`.execute(app.ctx.db)
    const seen = JSON.stringify(dump.rows) + app.logLines.join('')
    for (const shown of [secret, base32(secret).toString('hex'), ...codes]) expect(seen).not.toContain(shown)
  })

  it('waits ten minutes for its code, of the newest secret: CHALLENGE_EXPIRED, SECOND_FACTOR_INVALID', async () => {
    const { key } = await member()
    expect((await confirmTotp(key, '123456')).refusal?.code).toBe('CHALLENGE_EXPIRED')
    const first = (await beginTotp(key)).body.secret
    const second = (await beginTotp(key)).body.secret
    const { status, refusal } = await confirmTotp(key, codeAt(first))
    expect([status, refusal?.code]).toEqual([400, 'SECOND_FACTOR_INVALID'])
    advance(10 * MINUTE)
    expect((await confirmTotp(key, codeAt(second))).refusal?.code).toBe('CHALLENGE_EXPIRED')
  })

  it('names a clock that is five minutes off', async () => {
    const { key } = await member()
    const { secret } = (await beginTotp(key)).body
    const { refusal } = await confirmTotp(key, codeAt(secret, 10))
    expect(refusal?.data).toEqual({ reason: 'clock_ahead', minutes: 5 })
    expect(refusal?.details).toContain('the clock of the phone is ahead')
  })

  it('lets guesses at the first code wait: SIGN_IN_THROTTLED', async () => {
    const { key } = await member()
    const { secret } = (await beginTotp(key)).body
    const wrong = wrongCode(codeAt(secret))
    for (let failure = 1; failure <= 5; failure += 1) await confirmTotp(key, wrong)
    expect((await confirmTotp(key, codeAt(secret))).refusal?.code).toBe('SIGN_IN_THROTTLED')
  })

  it('of two confirmations at once one counts', async () => {
    const { key } = await member()
    const { secret } = (await beginTotp(key)).body
    const answers = await Promise.all([confirmTotp(key, codeAt(secret)), confirmTotp(key, codeAt(secret))])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })
})

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
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
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
    await app.call(accountRoutes.revokeAccess, { params: { id: other.id }, body: {} }, { key: root })
    const revoked = await finish({ challengeToken: step.challengeToken, method: 'totp', code: codeAt(other.secret) })
    expect(revoked.refusal?.code).toBe('CHALLENGE_EXPIRED')
  })

  it('leaves the duty to choose a password', async () => {
    const { email, secret, id } = await withTotp()
    await app.call(passwordRoutes.requireReset, { params: { id } }, { key: root })
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
  it('wait longer and longer, however often the right password is typed, and nobody is locked out for good', async () => {
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

describe('A23–A25: passkeys', () => {
  it('adds one for the question of this session, and lists it', async () => {
    const { key, passkeyId, codes } = await withPasskey()
    expect(codes).toHaveLength(10)
    expect(await ownFactors(key)).toMatchObject({
      enrolled: true,
      totp: false,
      passkeys: [{ id: passkeyId, name: 'Phone', lastUsedAt: null }],
      backupCodesLeft: 10,
    })
    const options = (await makeKey(key)).body.publicKey
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Kassa' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ type: 'public-key' }],
    })
  })

  it.each([
    ['of a foreign page', { origin: 'https://attacker.example' }],
    ['for another name', { host: 'attacker.example' }],
    ['for another question', { challenge: 'AAAA' }],
    ['without verifying its owner', { isVerified: false }],
  ])('refuses one made %s: PASSKEY_INVALID', async (_how, wrong) => {
    const { key } = await member()
    const { status, refusal } = await addPasskey(key, softAuthenticator(), wrong)
    expect([status, refusal?.code]).toEqual([400, 'PASSKEY_INVALID'])
    expect(await ownFactors(key)).toMatchObject({ enrolled: false, passkeys: [] })
  })

  it('takes a question once, in its own session, for five minutes: CHALLENGE_EXPIRED', async () => {
    const [one, other] = [await member(), await member()]
    const authenticator = softAuthenticator()
    const { challengeId, publicKey } = (await makeKey(one.key)).body
    const body = { challengeId, attestation: authenticator.create(publicKey), name: 'Phone' }
    const add = (key: string) => app.call(factorRoutes.addPasskey, { body }, { key })
    expect((await add(other.key)).refusal?.code).toBe('CHALLENGE_EXPIRED')
    const answers = await Promise.all([add(one.key), add(one.key)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    expect((await add(one.key)).refusal?.code).toBe('CHALLENGE_EXPIRED')
    const late = (await makeKey(one.key)).body
    advance(5 * MINUTE)
    const attestation = softAuthenticator().create(late.publicKey)
    const { refusal } = await app.call(
      factorRoutes.addPasskey,
      { body: { challengeId: late.challengeId, attestation, name: 'Late' } },
      { key: one.key },
    )
    expect(refusal?.code).toBe('CHALLENGE_EXPIRED')
  })

  it('refuses an authenticator that somebody registered, and nonsense: PASSKEY_INVALID', async () => {
    const { authenticator } = await withPasskey()
    const { key } = await member()
    expect((await addPasskey(key, authenticator)).refusal?.details).toBe('This passkey is registered already.')
    for (const attestation of [{}, { id: 1 }, { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} }]) {
      const { challengeId } = (await makeKey(key)).body
      const body = { challengeId, attestation, name: 'Phone' }
      expect((await app.call(factorRoutes.addPasskey, { body }, { key })).refusal?.code).toBe('PASSKEY_INVALID')
    }
  })

  it('renames and removes its own, not those of others: PASSKEY_NOT_FOUND', async () => {
    const { key, passkeyId: id } = await withPasskey()
    const other = await withPasskey()
    const rename = (by: string) =>
      app.call(factorRoutes.renamePasskey, { params: { id }, body: { name: 'Laptop' } }, { key: by })
    const remove = (by: string) => app.call(factorRoutes.removePasskey, { params: { id } }, { key: by })
    expect((await rename(other.key)).refusal?.code).toBe('PASSKEY_NOT_FOUND')
    expect((await remove(other.key)).refusal?.code).toBe('PASSKEY_NOT_FOUND')
    expect((await rename(key)).status).toBe(200)
    expect((await ownFactors(key)).passkeys[0]?.name).toBe('Laptop')
    expect((await remove(key)).status).toBe(200)
    // Codes stand in for a factor; without one they are worth nothing.
    expect(await ownFactors(key)).toMatchObject({ enrolled: false, backupCodesLeft: 0 })
    expect((await app.call(factorRoutes.renewBackupCodes, {}, { key })).refusal?.code).toBe(
      'SECOND_FACTOR_SETUP_REQUIRED',
    )
  })
})

describe('A5, A6: a passkey in place of e-mail and password', () => {
  const ask = async () => (await app.call(factorRoutes.askPasskey)).body
  type Answer = Readonly<Record<string, unknown>>
  const answer = (challengeId: string, assertion: Answer) =>
    app.call(factorRoutes.signInWithPasskey, { body: { challengeId, assertion } })

  it('signs in with both factors, and says nothing about accounts before', async () => {
    const { authenticator, id } = await withPasskey()
    const { challengeId, publicKey } = await ask()
    expect(publicKey).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
    const { status, body } = await answer(challengeId, authenticator.get(publicKey))
    expect([status, body.memberID, body.secondFactor.satisfied]).toEqual([200, id, true])
    expect((await ownFactors(body.key)).passkeys[0]?.lastUsedAt).toEqual(app.clock.now)
  })

  it('takes an answer once, also from two calls at once: CHALLENGE_EXPIRED', async () => {
    const { authenticator } = await withPasskey()
    const { challengeId, publicKey } = await ask()
    const assertion = authenticator.get(publicKey)
    const answers = await Promise.all([answer(challengeId, assertion), answer(challengeId, assertion)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const { status, refusal } = await answer(challengeId, assertion)
    expect([status, refusal?.code]).toEqual([400, 'CHALLENGE_EXPIRED'])
    // A repeat is no copy.
    expect((await openAlarms(app.ctx)).filter(({ kind }) => kind === 'passkey_copied')).toEqual([])
    const late = await ask()
    advance(5 * MINUTE)
    expect((await answer(late.challengeId, authenticator.get(late.publicKey))).refusal?.code).toBe('CHALLENGE_EXPIRED')
  })

  it('refuses an answer to another question, of another page, of nobody: SECOND_FACTOR_INVALID', async () => {
    const { authenticator, key } = await withPasskey()
    const other = await ask()
    const enrolment = (await makeKey(key)).body
    const wrongs = [
      { challenge: other.publicKey.challenge as string },
      { challenge: enrolment.publicKey.challenge as string },
      { origin: 'https://attacker.example' },
      { host: 'attacker.example' },
      { isVerified: false },
      { userHandle: Buffer.from('operator:1').toString('base64url') },
    ]
    const { challengeId, publicKey } = await ask()
    const stranger = softAuthenticator()
    const assertions = [...wrongs.map((wrong) => authenticator.get(publicKey, wrong)), stranger.get(publicKey), {}]
    for (const assertion of assertions) {
      const { status, refusal } = await answer(challengeId, assertion)
      expect([status, refusal?.code, refusal?.data]).toEqual([400, 'SECOND_FACTOR_INVALID', { reason: 'passkey' }])
    }
    // A question of another purpose answers nothing here.
    const foreign = await answer(enrolment.challengeId, authenticator.get(enrolment.publicKey))
    expect(foreign.refusal?.code).toBe('CHALLENGE_EXPIRED')
  })

  it('refuses a counter that falls and raises an alarm, which ends with the passkey', async () => {
    const { authenticator, key, passkeyId } = await withPasskey()
    const first = await ask()
    expect((await answer(first.challengeId, authenticator.get(first.publicKey, { counter: 9 }))).status).toBe(200)
    for (const counter of [9, 3, 0]) {
      const { challengeId, publicKey } = await ask()
      const { refusal } = await answer(challengeId, authenticator.get(publicKey, { counter }))
      expect(refusal?.code).toBe('SECOND_FACTOR_INVALID')
    }
    const alarms = async () => (await openAlarms(app.ctx)).filter(({ kind }) => kind === 'passkey_copied')
    expect(await alarms()).toMatchObject([{ subject: `passkey ${passkeyId}`, params: { passkey: 'Phone' } }])
    // Who cannot sign is not taken for a copy: the counter of a forged answer says nothing.
    await app.call(factorRoutes.removePasskey, { params: { id: passkeyId } }, { key })
    expect(await alarms()).toEqual([])
  })

  it('lets nobody in whose access was taken', async () => {
    const { authenticator, id } = await withPasskey()
    await app.call(accountRoutes.revokeAccess, { params: { id }, body: {} }, { key: root })
    const { challengeId, publicKey } = await ask()
    expect((await answer(challengeId, authenticator.get(publicKey))).refusal?.code).toBe('SECOND_FACTOR_INVALID')
  })

  it('finishes a sign-in with password, with one of the own passkeys only', async () => {
    const { email, authenticator } = await withPasskey()
    const other = await withPasskey()
    const step = await firstStep(email)
    const publicKey = step.publicKey ?? {}
    expect(publicKey).toMatchObject({ allowCredentials: [{ type: 'public-key' }] })
    const finishWith = (assertion: Answer) =>
      finish({ challengeToken: step.challengeToken, method: 'passkey', assertion })
    expect((await finishWith(other.authenticator.get(publicKey))).refusal?.data).toEqual({ reason: 'passkey' })
    expect((await finishWith(authenticator.get(publicKey))).status).toBe(200)
  })

  it('is not possible where the site has no name: PASSKEYS_NOT_POSSIBLE', async () => {
    const site = (value: string) =>
      app.call(settingsRoutes.saveSetting, { body: { key: 'payram.frontend', value } }, { key: root })
    const { key } = await member()
    await site('http://203.0.113.7:8080')
    expect((await app.call(factorRoutes.askPasskey)).refusal?.code).toBe('PASSKEYS_NOT_POSSIBLE')
    const { status, refusal } = await makeKey(key)
    expect([status, refusal?.code]).toEqual([409, 'PASSKEYS_NOT_POSSIBLE'])
    await site('http://localhost:8080')
  })
})

describe('A26, A27: proof of presence with a factor', () => {
  const prove = (key: string, body: object) =>
    app.call(authRoutes.stepUp, { body: { method: 'totp', ...body } }, { key })
  const prepare = async (key: string) =>
    (await app.call(authRoutes.prepareStepUp, { body: { action: 'C3', subject: { key: 'x' } } }, { key })).body

  it('counts a code for ten minutes, and the password no longer', async () => {
    const { key, secret } = await withTotp()
    advance(10 * MINUTE)
    const refused = await app.call(factorRoutes.renewBackupCodes, {}, { key })
    expect(refused.refusal).toMatchObject({
      code: 'STEP_UP_REQUIRED',
      data: { class: 'S', action: 'A22', methods: ['totp', 'backup'] },
    })
    const byPassword = await prove(key, { method: 'password', password: TEST_PASSWORD })
    expect([byPassword.status, byPassword.refusal?.code]).toEqual([403, 'STEP_UP_METHOD_NOT_ALLOWED'])
    const code = codeAt(secret)
    const { body } = await prove(key, { code })
    expect(body.windowUntil).toEqual(new Date(app.clock.now.getTime() + 10 * MINUTE))
    expect((await app.call(factorRoutes.renewBackupCodes, {}, { key })).status).toBe(200)
    expect((await prove(key, { code })).refusal?.data).toEqual({ reason: 'used' })
  })

  it('counts a backup code once', async () => {
    const { key, codes } = await withTotp()
    expect((await prove(key, { method: 'backup', code: codes[3] })).status).toBe(200)
    expect((await prove(key, { method: 'backup', code: codes[3] })).refusal?.code).toBe('SECOND_FACTOR_INVALID')
  })

  it('counts a passkey that signed what was described: once, in its session, for its action', async () => {
    const { key, authenticator } = await withPasskey()
    const [one, two] = [await prepare(key), await prepare(key)]
    expect(one.methods).toEqual(['passkey', 'backup'])
    const question = (asked: typeof one) => asked.publicKey ?? {}
    const proof = (challengeId: string | undefined, assertion: object) =>
      prove(key, { method: 'passkey', assertion, ...(challengeId !== undefined && { challengeId }) })
    expect((await proof(undefined, authenticator.get(question(one)))).refusal?.code).toBe('CHALLENGE_EXPIRED')
    expect((await proof(two.challengeId, authenticator.get(question(one)))).refusal?.data).toEqual({
      reason: 'passkey',
    })
    const assertion = authenticator.get(question(one))
    const answers = await Promise.all([proof(one.challengeId, assertion), proof(one.challengeId, assertion)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const stranger = await withPasskey()
    const elsewhere = { method: 'passkey', challengeId: two.challengeId, assertion: authenticator.get(question(two)) }
    expect((await prove(stranger.key, elsewhere)).refusal?.code).toBe('CHALLENGE_EXPIRED')
  })

  it('lets guesses wait, also when the password is right in between: SIGN_IN_THROTTLED', async () => {
    const { key, secret } = await withTotp()
    const unchanged = { oldPassword: TEST_PASSWORD, password: TEST_PASSWORD }
    for (let failure = 1; failure <= 5; failure += 1) {
      await prove(key, { code: wrongCode(codeAt(secret)) })
      await app.call(authRoutes.changePassword, { body: unchanged }, { key })
    }
    expect((await prove(key, { code: codeAt(secret) })).refusal?.code).toBe('SIGN_IN_THROTTLED')
  })
})

describe('the policy of the install', () => {
  it('always: lets a member without a factor do nothing but set one up, live', async () => {
    const { key } = await member()
    const enrolled = await withTotp()
    await setPolicy('always')
    const { status, refusal } = await app.call(projectsRoutes.listProjects, {}, { key })
    expect([status, refusal?.code]).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED'])
    const me = await app.call(authRoutes.getMe, {}, { key })
    expect(me.body.secondFactor).toMatchObject({ enrolled: false, setupRequired: true })
    expect((await app.call(projectsRoutes.listProjects, {}, { key: enrolled.key })).status).toBe(200)

    // The last one stays.
    const removed = await app.call(factorRoutes.removeTotp, {}, { key: enrolled.key })
    expect([removed.status, removed.refusal?.code]).toEqual([409, 'SECOND_FACTOR_POLICY'])
    const own = await withPasskeyOf(key)
    expect((await app.call(projectsRoutes.listProjects, {}, { key })).status).toBe(200)
    const dropped = await app.call(factorRoutes.removePasskey, { params: { id: own } }, { key })
    expect(dropped.refusal?.code).toBe('SECOND_FACTOR_POLICY')
    expect(await ownFactors(key)).toMatchObject({ enrolled: true, backupCodesLeft: 10 })
    await rootEnrolsAndRelaxes()
  })

  it('is money by default where real money moves', async () => {
    const live = await testApp({ config: { network: 'mainnet' } })
    const key = await live.signUp()
    const { body } = await live.call(factorRoutes.getOwnFactors, {}, { key })
    expect(body.policy).toBe('money')
    const row = await live.call(settingsRoutes.getSetting, { params: { key: 'security.second_factor' } }, { key })
    expect(row.body.value).toBe('money')
    await live.stop()
  })

  const withPasskeyOf = async (key: string) => (await addPasskey(key)).body.id

  /** The root is asked for a factor like everybody, and gives it up again. */
  async function rootEnrolsAndRelaxes() {
    const { secret } = (await beginTotp(root)).body
    await confirmTotp(root, codeAt(secret))
    await setPolicy('optional')
    expect((await app.call(factorRoutes.removeTotp, {}, { key: root })).status).toBe(200)
  }
})

describe('O15: who lost a factor', () => {
  const remove = (id: number, key = root) => app.call(factorRoutes.removeSecondFactor, { params: { id } }, { key })

  it('is helped by an administrator: sessions end, the password alone is enough again', async () => {
    const one = await withTotp()
    await addPasskey(one.key)
    const shown = await app.call(membersRoutes.getMember, { params: { id: one.id } }, { key: root })
    expect(shown.body.secondFactor).toBe(true)
    const { status, body } = await remove(one.id)
    expect([status, body.member.secondFactor]).toEqual([200, false])
    expect((await changeName(one.key)).status).toBe(401)
    const again = await signIn(one.email)
    expect(again.status).toBe(200)
    expect(await ownFactors(again.body.key)).toMatchObject({ enrolled: false, passkeys: [], backupCodesLeft: 0 })
    const { rows } = await sql`SELECT 1 FROM secrets WHERE kind = 'totp' AND label LIKE ${`% ${one.id}`}`.execute(
      app.ctx.db,
    )
    expect(rows).toEqual([])
    // Who has none stays signed in.
    expect((await remove(one.id)).status).toBe(200)
    expect((await changeName(again.body.key)).status).toBe(200)
  })

  it('is removed by nobody else: FORBIDDEN, CANNOT_CHANGE_SELF, MEMBER_NOT_FOUND, ROLE_ABOVE_YOURS', async () => {
    const one = await withTotp()
    expect((await remove(one.id, one.key)).refusal?.code).toBe('FORBIDDEN')
    const { body: me } = await app.call(authRoutes.getMe, {}, { key: root })
    expect((await remove(me.id)).refusal?.code).toBe('CANNOT_CHANGE_SELF')
    expect((await remove(999_999)).refusal?.code).toBe('MEMBER_NOT_FOUND')
    // Two holders of one role that may remove factors are no higher than each other.
    const permissions = ['role:read', 'role:write', 'operator:read', 'operator:write', 'project:read']
    const body = { name: 'keeper', displayName: 'Keeper', permissions, scope: 'install' } as const
    expect((await app.call(rolesRoutes.createRole, { body }, { key: root })).status).toBe(201)
    const [keeper, other] = [await keeperNamed('one@shop.example'), await keeperNamed('two@shop.example')]
    const { status, refusal } = await remove(other.memberID, keeper.key)
    expect([status, refusal?.code]).toEqual([403, 'ROLE_ABOVE_YOURS'])
  })

  async function keeperNamed(email: string) {
    const { body } = await app.call(accountRoutes.inviteMember, { body: { email, roleName: 'keeper' } }, { key: root })
    const resetPasswordToken = new URL(body.invitation?.url ?? '').searchParams.get('resetPasswordToken') ?? ''
    await app.call(passwordRoutes.resetPassword, { body: { password: TEST_PASSWORD, resetPasswordToken } })
    return (await signIn(email)).body
  }

  it('is helped from the shell of the server', async () => {
    const { email } = await withTotp()
    expect(await removeFactorsByEmail(asSystem(app.ctx), email)).toEqual({ hadAny: true })
    expect((await signIn(email)).status).toBe(200)
    expect(await removeFactorsByEmail(asSystem(app.ctx), email)).toEqual({ hadAny: false })
    await expect(removeFactorsByEmail(asSystem(app.ctx), 'nobody@shop.example')).rejects.toThrow('No such operator')
  })
})
