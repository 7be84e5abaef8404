/** A merchant's server that answers at once and remembers when each message came. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'

import type { Cleanup } from './figure.ts'

export type Arrivals = {
  readonly url: string
  /** When the first message about a payment began to arrive. */
  readonly of: (reference: string) => number | undefined
  readonly count: () => number
  /** When the newest message arrived. */
  readonly last: () => number
}

/** Starts the server on a loopback port of its own. */
export async function openArrivals(cleanup: Cleanup): Promise<Arrivals> {
  const first = new Map<string, number>()
  let [count, last] = [0, 0]
  const server = createServer((incoming, outgoing) => {
    const now = performance.now()
    let body = ''
    incoming.setEncoding('utf8').on('data', (part: string) => (body += part))
    incoming.on('end', () => {
      count += 1
      last = now
      const { reference_id: reference = '' } = JSON.parse(body || '{}') as { reference_id?: string }
      if (!first.has(reference)) first.set(reference, now)
      outgoing.end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    of: (reference) => first.get(reference),
    count: () => count,
    last: () => last,
  }
}
