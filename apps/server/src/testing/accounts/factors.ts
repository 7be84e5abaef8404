/** Members with second factors, made as they make them: through the wire, on a clock that the test moves. */
import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import type { SecondStep } from '@kassa/contract/auth/factor-schemas.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'

import { totpCode } from '../../modules/auth/factors/totp.ts'
import { TEST_EMAIL, TEST_PASSWORD, testApp } from '../app.ts'
import { softAuthenticator } from './authenticator.ts'
import { addOperator } from '../operators.ts'

const START = new Date('2026-01-31T09:00:00.000Z')

/** One step of an authenticator app. */
export const STEP = 30_000
export const MINUTE = 60_000

/** A code that is not this one. */
export const wrongCode = (right: string): string => String((Number(right) + 1) % 1_000_000).padStart(6, '0')

/** The bytes of a secret as an app reads them (RFC 4648). */
export function base32(text: string): Buffer {
  const bits = Array.from(text, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** The program with a root, a shop, and what tests of second factors do again and again. */
export async function factorWorld() {
  const app = await testApp({ now: START })
  let root = await app.signUp()
  const shop = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key: root })).body.id

  const advance = (ms: number) => {
    app.clock.now = new Date(app.clock.now.getTime() + ms)
  }
  const signIn = (email: string, otpCode?: string) =>
    app.call(authRoutes.signIn, { body: { email, password: TEST_PASSWORD, ...(otpCode !== undefined && { otpCode }) } })
  /** Each test is in a step of its own, whatever the one before used, and the root goes on. */
  const nextTest = async () => {
    advance(5 * STEP)
    await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
    root = (await signIn(TEST_EMAIL)).body.key
  }

  const member = async () => {
    const { operatorId, key, signedIn } = await addOperator(app, { projectId: shop, role: 'project_lead' })
    return { id: operatorId, key, email: signedIn.member.email }
  }
  const codeAt = (secret: string, by = 0) => totpCode(base32(secret), Math.floor(app.clock.now.getTime() / STEP) + by)
  const beginTotp = (key: string) => app.call(factorRoutes.beginTotp, {}, { key })
  const confirmTotp = (key: string, code: string) => app.call(factorRoutes.confirmTotp, { body: { code } }, { key })
  const ownFactors = async (key: string) => (await app.call(factorRoutes.getOwnFactors, {}, { key })).body
  const changeName = (key: string) => app.call(authRoutes.changeMe, { body: { name: 'x' } }, { key })
  const makeKey = (key: string) => app.call(factorRoutes.beginPasskey, {}, { key })
  const addPasskey = async (key: string, authenticator = softAuthenticator(), wrong = {}) => {
    const { challengeId, publicKey } = (await makeKey(key)).body
    const body = { challengeId, attestation: authenticator.create(publicKey, wrong), name: 'Phone' }
    return app.call(factorRoutes.addPasskey, { body }, { key })
  }

  /** A member with an authenticator app, still signed in. */
  const withTotp = async () => {
    const one = await member()
    const { secret } = (await beginTotp(one.key)).body
    const { body } = await confirmTotp(one.key, codeAt(secret))
    advance(2 * STEP)
    return { ...one, secret, codes: body.backupCodes ?? [] }
  }
  /** A member with a passkey, still signed in. */
  const withPasskey = async () => {
    const one = await member()
    const authenticator = softAuthenticator()
    const added = await addPasskey(one.key, authenticator)
    return { ...one, authenticator, passkeyId: added.body.id, codes: added.body.backupCodes ?? [] }
  }

  const firstStep = async (email: string): Promise<SecondStep> => {
    const { status, refusal } = await signIn(email)
    expect([status, refusal?.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
    return refusal?.data as SecondStep
  }
  type Finish = NonNullable<RouteCall<typeof factorRoutes.finishSignIn>['body']>
  const finish = (body: Finish, headers = {}) => app.call(factorRoutes.finishSignIn, { body }, { headers })
  const withCode = async (email: string, code: string) => {
    const { challengeToken } = await firstStep(email)
    return finish({ challengeToken, method: 'totp', code })
  }
  const setSetting = async (setting: string, value: string) => {
    const answer = await app.call(settingsRoutes.saveSetting, { body: { key: setting, value } }, { key: root })
    expect(answer.status).toBeLessThan(300)
  }

  return {
    ...{ app, advance, nextTest, member, codeAt, beginTotp, confirmTotp, ownFactors, changeName, makeKey, addPasskey },
    ...{ withTotp, withPasskey, signIn, firstStep, finish, withCode, setSetting },
    root: () => root,
  }
}
