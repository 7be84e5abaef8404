import { auditRoutes } from '@kassa/contract/audit/routes.ts'
import { devicesRoutes } from '@kassa/contract/devices/routes.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { offlineSweepsRoutes } from '@kassa/contract/sweeps/offline-routes.ts'
import { sweepsRoutes } from '@kassa/contract/sweeps/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { openShop } from '../../testing/shop.ts'

let app: TestApp
let key: string

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
})
afterAll(() => app.stop())

const codeNow = async (by = key) => (await app.call(devicesRoutes.getSystemDetails, {}, { key: by })).body.code ?? ''
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

  it('pairs nothing once its operator may pair no device any more, and again once they may', async () => {
    const { projectId } = await openShop(app, key)
    const admin = await addOperator(app, { projectId, role: 'project_ops' })
    const assign = (roleName: string) =>
      app.call(membersRoutes.replaceRoles, { params: { id: admin.operatorId }, body: { roleName } }, { key })
    await assign('admin')
    const code = await codeNow(admin.key)
    expect(code).toMatch(/^\d{6}$/)
    await assign('auditor')
    expect((await pair(code, '6e')).refusal?.code).toBe('PAIRING_CODE_INVALID')
    await assign('admin')
    expect((await pair(code, '6e')).status).toBe(201)
  })

  it('pairs devices that end with the access of its operator, for good', async () => {
    const { projectId } = await openShop(app, key, 'Left')
    const admin = await addOperator(app, { projectId, role: 'project_ops' })
    const assign = (roleName: string) =>
      app.call(membersRoutes.replaceRoles, { params: { id: admin.operatorId }, body: { roleName } }, { key })
    await assign('admin')
    const { body } = await pair(await codeNow(admin.key), '6e')
    const batches = async () =>
      (await app.call(offlineSweepsRoutes.listOfflineSweeps, {}, { key: body.key ?? '' })).status
    expect(await batches()).toBe(200)
    const names = async () => (await app.call(devicesRoutes.listDevices, {}, { key })).body.devices.length
    const before = await names()
    await assign('auditor')
    expect([await batches(), (await names()) - before]).toEqual([401, -1])
    const { data } = (await app.call(auditRoutes.listAuditEntries, {}, { key })).body
    const ended = data.filter(({ eventName }) => eventName === 'endDevice')
    expect(ended).toMatchObject([{ eventCategory: 'access', apiAction: 'SYSTEM', Member: null }])
    await assign('admin')
    expect(await batches()).toBe(401)
  })

  it('is not needed to unpair, which a device is once: DEVICE_NOT_FOUND', async () => {
    const { devices } = (await app.call(devicesRoutes.listDevices, {}, { key })).body
    const params = { id: devices[0]?.id ?? 0 }
    expect((await app.call(devicesRoutes.unpairDevice, { params }, { key })).status).toBe(200)
    expect((await app.call(devicesRoutes.unpairDevice, { params }, { key })).refusal?.code).toBe('DEVICE_NOT_FOUND')
  })

  it('is named in the activity log by what it calls', async () => {
    const { body } = await pair(await codeNow(), 'ad')
    const device = body.key ?? ''
    expect((await app.call(sweepsRoutes.listSweeps, {}, { key: device })).refusal?.code).toBe('FORBIDDEN')
    const { devices } = (await app.call(devicesRoutes.listDevices, {}, { key })).body
    const { data } = (await app.call(auditRoutes.listAuditEntries, {}, { key })).body
    const { id, name } = devices[0] ?? {}
    expect(data.find(({ eventName }) => eventName === 'listSweeps')).toMatchObject({
      ...{ device: { id, name }, Member: null, apiKey: null, errorCode: 'FORBIDDEN' },
    })
    expect(data.find(({ eventName }) => eventName === 'pairDevice')?.device).toBeNull()
  })
})
