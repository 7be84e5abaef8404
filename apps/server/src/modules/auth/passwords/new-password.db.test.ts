import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { issueToken } from './service.ts'

const EASY = 'This password is easy to guess. Choose another one.'
const COMMON = 'P@ssw0rd2024'
const EMAIL = 'Owner1@shop.example'

let live: TestApp
let setupCode: string | undefined

beforeAll(async () => {
  live = await testApp({ config: { network: 'mainnet' } })
  ;[setupCode] = /([A-Z2-9]{4}-){3}[A-Z2-9]{4}/.exec(live.logLines.join('')) ?? []
})
afterAll(() => live.stop())

type Refused = { readonly status: number; readonly refusal: object | undefined }
const expectRefused = ({ status, refusal }: Refused) => {
  expect([status, refusal]).toEqual([
    400,
    expect.objectContaining({ code: 'VALIDATION_FAILED', message: EASY, fields: { password: EASY } }),
  ])
}

describe('a password for real money', () => {
  it('is neither a common one nor the e-mail address, on every route that sets one', async () => {
    const signUp = (password: string) => live.call(authRoutes.signUp, { body: { email: EMAIL, password, setupCode } })
    expectRefused(await signUp(COMMON))
    expectRefused(await signUp(EMAIL))
    expectRefused(await signUp(EMAIL.toUpperCase().replace('SHOP', 'shop')))
    const { status, body } = await signUp(TEST_PASSWORD)
    expect(status).toBe(201)

    const change = { oldPassword: TEST_PASSWORD, password: COMMON }
    expectRefused(await live.call(authRoutes.changePassword, { body: change }, { key: body.key }))

    const member = { email: 'Other2@shop.example', roleID: 9, password: COMMON }
    expectRefused(await live.call(accountRoutes.inviteMember, { body: member }, { key: body.key }))
    const itself = { ...member, password: member.email }
    expectRefused(await live.call(accountRoutes.inviteMember, { body: itself }, { key: body.key }))

    const link = await issueToken(asSystem(live.ctx), body.memberID, { purpose: 'reset', issuedBy: null })
    const reset = (password: string) =>
      live.call(passwordRoutes.resetPassword, { body: { password, resetPasswordToken: link.text } })
    expectRefused(await reset(COMMON))
    expectRefused(await reset(EMAIL))
    expect((await reset('Another.Horse8')).status).toBe(200)
  })

  it('may be a common one on the sandbox and on test networks', async () => {
    const trial = await testApp()
    const body = { email: EMAIL, password: COMMON }
    expect((await trial.call(authRoutes.signUp, { body })).status).toBe(201)
    await trial.stop()
  })
})
