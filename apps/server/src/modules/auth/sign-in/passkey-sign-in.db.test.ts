import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

import { softAuthenticator } from '../../../testing/accounts/authenticator.ts'
import { openAlarms } from '../../alarms/service.ts'
import { asSystem } from '../../../context.ts'
import { withPasskey as useAnswer } from '../factors/service.ts'
import { factorWorld, MINUTE } from '../../../testing/accounts/factors.ts'

const world = await factorWorld()
const { app, advance, member, ownFactors, makeKey, withPasskey, firstStep, finish, root, setSetting } = world

beforeEach(world.nextTest)
afterAll(() => app.stop())

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

  it('accepts an answer once, also from two concurrent calls: CHALLENGE_EXPIRED', async () => {
    const { authenticator } = await withPasskey()
    const { challengeId, publicKey } = await ask()
    const assertion = authenticator.get(publicKey)
    const answers = await Promise.all([answer(challengeId, assertion), answer(challengeId, assertion)])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
    const { status, refusal } = await answer(challengeId, assertion)
    expect([status, refusal?.code]).toEqual([400, 'CHALLENGE_EXPIRED'])
    // A repeat is no copy.
    expect((await openAlarms(app.ctx)).filter(({ kind }) => kind === 'passkey_copied')).toEqual([])
    const late = await ask()
    advance(5 * MINUTE)
    expect((await answer(late.challengeId, authenticator.get(late.publicKey))).refusal?.code).toBe('CHALLENGE_EXPIRED')
  })

  it('refuses an answer to another challenge, of another origin, of an unknown passkey: SECOND_FACTOR_INVALID', async () => {
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

  it('keeps neither passkeys nor alarms of a member who is removed', async () => {
    const { authenticator, id } = await withPasskey()
    const [first, second] = [await ask(), await ask()]
    await answer(first.challengeId, authenticator.get(first.publicKey, { counter: 9 }))
    await answer(second.challengeId, authenticator.get(second.publicKey, { counter: 3 }))
    const isOpen = async () => (await openAlarms(app.ctx)).some(({ kind }) => kind === 'passkey_copied')
    expect(await isOpen()).toBe(true)
    expect((await app.call(accountRoutes.deleteMember, { params: { id } }, { key: root() })).status).toBe(200)
    expect(await isOpen()).toBe(false)
    const { rows } = await sql`SELECT id FROM passkeys WHERE operator_id = ${id}`.execute(app.ctx.db)
    expect(rows).toEqual([])
  })

  it('raises no alarm about a passkey that was removed before its answer was used', async () => {
    const { authenticator, key, passkeyId } = await withPasskey()
    const { publicKey } = await ask()
    const done = await useAnswer(
      asSystem(app.ctx),
      {
        assertion: authenticator.get(publicKey, { counter: 9 }),
        challenge: Buffer.from(publicKey.challenge as string, 'base64url'),
        claim: async () =>
          (await app.call(factorRoutes.removePasskey, { params: { id: passkeyId } }, { key })).status === 200,
      },
      () => Promise.resolve(true),
    )
    expect(done).toBeNull()
    expect((await openAlarms(app.ctx)).filter(({ kind }) => kind === 'passkey_copied')).toEqual([])
  })

  it('refuses a member whose access was revoked', async () => {
    const { authenticator, id } = await withPasskey()
    await app.call(accountRoutes.revokeAccess, { params: { id }, body: {} }, { key: root() })
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
    const site = (value: string) => setSetting('payram.frontend', value)
    const { key } = await member()
    await site('http://203.0.113.7:8080')
    expect((await app.call(factorRoutes.askPasskey)).refusal?.code).toBe('PASSKEYS_NOT_POSSIBLE')
    const { status, refusal } = await makeKey(key)
    expect([status, refusal?.code]).toEqual([409, 'PASSKEYS_NOT_POSSIBLE'])
    await site('http://localhost:8080')
  })
})
