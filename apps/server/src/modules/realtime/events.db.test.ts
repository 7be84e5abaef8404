import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { realtimeRoutes } from '@kassa/contract/realtime/routes.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'

import { asSystem, inTransaction } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { PROTOCOL } from './protocol.ts'

/** Longer than a socket believes what it knows of its session. */
const LATER_MS = 6000

let app: TestApp
let key: string
let shop: Shop

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  shop = await openShop(app, key)
  await app.http.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => void vi.useRealTimers())
afterAll(() => app.stop())

type Received = {
  readonly type: string
  readonly id?: string
  readonly name?: string
  readonly data?: unknown
  readonly topics?: readonly string[]
}

/** A tab that hears of a topic, and what it has received. */
async function openTab(clientID: string, topic: string, by = key) {
  const { body } = await app.call(realtimeRoutes.createWebsocketToken, { query: { clientID } }, { key: by })
  const { port } = app.http.server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws`, PROTOCOL)
  const received: Received[] = []
  socket.on('message', (raw: Buffer) => void received.push(JSON.parse(raw.toString('utf8')) as Received))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'auth', token: body.token, clientID }))
  socket.send(JSON.stringify({ type: 'subscribe', id: 1, topics: [topic] }))
  await vi.waitFor(() => expect(received).toContainEqual({ type: 'subscribed', id: 1, topics: [topic] }))
  return { socket, received, events: () => received.filter(({ type }) => type === 'event') }
}

describe('realtime.serveSocket', () => {
  it('sends events in the order of their changes, also while it reads the session again', async () => {
    const { socket, events } = await openTab('in-order', `project:${shop.projectId}:payments`)
    vi.useFakeTimers({ now: Date.now() + LATER_MS, toFake: ['Date'] })
    const types = ['payment.created', 'payment.pinned', 'payment.detected', 'payment.filled'] as const
    const stored = await inTransaction(asSystem(app.ctx), (tx) =>
      tx.events.emitAll(
        tx,
        types.map((type, sequence) => ({ type, projectId: shop.projectId, sequence, payload: {} })),
      ),
    )
    await vi.waitFor(() => expect(events()).toHaveLength(types.length))
    expect(events().map(({ id, name }) => [id, name])).toEqual(stored.map(({ id, type }) => [String(id), type]))
    socket.close()
  })

  it('has a tab read its lists again where its session could not be read for an event', async () => {
    const topic = `project:${shop.projectId}:payments`
    const { socket, received, events } = await openTab('unread-session', topic)
    vi.useFakeTimers({ now: Date.now() + LATER_MS, toFake: ['Date'] })
    await sql`ALTER TABLE operator_roles RENAME TO operator_roles_away`.execute(app.ctx.db)
    try {
      await inTransaction(asSystem(app.ctx), (tx) =>
        tx.events.emit(tx, { type: 'payment.filled', projectId: shop.projectId, payload: {} }),
      )
      await vi.waitFor(() => expect(received).toContainEqual({ type: 'resync', topics: [topic] }))
    } finally {
      await sql`ALTER TABLE operator_roles_away RENAME TO operator_roles`.execute(app.ctx.db)
    }
    expect(events()).toEqual([])
    socket.close()
  })

  it('cuts off a tab that does not read, and keeps nothing for it', async () => {
    const topic = `project:${shop.projectId}:payments`
    const [deaf, tab] = [await openTab('deaf', topic), await openTab('reads', topic)]
    deaf.socket.pause()
    // More than the systems of both ends take in, by what PostgreSQL can carry in one notification.
    const text = 'x'.repeat(7_500)
    const announcement = (n: number) => ({ name: 'payment.progress', projectId: shop.projectId, data: { text, n } })
    for (let sent = 100; sent <= 3_000; sent += 100) {
      app.ctx.events.announceAll(
        app.ctx,
        Array.from({ length: 100 }, (_, n) => announcement(n)),
      )
      await vi.waitFor(() => expect(tab.events()).toHaveLength(sent), 10_000)
    }
    const closed = once(deaf.socket, 'close')
    deaf.socket.resume()
    await expect(closed).resolves.toEqual([1006, expect.anything()])
    tab.socket.close()
  })

  it('names the figure of balances at deposit addresses as changed by a sweep', async () => {
    const { socket, events } = await openTab('swept', `project:${shop.projectId}:analytics`)
    await inTransaction(asSystem(app.ctx), (tx) =>
      tx.events.emit(tx, { type: 'sweep.initiated', projectId: shop.projectId, payload: {} }),
    )
    const data = { projectId: shop.projectId, graphIDs: [15] }
    await vi.waitFor(() => expect(events()).toMatchObject([{ name: 'analytics.changed', data }]))
    socket.close()
  })
  it('names no figures of a foreign project, also not under all projects', async () => {
    const { key: ops } = await addOperator(app, { projectId: shop.projectId, role: 'project_ops' })
    const { socket, events } = await openTab('all-figures', 'project:all:analytics', ops)
    const other = await openShop(app, key, 'Foreign')
    const sweep = (projectId: number, type: 'sweep.initiated' | 'payment.filled') =>
      inTransaction(asSystem(app.ctx), (tx) => tx.events.emit(tx, { type, projectId, payload: {} }))
    await sweep(other.projectId, 'payment.filled')
    await sweep(shop.projectId, 'sweep.initiated')
    await vi.waitFor(() => expect(events()).not.toEqual([]), 10_000)
    expect(events()).toMatchObject([{ name: 'analytics.changed', data: { projectId: null, graphIDs: [15] } }])
    socket.close()
  })
})
