import { alarmsRoutes } from '@kassa/contract/alarms/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { openShop } from '../../testing/shop.ts'
import { clearAlarm, openAlarms, raiseAlarm } from './service.ts'

let app: TestApp
let root: string
beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
})
afterAll(() => app.stop())

const behind = { kind: 'chain_behind', subject: 'BASE' } as const

describe('alarms', () => {
  it('keeps one open alarm per subject, with its newest text', async () => {
    await raiseAlarm(app.ctx, { ...behind, text: 'Twelve blocks behind.' })
    await raiseAlarm(app.ctx, { ...behind, text: 'Twenty blocks behind.' })
    await raiseAlarm(app.ctx, { ...behind, subject: 'ETH', text: 'Four blocks behind.' })
    const texts = (await openAlarms(app.ctx)).map(({ subject, text }) => [subject, text])
    expect(texts).toEqual([
      ['BASE', 'Twenty blocks behind.'],
      ['ETH', 'Four blocks behind.'],
    ])
  })

  it('is over once it is cleared, and may begin again', async () => {
    await clearAlarm(app.ctx, behind)
    await clearAlarm(app.ctx, behind)
    expect((await openAlarms(app.ctx)).map(({ subject }) => subject)).toEqual(['ETH'])
    await raiseAlarm(app.ctx, { ...behind, text: 'Behind again.' })
    expect((await openAlarms(app.ctx)).map(({ subject }) => subject)).toEqual(['ETH', 'BASE'])
  })
})

describe('alarms.clear', () => {
  const clear = (id: number, key = root) => app.call(alarmsRoutes.clearAlarm, { params: { id } }, { key })
  const openId = async (subject: string) =>
    (await openAlarms(app.ctx)).find((alarm) => alarm.subject === subject)?.id ?? 0

  it('closes what only a person can tell is over; the rest stays open', async () => {
    await raiseAlarm(app.ctx, { kind: 'watch_missed', subject: 'POLYGON', text: 'Three deposits were missed.' })
    const { status, body } = await clear(await openId('POLYGON'))
    expect(status).toBe(200)
    expect(body.map(({ subject }) => subject)).toEqual(['ETH', 'BASE'])
  })

  it('refuses what ends by itself, and says how', async () => {
    const { refusal } = await clear(await openId('BASE'))
    expect(refusal).toMatchObject({
      code: 'ALARM_ENDS_BY_ITSELF',
      details: 'It ends when the reader has caught up.',
    })
    expect(await openId('BASE')).toBeGreaterThan(0)
  })

  it('refuses an alarm that is over, or never was', async () => {
    await raiseAlarm(app.ctx, { kind: 'endpoint_gone', subject: 'shop.example', text: 'It answered 410 Gone.' })
    const id = await openId('shop.example')
    await clear(id)
    expect((await clear(id)).refusal?.code).toBe('ALARM_NOT_FOUND')
    expect((await clear(987_654)).refusal?.code).toBe('ALARM_NOT_FOUND')
  })

  it('needs the permission to operate the install', async () => {
    await raiseAlarm(app.ctx, { kind: 'asset_changed', subject: 'USDC on ETH', text: 'Its decimals changed.' })
    const { projectId } = await openShop(app, root)
    const { key } = await addOperator(app, { projectId, role: 'project_lead' })
    expect((await clear(await openId('USDC on ETH'), key)).refusal?.code).toBe('FORBIDDEN')
    expect(await openId('USDC on ETH')).toBeGreaterThan(0)
  })
})
