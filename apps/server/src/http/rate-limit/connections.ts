/** How long a connection may take and how many there may be: each one costs memory before its caller is known. */
import type { Server } from 'node:http'
import { isIP, type Socket } from 'node:net'

import type { Logger } from 'pino'

import { isInside, readCidr } from '../../egress/addresses.ts'
import { countNetworks, networkOf } from '../../networks.ts'

export type ConnectionLimits = {
  /** The head of a request must arrive within this, counted from its first byte or, on a new connection, from its start. */
  readonly headersMs: number
  /** A whole request must arrive within this: the largest body over a slow line. */
  readonly requestMs: number
  /** A connection without traffic during a request is ended; event streams and sockets send something more often. */
  readonly idleMs: number
  /** The next request must begin within this, which is longer than proxies keep an idle connection. */
  readonly keepAliveMs: number
  /** How often what is late is looked for. */
  readonly checkMs: number
  /**
   * Connections of one network: a shop's pool, or everybody behind one address. Networks around it may have some times as many.
   */
  readonly perNetwork: number
  readonly inAll: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 15_000,
  requestMs: 120_000,
  idleMs: 120_000,
  keepAliveMs: 75_000,
  checkMs: 5_000,
  perNetwork: 512,
  inAll: 8_192,
}

/** Refused connections are logged once in this time, with their number. */
const REPORT_EVERY_MS = 60_000

/**
 * Ends connections beyond the limits as soon as they are made. A trusted proxy brings connections of many callers and counts
 * them itself, so only the total applies to it.
 */
export function limitConnections(
  server: Server,
  { perNetwork, inAll }: ConnectionLimits,
  { trustedProxies, log }: { readonly trustedProxies: readonly string[]; readonly log: Logger },
): void {
  const proxies = trustedProxies
    .map((item) => readCidr(item.includes('/') ? item : `${item}/${isIP(item) === 6 ? 128 : 32}`))
    .filter((cidr) => cidr !== null)
  const { take } = countNetworks(perNetwork)
  let refused = 0
  let reportedAt = Number.NEGATIVE_INFINITY
  const report = () => {
    refused += 1
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return
    log.warn({ refused }, 'refused connections beyond the limits')
    reportedAt = performance.now()
    refused = 0
  }
  server.maxConnections = inAll
  server.on('drop', report)
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    if (isInside(address, proxies)) return
    const release = take(networkOf(address))
    if (release === null) {
      report()
      return void socket.destroy()
    }
    socket.once('close', release)
  })
}
