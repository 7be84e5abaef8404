/**
 * Guards all calls that leave the server (api.md 1.8): every address is resolved, checked and pinned before a connection is
 * made.
 */
import { lookup } from 'node:dns/promises'
import { isIP, connect as openSocket, type Socket } from 'node:net'
import type { Readable } from 'node:stream'

import { isHttpUrl } from '@kassa/contract/kit/fields.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { EGRESS_PURPOSES } from '@kassa/contract/settings/keys.ts'
import { Agent, fetch, request } from 'undici'

import type { Network } from '../config/config.ts'
import { isInTransaction } from '../db/open-transaction.ts'
import { type Cidr, isInside, isLocalName, isPublicAddress, readCidr } from './addresses.ts'
import type { Egress, EgressPurpose, EgressRequest, EgressResponse } from './egress.ts'

/** Ports a webhook may be sent to outside the sandbox. */
const WEBHOOK_PORTS = new Set(['', '443', '80', '8443', '8080'])
const TIMEOUT_MS = 15_000
/** What is read of an answer at most. */
const MAX_ANSWER = 64 * 1024

/** An operator's change of the open networks is noticed after this long at the latest. */
const ALLOWED_FOR_MS = 10_000

/** How long to wait for the body of an answer whose body is not needed. */
const EXCERPT_MS = 1_000

type Rules = {
  readonly allowLoopback: boolean
  readonly httpsOnly: boolean
  /** Private networks that may be called for a purpose. */
  readonly open: (purpose: EgressPurpose) => readonly Cidr[]
}

export type EgressOptions = {
  readonly timeoutMs?: number
  /** Reads `security.egress_allow`, such as `node:10.0.0.0/8,webhook:192.168.1.5/32`. */
  readonly allowed?: () => Promise<string | null>
  /** Tests: a call inside a transaction, while others may wait for its locks, fails the test (0006). */
  readonly isStrict?: boolean
}

export type GuardedEgress = Egress & { readonly close: () => Promise<void> }

/** Creates the guard: the sandbox may reach loopback, mainnet webhooks need https, operators open private networks. */
export function createEgress(
  network: Network,
  { timeoutMs = TIMEOUT_MS, allowed = async () => null, isStrict = false }: EgressOptions = {},
): GuardedEgress {
  const list = allowList(allowed)
  const rules: Rules = { allowLoopback: network === 'sandbox', httpsOnly: network === 'mainnet', open: list.open }
  const agents = new Map(EGRESS_PURPOSES.map((purpose) => [purpose, agentFor(rules, purpose, timeoutMs)]))
  const agentOf = (purpose: EgressPurpose): Agent => agents.get(purpose) ?? refuse('Unknown purpose.')
  const leave = async (purpose: EgressPurpose): Promise<void> => {
    if (isStrict && isInTransaction()) throw new Error(`A call for ${purpose} was made inside a transaction`)
    await list.refreshIfOld()
  }
  return {
    check: (purpose, url) => {
      list.refreshLater()
      checkUrl(rules, purpose, url)
    },
    request: async (purpose, outgoing) => {
      await leave(purpose)
      const signal = AbortSignal.timeout(Math.min(outgoing.timeoutMs ?? timeoutMs, timeoutMs))
      return send(rules, { dispatcher: agentOf(purpose), signal }, purpose, outgoing)
    },
    fetch: (purpose) => async (url, init) => {
      await leave(purpose)
      checkUrl(rules, purpose, url)
      return fetch(url, { ...init, dispatcher: agentOf(purpose) })
    },
    checkHost: (purpose, host) => {
      list.refreshLater()
      checkHost(rules, purpose, host)
    },
    connect: async (purpose, server) => {
      await leave(purpose)
      checkHost(rules, purpose, server.host)
      return connectTo(server, { lookup: pinnedLookup(rules, purpose), timeoutMs })
    },
    refresh: list.refresh,
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.close()))
    },
  }
}

function agentFor(rules: Rules, purpose: EgressPurpose, timeoutMs: number): Agent {
  // A node's client has limits of its own: tracing a block takes longer than a webhook may.
  const limits = purpose === 'node' ? {} : { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  return new Agent({ connect: { lookup: pinnedLookup(rules, purpose), timeout: timeoutMs }, ...limits })
}

/** Keeps the list of open networks current; when it cannot be read, the earlier list stays, at first an empty one. */
function allowList(read: () => Promise<string | null>) {
  let networks: readonly { readonly purpose: string; readonly cidr: Cidr }[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const refresh = async (): Promise<void> => {
    const text = (await read()) ?? ''
    networks = text.split(/[\s,]+/).flatMap((item) => {
      const [, purpose = '', network = ''] = /^([a-z]+):(.+)$/.exec(item) ?? []
      const cidr = readCidr(network)
      return cidr ? [{ purpose, cidr }] : []
    })
    readAt = performance.now()
  }
  const refreshIfOld = async (): Promise<void> => {
    if (performance.now() - readAt < ALLOWED_FOR_MS) return
    reading ??= refresh().finally(() => (reading = undefined))
    await reading
  }
  return {
    open: (purpose: EgressPurpose) => networks.filter((one) => one.purpose === purpose).map(({ cidr }) => cidr),
    refresh,
    refreshIfOld,
    refreshLater: () => void refreshIfOld().catch(() => undefined),
  }
}

function checkUrl(rules: Rules, purpose: EgressPurpose, text: string): URL {
  const url = isHttpUrl(text) ? new URL(text) : refuse('Use an http or https address.')
  checkHost(rules, purpose, url.hostname.replace(/^\[|\]$/g, ''))
  if (purpose === 'webhook' && !rules.allowLoopback && !WEBHOOK_PORTS.has(url.port)) {
    refuse('Use port 443, 80, 8443 or 8080.')
  }
  if (purpose === 'webhook' && rules.httpsOnly && url.protocol !== 'https:') refuse('Use an https address.')
  return url
}

function checkHost(rules: Rules, purpose: EgressPurpose, host: string): void {
  const isLoopbackName = rules.allowLoopback && host === 'localhost'
  if (isIP(host) !== 0 && !isAllowed(rules, purpose, host)) refuse(`${host} is a private address. ${HOW_TO_OPEN}`)
  // With an open network a local name may lead into it: what it leads to is judged at every connection.
  if (isLocalName(host) && !isLoopbackName && rules.open(purpose).length === 0) {
    refuse(`${host} is a name of the local network. ${HOW_TO_OPEN}`)
  }
}

const HOW_TO_OPEN = 'A root operator can open its network with the setting security.egress_allow.'

function isAllowed(rules: Rules, purpose: EgressPurpose, address: string): boolean {
  return isPublicAddress(address, rules) || isInside(address, rules.open(purpose))
}

async function send(
  rules: Rules,
  limits: { readonly dispatcher: Agent; readonly signal: AbortSignal },
  purpose: EgressPurpose,
  outgoing: EgressRequest,
): Promise<EgressResponse> {
  const url = checkUrl(rules, purpose, outgoing.url)
  const { statusCode, headers, body } = await request(url, {
    ...limits,
    method: outgoing.method,
    headers: outgoing.headers,
    body: outgoing.body ?? null,
  })
  const texts = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  return {
    status: statusCode,
    headers: Object.fromEntries(texts) as Record<string, string>,
    body: await (outgoing.excerptBytes === undefined ? readStart(body) : readExcerpt(body, outgoing.excerptBytes)),
  }
}

async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  await readInto(parts, body, MAX_ANSWER)
  return Buffer.concat(parts).toString('utf8')
}

/** The status has already decided: this does not wait for a body that arrives slowly or breaks off. */
async function readExcerpt(body: Readable, bytes: number): Promise<string> {
  const parts: Buffer[] = []
  const timer = setTimeout(() => body.destroy(), EXCERPT_MS)
  await readInto(parts, body, bytes).catch(() => undefined)
  clearTimeout(timer)
  return Buffer.concat(parts).toString('utf8')
}

async function readInto(parts: Buffer[], body: AsyncIterable<Buffer>, most: number): Promise<void> {
  let size = 0
  for await (const part of body) {
    parts.push(part.subarray(0, most - size))
    size += part.length
    if (size >= most) return
  }
}

type LookupCallback = (error: Error | null, addresses: { address: string; family: number }[]) => void

/** Resolves the name once and connects only to the checked addresses, so that a second answer of the resolver cannot differ. */
function pinnedLookup(rules: Rules, purpose: EgressPurpose) {
  return (host: string, _options: unknown, done: LookupCallback): void => {
    lookup(host, { all: true })
      .then((found) => {
        const isSafe = found.length > 0 && found.every(({ address }) => isAllowed(rules, purpose, address))
        done(isSafe ? null : new Error(`${host} leads to a private address`), isSafe ? found : [])
      })
      .catch((cause: unknown) => done(cause instanceof Error ? cause : new Error(String(cause)), []))
  }
}

type Way = { readonly lookup: ReturnType<typeof pinnedLookup>; readonly timeoutMs: number }

function connectTo(
  { host, port }: { host: string; port: number },
  { lookup: judged, timeoutMs }: Way,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = openSocket({ host, port, lookup: judged, timeout: timeoutMs })
    socket.once('connect', () => resolve(socket.setTimeout(0)))
    socket.once('timeout', () => socket.destroy(new Error(`${host} did not answer`)))
    socket.once('error', reject)
  })
}

function refuse(details: string): never {
  return fail('EGRESS_NOT_ALLOWED', { details })
}
