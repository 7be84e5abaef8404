import { alarmsRoutes } from '@kassa/contract/alarms/routes.ts'
import { sql } from 'kysely'
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
const by = (lagBlocks: number, blockchainCode = 'BASE') => ({ params: { blockchainCode, lagBlocks, minutes: 3 } })

describe('alarms', () => {
  it('keeps one open alarm per subject, with its newest text', async () => {
    await raiseAlarm(app.ctx, { ...behind, ...by(12) })
    await raiseAlarm(app.ctx, { ...behind, ...by(20) })
    await raiseAlarm(app.ctx, { ...behind, subject: 'ETH', ...by(4, 'ETH') })
    const texts = (await openAlarms(app.ctx)).map(({ subject, text }) => [subject, text])
    expect(texts).toEqual([
      ['BASE', 'BASE: The reader is 20 blocks behind for 3 minutes. Payers wait: try a faster node.'],
      ['ETH', 'ETH: The reader is 4 blocks behind for 3 minutes. Payers wait: try a faster node.'],
    ])
  })

  it('prints its parameters, which screens word themselves', async () => {
    const [alarm] = await openAlarms(app.ctx)
    expect(alarm?.params).toEqual({ blockchainCode: 'BASE', lagBlocks: 20, minutes: 3 })
  })

  it.each([
    ['of a version without them', null],
    ['that this version does not know', '{"blocks":7}'],
  ])('shows the sentence it was raised with for parameters %s', async (_of, params) => {
    await sql`UPDATE alarms SET text = 'As it was said.', params = ${params}::jsonb WHERE subject = 'ETH'`.execute(
      app.ctx.db,
    )
    const alarm = (await openAlarms(app.ctx)).find(({ subject }) => subject === 'ETH')
    expect(alarm).toMatchObject({ params: null, text: 'As it was said.' })
  })

  it('is over once it is cleared, and may begin again', async () => {
    await clearAlarm(app.ctx, behind)
    await clearAlarm(app.ctx, behind)
    expect((await openAlarms(app.ctx)).map(({ subject }) => subject)).toEqual(['ETH'])
    await raiseAlarm(app.ctx, { ...behind, ...by(9) })
    expect((await openAlarms(app.ctx)).map(({ subject }) => subject)).toEqual(['ETH', 'BASE'])
  })
})

describe('alarms.clear', () => {
  const untraced = { case: 'no_traces', blockchainCode: 'POLYGON', from: 4, to: 6 } as const
  const clear = (id: number, key = root) => app.call(alarmsRoutes.clearAlarm, { params: { id } }, { key })
  const openId = async (subject: string) =>
    (await openAlarms(app.ctx)).find((alarm) => alarm.subject === subject)?.id ?? 0

  it('closes what only a person can tell is over; the rest stays open', async () => {
    await raiseAlarm(app.ctx, { kind: 'watch_missed', subject: 'POLYGON', params: untraced })
    const { status, body } = await clear(await openId('POLYGON'))
    expect(status).toBe(200)
    expect(body.map(({ subject }) => subject)).toEqual(['ETH', 'BASE'])
  })

  it('refuses to close an alarm that ends with its cause, and says how it ends', async () => {
    const { refusal } = await clear(await openId('BASE'))
    expect(refusal).toMatchObject({
      code: 'ALARM_ENDS_BY_ITSELF',
      details: 'It ends when the reader has caught up.',
    })
    expect(await openId('BASE')).toBeGreaterThan(0)
  })

  it('refuses an alarm that is over, or never was', async () => {
    await raiseAlarm(app.ctx, { kind: 'endpoint_gone', subject: 'shop.example', params: { endpoint: 'shop.example' } })
    const id = await openId('shop.example')
    await clear(id)
    expect((await clear(id)).refusal?.code).toBe('ALARM_NOT_FOUND')
    expect((await clear(987_654)).refusal?.code).toBe('ALARM_NOT_FOUND')
  })

  it('needs the permission to operate the install', async () => {
    const short = { case: 'short_transfer', currencyCode: 'USDC', blockchainCode: 'ETH', txHash: '0x1' } as const
    await raiseAlarm(app.ctx, { kind: 'asset_changed', subject: 'USDC on ETH', params: short })
    const { projectId } = await openShop(app, root)
    const { key } = await addOperator(app, { projectId, role: 'project_lead' })
    expect((await clear(await openId('USDC on ETH'), key)).refusal?.code).toBe('FORBIDDEN')
    expect(await openId('USDC on ETH')).toBeGreaterThan(0)
  })
})
