import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { clearAlarm, openAlarms, raiseAlarm } from './service.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
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
