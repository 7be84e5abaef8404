import { devicesRoutes } from '@kassa/contract/devices/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'

let app: TestApp
let key: string

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
})
afterAll(() => app.stop())

const codeNow = async () => (await app.call(devicesRoutes.getSystemDetails, {}, { key })).body.code ?? ''
const pair = (code: string, digits = '5d') =>
  app.call(devicesRoutes.pairDevice, { body: { code, deviceName: 'Phone', publicKey: digits.repeat(32) } })
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('the code that pairs a signing device', () => {
  it('pairs one device, once: PAIRING_CODE_INVALID', async () => {
    const code = await codeNow()
    expect((await pair(otherThan(code))).refusal?.code).toBe('PAIRING_CODE_INVALID')
    expect((await pair(code)).status).toBe(201)
    expect((await pair(code)).refusal?.code).toBe('PAIRING_CODE_INVALID')
  })

  it('ends after five wrong tries', async () => {
    const code = await codeNow()
    for (let tries = 0; tries < 5; tries += 1) await pair(otherThan(code))
    expect((await pair(code)).refusal?.code).toBe('PAIRING_CODE_INVALID')
    expect(await codeNow()).not.toBe(code)
  })

  it('pairs nothing once its operator has no access any more', async () => {
    const code = await codeNow()
    await sql`UPDATE operators SET state = 'inactive'`.execute(app.ctx.db)
    expect((await pair(code)).refusal?.code).toBe('PAIRING_CODE_INVALID')
    await sql`UPDATE operators SET state = 'active'`.execute(app.ctx.db)
    expect((await pair(code)).status).toBe(201)
  })

  it('is not needed to unpair, which a device is once: DEVICE_NOT_FOUND', async () => {
    const { devices } = (await app.call(devicesRoutes.listDevices, {}, { key })).body
    const params = { id: devices[0]?.id ?? 0 }
    expect((await app.call(devicesRoutes.unpairDevice, { params }, { key })).status).toBe(200)
    expect((await app.call(devicesRoutes.unpairDevice, { params }, { key })).refusal?.code).toBe('DEVICE_NOT_FOUND')
  })
})
