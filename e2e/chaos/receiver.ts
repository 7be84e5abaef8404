/** A merchant's server that hears every event and remembers in which order. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One message, the first time it came. */
export type Heard = {
  readonly id: string
  readonly type: string
  readonly reference: string
  readonly sequence: number
}

export type EventReceiver = {
  readonly url: string
  /** Messages by their `webhook-id`, in the order they first came. */
  readonly heard: ReadonlyMap<string, Heard>
  /** Requests, repeated ones included. */
  readonly requests: () => number
  /** Ports that requests came from. */
  readonly callers: ReadonlySet<number>
  readonly close: () => Promise<void>
}

/** Starts the server on loopback; `onCaller` is called for each new connection while it is open. */
export async function startEventReceiver(onCaller: (port: number) => void = () => undefined): Promise<EventReceiver> {
  const heard = new Map<string, Heard>()
  const callers = new Set<number>()
  let requests = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', () => {
      requests += 1
      const port = request.socket.remotePort
      if (port !== undefined && !callers.has(port)) {
        callers.add(port)
        onCaller(port)
      }
      const id = String(request.headers['webhook-id'])
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>
      if (!heard.has(id)) {
        heard.set(id, {
          id,
          type: String(body['event_type']),
          reference: String(body['reference_id']),
          sequence: Number(body['sequence']),
        })
      }
      response.end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    heard,
    requests: () => requests,
    callers,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Messages by the payment they tell of, in the order they first came. */
export function byReference(heard: ReadonlyMap<string, Heard>): Map<string, Heard[]> {
  return Map.groupBy(heard.values(), ({ reference }) => reference)
}
