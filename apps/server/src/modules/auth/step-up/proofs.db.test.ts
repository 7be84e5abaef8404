import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

import { TEST_PASSWORD } from '../../../testing/app.ts'
import { factorWorld, MINUTE, wrongCode } from '../../../testing/accounts/factors.ts'

const world = await factorWorld()
const { app, advance, codeAt, withTotp, withPasskey } = world

beforeEach(world.nextTest)
afterAll(() => app.stop())

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
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
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
