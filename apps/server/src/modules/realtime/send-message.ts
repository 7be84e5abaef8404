import type { WebSocket } from 'ws'

/**
 * A tab that does not read is cut off: what it leaves unread would wait in memory. A tab that is behind by so much reads its
 * lists again when it comes back.
 */
const MOST_UNREAD_BYTES = 4 * 1024 * 1024

/** Sends a message to an open socket. */
export function sendMessage(socket: WebSocket, message: object): void {
  if (socket.readyState !== socket.OPEN) return
  socket.send(JSON.stringify(message))
  if (socket.bufferedAmount > MOST_UNREAD_BYTES) socket.terminate()
}
