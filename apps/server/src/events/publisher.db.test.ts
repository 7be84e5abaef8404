import { setTimeout as sleep } from 'node:timers/promises'

import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { type Announcement, inTransaction, type LiveMessage } from '../context.ts'
import { openDatabase } from '../db/database.ts'
import { testContext, type TestContext } from '../testing/context.ts'
import { openLiveChannel } from './live-channel.ts'
import { createPublisher } from './publisher.ts'

let test: TestContext

beforeAll(async () => {
  test = await testContext()
})

afterAll(() => test.stop())

/** What the listeners of every process hear from now on. */
async function listen(): Promise<string[]> {
  const channel = await openLiveChannel(test.ctx.config.databaseDirectUrl, pino({ level: 'silent' }))
  onTestFinished(channel.close)
  const heard: string[] = []
  channel.subscribe((message) => void heard.push(message?.name ?? 'missed'))
  return heard
}

const about = (name: string): Announcement => ({ name, projectId: null, data: {} })

describe('events.announce', () => {
  it('notifies no listener before the commit, and every one after it, in order', async () => {
    const heard = await listen()
    await inTransaction(test.ctx, async (tx) => {
      tx.events.announce(tx, about('first'))
      await inTransaction(tx, async (same) => same.events.announce(same, about('second')))
      await sleep(200)
      expect(heard).toEqual([])
    })
    await vi.waitFor(() => expect(heard).toEqual(['first', 'second']))
  })

  it('sends no notification of what is rolled back', async () => {
    const heard = await listen()
    const refused = inTransaction(test.ctx, async (tx) => {
      tx.events.announce(tx, about('undone'))
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    test.ctx.events.announce(test.ctx, about('done'))
    await vi.waitFor(() => expect(heard).toEqual(['done']))
  })

  it('announces each event of the outbox', async () => {
    const heard = await listen()
    await test.ctx.events.emit(test.ctx, { type: 'project.changed', projectId: null, payload: {} })
    await vi.waitFor(() => expect(heard).toEqual(['project.changed']))
  })

  it('refuses a message that no notification can carry while its change can be rolled back', async () => {
    const tooMuch = { ...about('long'), data: { text: 'x'.repeat(8_000) } }
    const refused = inTransaction(test.ctx, async (tx) => tx.events.announce(tx, tooMuch))
    await expect(refused).rejects.toThrow('long is announced with')
  })

  it('refuses a transaction whose end it cannot observe', async () => {
    const foreign = test.ctx.db.transaction().execute(async (db) => {
      const ctx = { ...test.ctx, db }
      ctx.events.announce(ctx, about('lost'))
    })
    await expect(foreign).rejects.toThrow('open it by inTransaction')
  })
})

describe('events.createPublisher', () => {
  const message = (name: string): LiveMessage => ({ ...about(name), at: new Date().toISOString() })

  it('has one statement in flight: what comes meanwhile goes with the next, and none is lost at the end', async () => {
    const heard = await listen()
    const { db, pool, close } = openDatabase(test.ctx.config.databaseUrl)
    onTestFinished(close)
    const busy: number[] = []
    const statements = vi.fn<() => void>()
    pool.on('acquire', () => {
      statements()
      busy.push(pool.totalCount - pool.idleCount)
    })
    const publisher = createPublisher(db, pino({ level: 'silent' }))
    const names = Array.from({ length: 500 }, (_, index) => `change ${index}`)
    for (const [index, name] of names.entries()) {
      publisher.publish([message(name)])
      if (index % 100 === 99) await sleep(5)
    }
    await publisher.idle()
    expect(Math.max(...busy)).toBe(1)
    expect(statements.mock.calls.length).toBeLessThanOrEqual(10)
    await vi.waitFor(() => expect(heard).toEqual(names))
  })

  it('pauses between two statements, for what comes next to go together', async () => {
    const { db, pool, close } = openDatabase(test.ctx.config.databaseUrl)
    onTestFinished(close)
    const statements = vi.fn<() => void>()
    pool.on('acquire', () => statements())
    const publisher = createPublisher(db, pino({ level: 'silent' }))
    const begun = performance.now()
    for (let index = 0; index < 50; index += 1) {
      publisher.publish([message(`change ${index}`)])
      await sleep(2)
    }
    await publisher.idle()
    expect(statements.mock.calls.length).toBeLessThanOrEqual((performance.now() - begun) / 10 + 1)
  })

  it('sends a statement that failed once more, in order, with what came meanwhile behind it', async () => {
    const heard = await listen()
    const warnings: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
    const { db, pool, close } = openDatabase(test.ctx.config.databaseUrl)
    onTestFinished(close)
    const broken = await pool.connect()
    const query = vi.spyOn(broken, 'query').mockImplementationOnce(() => {
      throw new Error('connection lost')
    })
    broken.release()
    const publisher = createPublisher(db, log)
    publisher.publish([message('first')])
    publisher.publish([message('second')])
    await publisher.idle()
    expect(query).toHaveBeenCalled()
    await vi.waitFor(() => expect(heard).toEqual(['first', 'second']))
    expect(warnings).toEqual([])
  })

  it('keeps so many messages while the database is away, the newest', async () => {
    const heard = await listen()
    const warnings: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
    const publisher = createPublisher(test.ctx.db, log)
    publisher.publish([message('in flight')])
    publisher.publish(Array.from({ length: 10_002 }, (_, index) => message(`change ${index}`)))
    await publisher.idle()
    await vi.waitFor(() => expect(heard.at(-1)).toBe('change 10001'))
    expect(heard.slice(0, 2)).toEqual(['in flight', 'change 2'])
    expect(JSON.parse(warnings[0] ?? '{}')).toMatchObject({ messages: 2 })
  })

  it('goes on after a statement that failed', async () => {
    const heard = await listen()
    const warnings: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
    const publisher = createPublisher(test.ctx.db, log)
    publisher.publish([{ ...message('too long'), data: { text: 'x'.repeat(8_000) } }])
    await publisher.idle()
    publisher.publish([message('heard')])
    await vi.waitFor(() => expect(heard).toEqual(['heard']))
    expect(warnings).toHaveLength(1)
  })
})
