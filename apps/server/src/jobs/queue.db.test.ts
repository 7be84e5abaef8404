import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type Context, inTransaction } from '../context.ts'
import { type TestContext, testContext } from '../testing/context.ts'
import { type Job, job } from './jobs.ts'
import { type JobQueue, openJobQueue } from './queue.ts'

let test: TestContext
let ctx: Context
let queue: JobQueue | undefined

beforeEach(async () => {
  test = await testContext()
})
afterEach(async () => {
  await queue?.stop()
  queue = undefined
  await test.stop()
})

/** Waits for work as long as the program does, in hundredths. */
const END_WAITS = { passesMs: 30, jobsMs: 80 }

const SETTINGS = { worker: 'account-processor', concurrency: 2 } as const

async function open(definitions: readonly Job[], lines: string[] = []): Promise<JobQueue> {
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) })
  queue = await openJobQueue(test.ctx.config.databaseUrl, log, definitions, END_WAITS)
  ctx = { ...test.ctx, log, jobs: queue.jobs }
  return queue
}
const jobRows = async () =>
  (await sql<{ name: string; state: string; data: object }>`SELECT name, state, data FROM pgboss.job`.execute(ctx.db))
    .rows

describe('jobs.send', () => {
  it('queues exactly when the transaction commits', async () => {
    const received: object[] = []
    const taken = Promise.withResolvers<void>()
    const run = async (_ctx: Context, data: { n: number }) => {
      received.push(data)
      if (data.n === 2) taken.resolve()
    }
    const definitions = [job({ queue: 'test.one', run, ...SETTINGS })]
    await (await open(definitions)).work(ctx, definitions)
    const refused = inTransaction(ctx, async (inner) => {
      await inner.jobs.send(inner, 'test.one', { n: 1 })
      throw new Error('rolled back')
    })
    await expect(refused).rejects.toThrow('rolled back')
    await inTransaction(ctx, (inner) => inner.jobs.send(inner, 'test.one', { n: 2 }))
    await taken.promise
    expect(received).toEqual([{ n: 2 }])
  })

  it('keeps one job of a singleton key waiting, however often it is asked for', async () => {
    const definitions = [
      job({ queue: 'test.single', run: async () => undefined, ...SETTINGS }),
      job({ queue: 'test.other', run: async () => undefined, ...SETTINGS }),
    ]
    await open(definitions)
    for (const singletonKey of ['a', 'a', 'b', 'a']) await ctx.jobs.send(ctx, 'test.single', {}, { singletonKey })
    await ctx.jobs.send(ctx, 'test.other', {}, { singletonKey: 'a' })
    expect((await jobRows()).map(({ name }) => name).toSorted()).toEqual(['test.other', 'test.single', 'test.single'])
    await sql`UPDATE pgboss.job SET state = 'active' WHERE singleton_key = 'a'`.execute(ctx.db)
    await ctx.jobs.send(ctx, 'test.single', {}, { singletonKey: 'a' })
    expect(await jobRows()).toHaveLength(4)
  })

  it('does not start a job before its time', async () => {
    const definitions = [job({ queue: 'test.later', run: async () => undefined, ...SETTINGS })]
    await open(definitions)
    await ctx.jobs.send(ctx, 'test.later', {}, { startAfter: new Date(Date.now() + 60_000) })
    await queue?.work(ctx, definitions)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(await jobRows()).toMatchObject([{ name: 'test.later', state: 'created' }])
  })
})

describe('jobs.work', () => {
  it('runs a job that failed again, and says so in the log', async () => {
    const lines: string[] = []
    let passes = 0
    const done = Promise.withResolvers<void>()
    const run = async () => {
      passes += 1
      if (passes === 1) throw new Error('not yet')
      done.resolve()
    }
    const definitions = [job({ queue: 'test.again', run, ...SETTINGS })]
    await (await open(definitions, lines)).work(ctx, definitions)
    await ctx.jobs.send(ctx, 'test.again', {})
    await done.promise
    expect(passes).toBe(2)
    expect(lines.join('')).toContain('not yet')
  })

  it('acts as the program, for every caller', async () => {
    const caller = Promise.withResolvers<string>()
    const run = async (inner: Context) => caller.resolve(inner.caller.kind)
    const definitions = [job({ queue: 'test.caller', run, ...SETTINGS })]
    await (await open(definitions)).work({ ...ctx, caller: { kind: 'anonymous' } }, definitions)
    await ctx.jobs.send(ctx, 'test.caller', {})
    expect(await caller.promise).toBe('system')
  })

  it('abandons a run that hangs, reports it, and starts the next', async () => {
    const lines: string[] = []
    let passes = 0
    const second = Promise.withResolvers<void>()
    const run = async () => {
      passes += 1
      if (passes > 1) second.resolve()
      else await new Promise(() => undefined)
    }
    const definitions = [job({ queue: 'test.hang', run, everySeconds: 0.05, deadlineSeconds: 0.2, ...SETTINGS })]
    await (await open(definitions, lines)).work(ctx, definitions)
    await second.promise
    expect(lines.join('')).toContain('The job did not end within 0.2 s')
  })

  it('starts periodic work, one run at a time', async () => {
    let [running, most, passes] = [0, 0, 0]
    const third = Promise.withResolvers<void>()
    const run = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 150))
      running -= 1
      passes += 1
      if (passes === 3) third.resolve()
    }
    const definitions = [job({ queue: 'test.repeat', run, everySeconds: 0.05, ...SETTINGS })]
    await (await open(definitions)).work(ctx, definitions)
    await third.promise
    expect(most).toBe(1)
  })
})

describe('jobs.stop', () => {
  it('returns what runs on to the queue, and does not wait for a run that hangs', async () => {
    const hang = () => new Promise<void>(() => undefined)
    const began = { job: Promise.withResolvers<void>(), pass: Promise.withResolvers<void>() }
    const hanging = (of: keyof typeof began) => () => (began[of].resolve(), hang())
    const definitions = [
      job({ queue: 'test.hanging', run: hanging('job'), ...SETTINGS }),
      job({ queue: 'test.pass', run: hanging('pass'), everySeconds: 1, ...SETTINGS }),
    ]
    await (await open(definitions)).work(ctx, definitions)
    await ctx.jobs.send(ctx, 'test.hanging', {})
    await Promise.all([began.job.promise, began.pass.promise])
    await queue?.stop()
    queue = undefined
    expect(await jobRows()).toMatchObject([{ name: 'test.hanging', state: 'retry' }])
  })
})
