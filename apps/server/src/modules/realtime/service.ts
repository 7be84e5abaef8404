// Live updates: events committed by any process are sent to the tabs and payers' pages that are open here.
import type { FastifyInstance } from 'fastify'
import { WebSocketServer } from 'ws'

import type { Context } from '../../context.ts'
import { CLOSE, MAX_MESSAGE_BYTES, PROTOCOL } from './protocol.ts'
import { serveSocket } from './socket.ts'

/** The path of the socket on the server's own port. */
const SOCKET_PATH = '/api/v1/ws'

/** How long a closing server waits for tabs to close their side. */
const GOODBYE_MS = 1000

/** Serves the websocket on the server's port; its tokens come from L1. */
export function serveSockets(ctx: Context, http: FastifyInstance): void {
  // A client that does not close its side is cut off; one that never authenticated has no reason to close.
  const cutOff = { closeTimeout: GOODBYE_MS }
  const server = new WebSocketServer({
    ...cutOff,
    noServer: true,
    // A message slightly above the limit is refused with the protocol's own code; a far larger one is not even read.
    maxPayload: 4 * MAX_MESSAGE_BYTES,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  })
  http.server.on('upgrade', (request, stream, head) => {
    if (request.url?.split('?')[0] !== SOCKET_PATH) return stream.destroy()
    server.handleUpgrade(request, stream, head, (socket) => serveSocket(ctx, socket, request.headers.origin))
  })
  http.addHook('preClose', async () => closeSockets(server))
}

/** Asks every tab to reconnect a little later; a tab that does not close its side is cut off. */
function closeSockets({ clients }: WebSocketServer): void {
  for (const socket of clients) socket.close(CLOSE.restarting, 'Restarting')
  setTimeout(() => {
    for (const socket of clients) socket.terminate()
  }, GOODBYE_MS).unref()
}
