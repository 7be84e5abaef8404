import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { rolesRoutes } from '@kassa/contract/operators/role-routes.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { realtimeRoutes } from '@kassa/contract/realtime/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'

import { asSystem, inTransaction } from '../../context.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { CLOSE, PROTOCOL } from './protocol.ts'

/** Longer than a socket believes what it knows of its session. */
const LATER_MS = 6000

/** Long before the question, every 60 s, whether a socket is still there. */
const SOON_MS = 20_000

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

  it('sends no event to a session that ended after the clock was set back', async () => {
    const key = await app.signUp()
    const { socket, received } = await open(key, 'here')
    socket.send(JSON.stringify({ type: 'subscribe', id: 2, topics: ['system:chains'] }))
    await vi.waitFor(() => expect(received).toContainEqual({ type: 'subscribed', id: 2, topics: ['system:chains'] }))
    await sql`UPDATE sessions SET ended_at = now()`.execute(app.ctx.db)
    const closed = once(socket, 'close', { signal: AbortSignal.timeout(SOON_MS) })
    vi.useFakeTimers({ now: Date.now() - 7_200_000, toFake: ['Date'] })
    const event = { type: 'blockchain.changed', projectId: null, payload: {} } as const
    await inTransaction(asSystem(app.ctx), (tx) => tx.events.emit(tx, event))
    expect((await closed)[0]).toBe(CLOSE.unauthorised)
    expect(received.at(-1)).toEqual({ type: 'session', state: 'revoked' })
  })

  it('closes the sockets of a member at once, in whatever way they go', async () => {
    const root = await app.signUp()
    const shop = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key: root })).body.id
    const ways = {
      revoked: accountRoutes.revokeAccess,
      deleted: accountRoutes.deleteMember,
      'signed out': accountRoutes.endMemberSessions,
      restricted: passwordRoutes.requireReset,
    }
    for (const [way, route] of Object.entries(ways)) {
      const { key, operatorId } = await addOperator(app, { projectId: shop, role: 'project_ops' })
      const { socket, received } = await open(key, way)
      const closed = once(socket, 'close')
      const started = Date.now()
      await app.call(route, { params: { id: operatorId }, body: {} }, { key: root })
      expect([way, (await closed)[0]]).toEqual([way, CLOSE.unauthorised])
      expect(Date.now() - started).toBeLessThan(SOON_MS)
      const state = way === 'restricted' ? 'restricted' : 'revoked'
      expect(received.at(-1)).toEqual({ type: 'session', state })
    }
  })

  it('closes the socket of a member who must first set up a second factor, before another event is sent', async () => {
    const mine = await app.signUp()
    const here = await open(mine, 'here')
    const closed = once(here.socket, 'close')
    vi.useFakeTimers({ now: Date.now() + LATER_MS, toFake: ['Date'] })
    const always = { key: 'security.second_factor', value: 'always' }
    expect((await app.call(settingsRoutes.saveSetting, { body: always }, { key: mine })).status).toBe(201)
    expect((await closed)[0]).toBe(CLOSE.unauthorised)
    expect(here.received.map(({ type }) => type)).not.toContain('event')
  })

  it('notifies only the member at once when their roles change', async () => {
    const root = await app.signUp()
    const shop = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key: root })).body.id
    const [member, other] = [
      await addOperator(app, { projectId: shop, role: 'project_ops' }),
      await addOperator(app, { projectId: shop, role: 'project_ops' }),
    ]
    const [mine, theirs] = [await open(member.key, 'mine'), await open(other.key, 'theirs')]
    const params = { id: member.operatorId }
    const body = { roleName: 'project_manager', projectIDs: [shop] }
    await app.call(membersRoutes.replaceRoles, { params, body }, { key: root })
    await vi.waitFor(() => expect(mine.received).toContainEqual({ type: 'session', state: 'roles-changed' }))
    const custom = { name: 'reader', displayName: 'Reader', permissions: ['payment:read'], scope: 'project' as const }
    const { id: roleID } = (await app.call(rolesRoutes.createRole, { body: custom }, { key: root })).body
    await app.call(membersRoutes.replaceRoles, { params, body: { roleID, projectIDs: [shop] } }, { key: root })
    const changed = () => mine.received.filter(({ type }) => type === 'session').length
    await vi.waitFor(() => expect(changed()).toBe(2))
    const more = { ...custom, permissions: ['payment:read', 'payment:create'] }
    await app.call(rolesRoutes.changeRole, { params: { id: roleID }, body: more }, { key: root })
    await vi.waitFor(() => expect(changed()).toBe(3))
    expect(theirs.received.filter(({ type }) => type === 'session')).toEqual([])
    for (const { socket } of [mine, theirs]) socket.close()
  })

  it('greets with the permissions of the moment, so that a page notices what changed since it read its own', async () => {
    const root = await app.signUp()
    const shop = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key: root })).body.id
    const { key, operatorId } = await addOperator(app, { projectId: shop, role: 'project_ops' })
    const readVersion = async () => (await app.call(authRoutes.getMe, {}, { key })).body.permissionsVersion
    const before = await readVersion()
    const first = await open(key, 'first')
    expect(first.received[0]).toMatchObject({ type: 'hello', permissionsVersion: before })
    first.socket.close()
    const body = { roleName: 'project_manager', projectIDs: [shop] }
    await app.call(membersRoutes.replaceRoles, { params: { id: operatorId }, body }, { key: root })
    const second = await open(key, 'second')
    const after = await readVersion()
    expect(after).not.toBe(before)
    expect(second.received[0]).toMatchObject({ type: 'hello', permissionsVersion: after })
    second.socket.close()
  })
})
