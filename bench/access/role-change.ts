/** From a change of a member's role to the last of a thousand tabs that hears of it. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { type Permission, PERMISSIONS } from '@kassa/contract/permissions.ts'
import { realtimeRoutes } from '@kassa/contract/realtime/routes.ts'
import { WebSocket, WebSocketServer } from 'ws'

import { PROTOCOL } from '../../apps/server/src/modules/realtime/protocol.ts'
import { caller } from '../../apps/server/src/testing/app.ts'
import { addSession } from '../../apps/server/src/testing/accounts/credentials.ts'
import { until } from '../../e2e/until.ts'
import type { Cleanup, Figure } from '../harness/figure.ts'
import { openProgram } from '../harness/program.ts'
import { median } from '../harness/quantile.ts'

const TABS = 1_000
const ROUNDS = 5

/** Tabs that open at once. */
const OPENING = 50

const CHANGED = JSON.stringify({ type: 'session', state: 'roles-changed' })

/** Measures how long until every tab of a member has heard of another role, beside a plain server that sends as much. */
export async function roleChangeFanOut(cleanup: Cleanup): Promise<readonly Figure[]> {
  // As behind a proxy, which brings the connections of many.
  const { app, pool } = await openProgram(cleanup, ['127.0.0.1'])
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.http.server.address() as AddressInfo
  const { rows } = await pool.query<{ id: number }>("INSERT INTO projects (name) VALUES ('Bench') RETURNING id")
  const shop = rows[0]?.id ?? 0
  const every = Object.keys(PERMISSIONS) as Permission[]
  const root = await addSession(app, { permissions: every })
  await pool.query('UPDATE operator_roles SET role_id = 1 WHERE operator_id = $1', [root.operatorId])
  const member = await addSession(app, { projectId: shop, permissions: every })
  const call = caller(app)
  let heard = 0
  const openTab = async (n: number) => {
    const clientID = `tab-${n}`
    const { body } = await call(realtimeRoutes.createWebsocketToken, { query: { clientID } }, { key: member.key })
    const socket = await openSocket(port, (text) => {
      if (text.includes('roles-changed')) heard += 1
    })
    const hello = once(socket, 'message')
    socket.send(JSON.stringify({ type: 'auth', token: body.token, clientID }))
    await hello
    return socket
  }
  const sockets = await inGroups(openTab)
  cleanup(() => sockets.forEach((socket) => socket.terminate()))
  const plain = await plainFanOut(cleanup)
  const [times, limits]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    heard = 0
    const body = { roleName: round % 2 === 0 ? 'project_manager' : 'project_ops', projectIDs: [shop] }
    const begun = performance.now()
    const answer = await call(
      membersRoutes.replaceRoles,
      { params: { id: member.operatorId }, body },
      { key: root.key },
    )
    if (answer.refusal) throw new Error(answer.text)
    await until(
      'every tab to hear of it',
      () => heard,
      (count) => count >= TABS,
    )
    times.push(performance.now() - begun)
    limits.push(await plain())
  }
  const limit = { name: 'a plain server sends each as much', value: median(limits) }
  return [{ name: `a role changed → ${TABS} tabs have heard of it`, value: median(times), unit: 'ms', limit }]
}

/** A server that only sends: the same message to as many sockets, once a call. */
async function plainFanOut(cleanup: Cleanup): Promise<() => Promise<number>> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, handleProtocols: () => PROTOCOL })
  await once(server, 'listening')
  let heard = 0
  const { port } = server.address() as AddressInfo
  const sockets = await inGroups(() => openSocket(port, () => void (heard += 1)))
  cleanup(() => {
    for (const socket of sockets) socket.terminate()
    server.close()
  })
  return async () => {
    heard = 0
    const begun = performance.now()
    for (const client of server.clients) client.send(CHANGED)
    await until(
      'every socket to hear of it',
      () => heard,
      (count) => count >= TABS,
    )
    return performance.now() - begun
  }
}

async function openSocket(port: number, hear: (text: string) => void): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws`, PROTOCOL)
  socket.on('message', (raw: Buffer) => hear(raw.toString('utf8')))
  await once(socket, 'open')
  return socket
}

async function inGroups(open: (n: number) => Promise<WebSocket>): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  for (let from = 0; from < TABS; from += OPENING) {
    sockets.push(...(await Promise.all(Array.from({ length: OPENING }, (_, n) => open(from + n)))))
  }
  return sockets
}
