import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { realtimeRoutes } from '@kassa/contract/realtime/routes.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../testing/app.ts'
import { CLOSE, PROTOCOL } from './protocol.ts'

/** Longer than a socket believes what it knows of its session. */
const LATER_MS = 6000

let app: TestApp

beforeEach(async () => {
  app = await testApp()
  await app.http.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  vi.useRealTimers()
  await app.stop()
})

/** Opens a socket of a session that receives events about its operator. */
async function open(key: string, clientID: string) {
  const { body } = await app.call(realtimeRoutes.createWebsocketToken, { query: { clientID } }, { key })
  const { port } = app.http.server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws`, PROTOCOL)
  const received: { type: string }[] = []
  socket.on('message', (raw: Buffer) => void received.push(JSON.parse(raw.toString('utf8')) as { type: string }))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'auth', token: body.token, clientID }))
  await vi.waitFor(() => expect(received).toContainEqual(expect.objectContaining({ type: 'hello' })))
  socket.send(JSON.stringify({ type: 'subscribe', id: 1, topics: ['me'] }))
  await vi.waitFor(() => expect(received).toContainEqual({ type: 'subscribed', id: 1, topics: ['me'] }))
  return { socket, received }
}

describe('realtime.serveSocket', () => {
  it('closes the sockets of the sessions that a change of the password ends, and no other', async () => {
    const mine = await app.signUp()
    const { body } = await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })
    const [here, there] = [await open(mine, 'here'), await open(body.key, 'there')]
    const closed = once(there.socket, 'close')
    vi.useFakeTimers({ now: Date.now() + LATER_MS, toFake: ['Date'] })
    const change = { oldPassword: TEST_PASSWORD, password: 'Another.Horse9' }
    await app.call(authRoutes.changePassword, { body: change }, { key: mine })
    expect((await closed)[0]).toBe(CLOSE.unauthorised)
    expect(there.received.at(-1)).toEqual({ type: 'session', state: 'revoked' })
    await vi.waitFor(() => {
      expect(here.received.at(-1)).toMatchObject({ type: 'event', topic: 'me', name: 'operator.password_changed' })
    })
    expect(here.socket.readyState).toBe(WebSocket.OPEN)
    here.socket.close()
  })
})
