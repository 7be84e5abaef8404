import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { WorkerGroup } from './crew.ts'
import type { LiveChannel } from '../../events/live-channel.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { superviseWorkers } from './supervise.ts'

let test: TestContext
beforeEach(async () => {
  test = await testContext()
})
afterEach(() => test.stop())

const channel: LiveChannel = { subscribe: () => () => undefined, close: async () => undefined }
const crew = (changes: Partial<WorkerGroup> = {}): WorkerGroup => ({
  reports: () => [{ name: 'rate-processor', turned: 1, failure: null }],
  restart: async () => undefined,
  stop: async () => undefined,
  ...changes,
})
const said = async () => (await sql`SELECT FROM workers`.execute(test.ctx.db)).rows

describe('a process that ends', () => {
  it('waits a few seconds for a job that runs on, and takes back what it said', async () => {
    const supervisor = superviseWorkers(test.ctx, channel)
    await supervisor.add([crew({ stop: () => new Promise(() => undefined) })])
    expect(await said()).toHaveLength(1)
    const begun = performance.now()
    await supervisor.stop()
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect(await said()).toEqual([])
  }, 20_000)
})
