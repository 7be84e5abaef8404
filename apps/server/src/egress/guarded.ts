/** The one way out (api.md 1.8): every address is resolved, judged and pinned before a connection is made. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

import { isHttpUrl } from '@kassa/contract/kit/fields.ts'
import { fail } from '@kassa/contract/kit/refusal.ts'
import { Agent, request } from 'undici'

import type { Network } from '../config/config.ts'
import { isLocalName, isPublicAddress } from './addresses.ts'
import type { Egress, EgressPurpose, EgressRequest, EgressResponse } from './egress.ts'

/** Ports a webhook may be sent to outside the sandbox. */
const WEBHOOK_PORTS = new Set(['', '443', '80', '8443', '8080'])
const TIMEOUT_MS = 15_000
/** What is read of an answer at most. */
const MAX_ANSWER = 64 * 1024

type Rules = { readonly allowLoopback: boolean; readonly httpsOnly: boolean }

export type GuardedEgress = Egress & { readonly close: () => Promise<void> }

/** Makes the guarded way out: the sandbox may reach loopback, mainnet webhooks need https. */
export function createEgress(network: Network, { timeoutMs = TIMEOUT_MS } = {}): GuardedEgress {
  const rules: Rules = { allowLoopback: network === 'sandbox', httpsOnly: network === 'mainnet' }
  const agent = new Agent({
    connect: { lookup: pinnedLookup(rules), timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  return {
    check: (purpose, url) => checkUrl(rules, purpose, url),
    request: (purpose, outgoing) =>
      send(rules, { dispatcher: agent, signal: AbortSignal.timeout(timeoutMs) }, purpose, outgoing),
    close: () => agent.close(),
  }
}

function checkUrl(rules: Rules, purpose: EgressPurpose, text: string): URL {
  const url = isHttpUrl(text) ? new URL(text) : refuse('Use an http or https address.')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isLoopbackName = rules.allowLoopback && host === 'localhost'
  if (isIP(host) !== 0 && !isPublicAddress(host, rules)) refuse(`${host} is a private address.`)
  if (isLocalName(host) && !isLoopbackName) refuse(`${host} is a name of the local network.`)
  if (purpose === 'webhook' && !rules.allowLoopback && !WEBHOOK_PORTS.has(url.port)) {
    refuse('Use port 443, 80, 8443 or 8080.')
  }
  if (purpose === 'webhook' && rules.httpsOnly && url.protocol !== 'https:') refuse('Use an https address.')
  return url
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
    body: await readStart(body),
  }
}

async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    parts.push(part.subarray(0, MAX_ANSWER - size))
    size += part.length
    if (size >= MAX_ANSWER) break
  }
  return Buffer.concat(parts).toString('utf8')
}

type LookupCallback = (error: Error | null, addresses: { address: string; family: number }[]) => void

/** Resolves once and hands only judged addresses to the connection, so that a second answer of the name cannot differ. */
function pinnedLookup(rules: Rules) {
  return (host: string, _options: unknown, done: LookupCallback): void => {
    lookup(host, { all: true })
      .then((found) => {
        const isSafe = found.length > 0 && found.every(({ address }) => isPublicAddress(address, rules))
        done(isSafe ? null : new Error(`${host} leads to a private address`), isSafe ? found : [])
      })
      .catch((cause: unknown) => done(cause instanceof Error ? cause : new Error(String(cause)), []))
  }
}

function refuse(details: string): never {
  return fail('EGRESS_NOT_ALLOWED', { details })
}
