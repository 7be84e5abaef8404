import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { WorkerGroup } from '../../jobs/worker-group.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { superviseWorkers } from './supervisor.ts'

let test: TestContext
beforeEach(async () => {
  test = await testContext()
})
afterEach(() => test.stop())

const group = (changes: Partial<WorkerGroup> = {}): WorkerGroup => ({
  reports: () => [{ name: 'rate-processor', lastRun: 1, failure: null }],
  restart: async () => undefined,
  stop: async () => undefined,
  ...changes,
})
const stored = async () => (await sql`SELECT FROM workers`.execute(test.ctx.db)).rows

describe('a process that ends', () => {
  it('waits a few seconds for a job that runs on, and removes its reports', async () => {
    const supervisor = superviseWorkers(test.ctx)
    await supervisor.add([group({ stop: () => new Promise(() => undefined) })])
    expect(await stored()).toHaveLength(1)
    const begun = performance.now()
    await supervisor.stop()
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect(await stored()).toEqual([])
  }, 20_000)
})
