/** Endpoints that are dead in every way there is, each with messages that are due. */
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

import type { Cleanup } from '../harness/figure.ts'
import type { Pool } from '../harness/limits.ts'

const ENDPOINTS = 1_000
const MESSAGES_EACH = 20

/** A third refuses, a third takes the connection and says nothing, a third sends a byte of its answer a second. */
export async function addDeadEndpoints(pool: Pool, cleanup: Cleanup): Promise<void> {
  const silent = await listen(() => undefined, cleanup)
  const trickling = await listen((socket) => {
    const answer = 'HTTP/1.1 200 OK\r\nx-slow: '.padEnd(1000, 'x')
    let sent = 0
    const timer = setInterval(() => socket.write(answer[(sent += 1) % answer.length] ?? 'x'), 1000)
    socket.on('close', () => clearInterval(timer))
  }, cleanup)
  const urls = ['http://127.0.0.1:9', silent, trickling]
  await pool.query(
    `WITH shops AS (
       INSERT INTO projects (name) SELECT 'Dead ' || n FROM generate_series(1, 50) n RETURNING id
     ), dead AS (
       INSERT INTO webhooks (project_id, url, secret_ref, secret_hint, access_key_ref, access_key_hint)
       SELECT shops.id, ($1::text[])[1 + n % 3] || '/' || n, w.secret_ref, '', w.access_key_ref, ''
       FROM shops, generate_series(1, $2 / 50) n, (SELECT * FROM webhooks ORDER BY id LIMIT 1) w
       RETURNING id, project_id
     )
     INSERT INTO deliveries (webhook_id, project_id, event_id, event_type, body, next_retry_at)
     SELECT id, project_id, 'evt_dead_' || id || '_' || n, 'payment.filled', '{}', now()
     FROM dead, generate_series(1, $3) n`,
    [urls, ENDPOINTS, MESSAGES_EACH],
  )
}

async function listen(onConnection: (socket: Socket) => void, cleanup: Cleanup): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    socket.resume()
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
