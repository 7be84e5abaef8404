import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'

import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { openLiveChannel } from '../events/live-channel.ts'
import { type TestDatabase, testDatabase } from '../testing/database/test-database.ts'
import { openDatabase, ping } from './database.ts'
import { takeLease } from './lease.ts'

let database: TestDatabase
let relay: Server
/** The same database over TCP. */
let url: string
/** What was sent to it through the relay. */
let sent = ''

beforeAll(async () => {
  database = await testDatabase()
  const address = new URL(database.connectionString)
  const folder = address.searchParams.get('host')
  const to = folder
    ? { path: `${folder}/.s.PGSQL.${address.port || 5432}` }
    : { host: address.hostname, port: Number(address.port || 5432) }
  relay = createServer((client) => {
    const server = connect(to)
    client.on('data', (bytes) => void (sent += bytes.toString('latin1')))
    client.on('error', () => server.destroy()).pipe(server)
    server.on('error', () => client.destroy()).pipe(client)
  })
  await new Promise<void>((resolve) => void relay.listen(0, '127.0.0.1', resolve))
  address.searchParams.delete('host')
  address.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`
  url = address.href
})
afterAll(async () => {
  relay.close()
  await database.drop()
})

/** Seconds until the kernel sends the first probe on each of our connections to the relay; none without a timer (proc(5)). */
function untilProbe(): (number | null)[] {
  const port = (relay.address() as AddressInfo).port.toString(16).toUpperCase().padStart(4, '0')
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [, , to = '', state, , timer = ''] = line.trim().split(/\s+/)
    const [kind, ticks = ''] = timer.split(':')
    if (!to.endsWith(`:${port}`) || state !== '01') return []
    return [kind === '02' ? Number.parseInt(ticks, 16) / 100 : null]
  })
}

describe.runIf(process.platform === 'linux')('db: connections that wait long', () => {
  it.each([
    ['the pool', async () => openDatabase(url, { max: 1 })],
    ['the live channel', async () => openLiveChannel(url, pino({ level: 'silent' }))],
    ['a lease', async () => (await takeLease(url, { space: 1, id: 1, name: 'test' })) ?? expect.unreachable()],
  ])('are probed within seconds: %s', async (_name, open) => {
    const opened = await open()
    if ('db' in opened) await ping(opened.db)
    onTestFinished('release' in opened ? opened.release : opened.close)
    await expect.poll(() => untilProbe().map((seconds) => seconds !== null && seconds <= 10)).toEqual([true])
  })

  it('let PostgreSQL notice as soon that the holder of a lease has vanished', async () => {
    sent = ''
    const lease = await takeLease(url, { space: 1, id: 2, name: 'test' })
    await lease?.release()
    const [idle = 0, interval = 0, count = 0] = ['idle', 'interval', 'count'].map((name) =>
      Number(new RegExp(`SET tcp_keepalives_${name} = (\\d+)`).exec(sent)?.[1]),
    )
    expect(idle + interval * count).toBeLessThanOrEqual(30)
  })
})
