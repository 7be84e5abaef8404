import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { systemRoutes } from '@kassa/contract/system/routes.ts'
import { workersRoutes } from '@kassa/contract/workers/routes.ts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type App, createApp } from '../../app.ts'
import { pollPricesJob } from '../prices/jobs.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'

const NAMES = [
  'eth-listener',
  'base-listener',
  'deposit-processor',
  'account-processor',
  'webhook-processor',
  'email-processor',
  'rate-processor',
  'node-processor',
]

let app: TestApp
let key: string
let leadKey: string
/** A second process on the same database, and what it logged. */
let second: App
const secondLines: string[] = []

const list = (as = key) => app.call(workersRoutes.listWorkers, {}, { key: as })
const worker = async (name: string) => (await list()).body.status.find((one) => one.name === name)
const restart = (name: string, as = key) => app.call(workersRoutes.restartWorker, { params: { name } }, { key: as })
const stateOf = async (name: string) =>
  (
    await sql<{
      process: string
      restarts_asked: number
      restarts_done: number
      begun_at: Date
      turned_at: Date | null
    }>`
      SELECT process, restarts_asked, restarts_done, begun_at, turned_at FROM workers WHERE name = ${name}
      ORDER BY process`.execute(app.ctx.db)
  ).rows

/** Runs the test with a change to the rows that no heartbeat has time to overwrite. */
async function whileNobodyBeats(work: () => Promise<void>): Promise<void> {
  await sql`ALTER TABLE workers RENAME TO resting`.execute(app.ctx.db)
  await sql`CREATE TABLE workers (LIKE resting INCLUDING ALL)`.execute(app.ctx.db)
  await work()
  await sql`DROP TABLE workers`.execute(app.ctx.db)
  await sql`ALTER TABLE resting RENAME TO workers`.execute(app.ctx.db)
}

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  const shop = await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })
  leadKey = (await addOperator(app, { projectId: shop.body.id, role: 'project_lead' })).key
})
afterAll(async () => {
  await app.stop()
})

describe('workers without a process', () => {
  it('are named all the same, and say what to start', async () => {
    const { body } = await list()
    expect(body.status.map(({ name }) => name)).toEqual(NAMES)
    expect(new Set(body.status.map(({ status }) => status))).toEqual(new Set(['STOPPED']))
    expect(await worker('rate-processor')).toMatchObject({
      details: 'No process does this: start one with the role worker (KASSA_ROLES).',
    })
    expect((await worker('eth-listener'))?.details).toMatch(/^No process reads it: start one with the role watcher/)
    expect((await app.call(workersRoutes.listWorkerNames, {}, { key })).body).toEqual({ services: NAMES })
  })

  it('say how much waits for one', async () => {
    await pollPricesJob.send(app.ctx, {})
    await pollPricesJob.send(app.ctx, {}, { startAfter: new Date(Date.now() + 3_600_000) })
    expect((await worker('rate-processor'))?.details).toBe(
      'No process does this: start one with the role worker (KASSA_ROLES). 1 waiting.',
    )
  })

  it('say why reading a network halted', async () => {
    const cause = { code: 'halted', params: { halt: { case: 'resume_block_gone', height: 90 } } }
    await sql`INSERT INTO chain_cursors
        (blockchain_id, height, hash, parent_hash, block_time, head_height, finalized_height, state, stop_cause)
      VALUES (1, 100, '0xa', '0xb', now(), 103, -1, 'halted', ${JSON.stringify(cause)})`.execute(app.ctx.db)
    const details = 'Block 90 is not stored any more.'
    expect(await worker('eth-listener')).toMatchObject({ status: 'FATAL', details })
    await sql`DELETE FROM chain_cursors`.execute(app.ctx.db)
  })

  it('cannot be restarted, and the answer says so', async () => {
    expect((await restart('rate-processor')).body.message).toBe(
      'Nothing was restarted: no process runs rate-processor now. It begins with the next process that does.',
    )
  })

  it('show in the health that everybody may read, by name and state only', async () => {
    const { body } = await app.call(systemRoutes.health)
    expect(body).toMatchObject({ status: 'degraded', workers: { 'webhook-processor': 'STOPPED' } })
  })
})

describe('workers of two processes', () => {
  beforeAll(async () => {
    const log = pino({ base: null }, { write: (line: string) => void secondLines.push(line) })
    second = await createApp(app.ctx.config, { keys: app.ctx.keys, log, isTest: true })
    await app.start('worker')
    await second.start('worker')
    await app.start('watcher')
  })
  afterAll(async () => {
    await second.close()
  })

  it('are shown as one', async () => {
    await vi.waitFor(async () => {
      expect(await worker('webhook-processor')).toEqual({
        name: 'webhook-processor',
        status: 'RUNNING',
        details: expect.stringMatching(/^Last run \d s ago, 0 waiting, in 2 processes\.$/),
      })
    }, 10_000)
    expect((await worker('node-processor'))?.status).toBe('RUNNING')
    expect(await stateOf('node-processor')).toHaveLength(1)
    // Nobody gave the blockchains a node that answers.
    await vi.waitFor(async () => {
      expect(await worker('base-listener')).toMatchObject({ status: 'BACKOFF', details: 'No block was read yet.' })
    }, 10_000)
  })

  it('restart in both when one of them is asked', async () => {
    const before = await stateOf('rate-processor')
    const { status, body } = await restart('rate-processor')
    expect([status, body.message]).toEqual([
      200,
      'rate-processor restarts in 2 processes as soon as its current run has ended.',
    ])
    await vi.waitFor(async () => {
      const after = await stateOf('rate-processor')
      expect(after.map(({ restarts_done }) => restarts_done)).toEqual([1, 1])
      for (const [at, row] of after.entries()) {
        expect(row.begun_at.getTime()).toBeGreaterThan(before[at]?.begun_at.getTime() ?? Number.POSITIVE_INFINITY)
      }
    }, 10_000)
    const again = (lines: readonly string[]) => lines.filter((line) => /"rate-processor".*restarted/.test(line))
    expect([again(app.logLines), again(secondLines)].map(({ length }) => length)).toEqual([1, 1])
    expect((await stateOf('email-processor')).map(({ restarts_asked }) => restarts_asked)).toEqual([0, 0])
  })

  it('restart although the message about it was lost', async () => {
    await sql`UPDATE workers SET restarts_asked = restarts_asked + 1 WHERE name = 'email-processor'`.execute(app.ctx.db)
    await vi.waitFor(
      async () => expect((await stateOf('email-processor')).map((row) => row.restarts_done)).toEqual([1, 1]),
      12_000,
    )
  }, 20_000)

  it('go on working after a restart', async () => {
    await restart('webhook-processor')
    await vi.waitFor(async () => {
      const rows = await stateOf('webhook-processor')
      expect(rows.map(({ restarts_done }) => restarts_done)).toEqual([1, 1])
      // One by one: they are shown as one worker even when only one of them runs.
      for (const { begun_at, turned_at } of rows) expect(turned_at?.getTime()).toBeGreaterThan(begun_at.getTime())
    }, 15_000)
  })

  it('restart all at once, listeners too', async () => {
    const { body } = await app.call(workersRoutes.restartWorkers, { body: {} }, { key })
    expect(body.message).toBe('Every worker restarts as soon as its current run has ended.')
    await vi.waitFor(async () => {
      const { rows } = await sql`SELECT FROM workers WHERE restarts_done < restarts_asked OR restarts_done = 0`.execute(
        app.ctx.db,
      )
      expect(rows).toEqual([])
    }, 15_000)
    const one = await app.call(workersRoutes.restartWorkers, { body: { name: 'eth-listener' } }, { key })
    expect(one.body.message).toBe('eth-listener restarts as soon as its current run has ended.')
  }, 20_000)

  it('refuse a name that is none, and say which there are: WORKER_UNKNOWN', async () => {
    const { status, refusal } = await restart('payout-processor')
    expect([status, refusal?.code, refusal?.message]).toEqual([400, 'WORKER_UNKNOWN', 'Unknown worker.'])
    expect(refusal?.data).toEqual({ known: NAMES })
    expect(refusal?.details).toContain('rate-processor, node-processor')
    const other = await app.call(workersRoutes.restartWorkers, { body: { name: 'btc-listener' } }, { key })
    expect(other.refusal?.code).toBe('WORKER_UNKNOWN')
  })

  it('are seen and restarted by who may: FORBIDDEN', async () => {
    expect((await list(leadKey)).refusal?.data).toMatchObject({ permission: 'system:read' })
    expect((await app.call(workersRoutes.listWorkerNames, {}, { key: leadKey })).status).toBe(403)
    expect((await restart('rate-processor', leadKey)).refusal?.data).toMatchObject({ permission: 'system:operate' })
    expect((await app.call(workersRoutes.restartWorkers, { body: {} }, { key: leadKey })).status).toBe(403)
  })

  it('leave with their process', async () => {
    const third = await createApp(app.ctx.config, { keys: app.ctx.keys, log: pino({ level: 'silent' }), isTest: true })
    await third.start('worker')
    expect(await stateOf('rate-processor')).toHaveLength(3)
    await third.close()
    expect(await stateOf('rate-processor')).toHaveLength(2)
  })
})

describe('the sender', () => {
  const SENDER = 'payout-processor'

  it('is shown where a process runs it, and leaves with its process', async () => {
    const { keys } = app.ctx
    const sender = await createApp(app.ctx.config, { keys, log: pino({ level: 'silent' }), isTest: true })
    await sender.start('sender')
    expect(await worker(SENDER)).toMatchObject({
      status: 'RUNNING',
      details: expect.stringMatching(/^(Started|Last run) \d+ s ago/),
    })
    const { body } = await app.call(workersRoutes.listWorkerNames, {}, { key })
    expect(body.services).toEqual([...NAMES, SENDER])
    const [row] = await stateOf(SENDER)
    await vi.waitFor(async () => expect((await restart(SENDER)).body.message).toMatch(/restarts as soon as/))
    await vi.waitFor(async () =>
      expect(await stateOf(SENDER)).toMatchObject([{ process: row?.process, restarts_done: 1 }]),
    )
    await sender.close()
    expect(await worker(SENDER)).toBeUndefined()
  })
})

describe('workers of processes that crashed or fail', () => {
  const put = (name: string, heartbeat: string, failure: string | null = null) =>
    sql`INSERT INTO workers (name, process, begun_at, beat_at, turned_at, failure)
        VALUES (${name}, gen_random_uuid()::text, now() - interval '1 hour', now() - ${heartbeat}::interval,
                now() - ${heartbeat}::interval, ${failure})`.execute(app.ctx.db)

  it('are stopped when the last sign of life is old', async () => {
    await whileNobodyBeats(async () => {
      await put('rate-processor', '3 minutes')
      expect(await worker('rate-processor')).toMatchObject({
        status: 'STOPPED',
        details:
          'No process does this: start one with the role worker (KASSA_ROLES). The last sign of life came 3 min ago.',
      })
      expect((await restart('rate-processor')).body.message).toMatch(/^Nothing was restarted/)
    })
  })

  it('do not make the health worse while they try a job again', async () => {
    const reason = async () => (await app.call(systemRoutes.health)).body.reason
    await whileNobodyBeats(async () => {
      expect(await reason()).toContain('email-processor')
      await put('email-processor', '2 seconds', 'auth.mailReset: no such mailbox')
      expect(await worker('email-processor')).toMatchObject({ status: 'BACKOFF' })
      expect(await reason()).not.toContain('email-processor')
    })
  })

  it('are held back while no process gets on, and run as soon as one does', async () => {
    await whileNobodyBeats(async () => {
      await put('rate-processor', '2 seconds', 'prices.poll: every source is down')
      expect(await worker('rate-processor')).toMatchObject({
        status: 'BACKOFF',
        details: 'The last run failed: prices.poll: every source is down. It is tried again, 0 waiting.',
      })
      await put('rate-processor', '1 second')
      expect((await worker('rate-processor'))?.status).toBe('RUNNING')
    })
  })
})
