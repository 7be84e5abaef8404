import { reconciliationRoutes } from '@kassa/contract/reconciliation/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'

let app: TestApp
let key: string

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
})
afterAll(() => app.stop())

describe('ledger.check (Q4)', () => {
  it('says that empty books balance, and which blockchains could not be asked', async () => {
    const { status, body } = await app.call(reconciliationRoutes.checkLedger, {}, { key })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: true, debitsMinusCredits: [], chainDrift: [], headHash: null, broken: [] })
    expect(body.unchecked).toEqual([
      { blockchainCode: 'ETH', reason: 'It has no node.' },
      { blockchainCode: 'BASE', reason: 'It has no node.' },
    ])
  })

  it('answers from the last check', async () => {
    const first = await app.call(reconciliationRoutes.checkLedger, {}, { key })
    const second = await app.call(reconciliationRoutes.checkLedger, {}, { key })
    expect(second.body.checkedAt).toEqual(first.body.checkedAt)
  })

  it('refuses who has no key', async () => {
    expect((await app.call(reconciliationRoutes.checkLedger)).refusal?.code).toBe('UNAUTHORIZED')
  })
})
