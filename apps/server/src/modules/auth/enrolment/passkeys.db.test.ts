import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

import { softAuthenticator } from '../../../testing/accounts/authenticator.ts'
import { factorWorld, MINUTE } from '../../../testing/accounts/factors.ts'

const world = await factorWorld()
const { app, advance, member, ownFactors, makeKey, addPasskey, withPasskey } = world

beforeEach(world.nextTest)
afterAll(() => app.stop())

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
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 400])
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

  it('refuses an authenticator that is registered already, and nonsense: PASSKEY_INVALID', async () => {
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
