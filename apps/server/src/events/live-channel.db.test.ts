import { setTimeout as sleep } from 'node:timers/promises'

import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'

import { testDatabase, type TestDatabase } from '../testing/database/test-database.ts'
import { run } from '../testing/database/run-statement.ts'
import { openLiveChannel } from './live-channel.ts'
import { LIVE_CHANNEL } from './publisher.ts'

let database: TestDatabase
let name: string

beforeAll(async () => {
  database = await testDatabase()
  name = new URL(database.connectionString).pathname.slice(1)
})

afterAll(() => database.drop())

/** The database accepts no connection until the work is done. */
async function whileAway(work: () => Promise<void>): Promise<void> {
  const { url } = inject('postgres')
  await run(url, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await run(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
  await work()
  await run(url, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
}

describe('events.liveChannel', () => {
  it('comes back once after the database was away, and reports that messages may be missing', async () => {
    const channel = await openLiveChannel(database.connectionString, pino({ level: 'silent' }))
    onTestFinished(channel.close)
    const received: (string | null)[] = []
    channel.subscribe((message) => void received.push(message && message.name))
    await whileAway(() => sleep(4_500))
    await vi.waitFor(() => expect(received).toContain(null), { timeout: 5_000 })
    await sleep(1_500)
    await run(database.connectionString, `NOTIFY ${LIVE_CHANNEL}, '{"name":"payment.filled"}'`)
    await vi.waitFor(() => expect(received).toContain('payment.filled'))
    expect(received).toEqual([null, 'payment.filled'])
  })
})
