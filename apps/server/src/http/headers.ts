import { isIP } from 'node:net'

/** What every answer carries: nothing may be guessed, framed or leaked through a referrer (api.md 1.8). */
export const SAFETY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/** The policy of a page: own files only; `connect` allows the configured API base, `ancestors` an origin that frames it. */
export function pagePolicy({
  connect = '',
  styleHashes = [] as readonly string[],
  scripts = "'self'",
  ancestors = "'none'",
} = {}): string {
  const styles = styleHashes.length > 0 ? styleHashes.map((hash) => `'${hash}'`).join(' ') : "'self'"
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${connect && ` ${connect}`}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ')
}

/** Whether the server answers operators under this `Host`: a configured one, an IP, localhost or a one-label name. */
export function isKnownHost(host: string, origins: readonly string[]): boolean {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
  if (name === '' || name === 'localhost' || isIP(name) !== 0 || !name.includes('.')) return true
  return origins.some((origin) => URL.parse(origin)?.hostname === name)
}

/**
 * Whether no browser sends the request, or a page of ours does: of a configured origin or, before one is, of the same host
 * name on another port (api.md 1.8). A form that a foreign page sends asks nobody first, but names its page.
 */
export function isOwnOrigin(
  { origin, host }: { readonly origin: string | undefined; readonly host: string },
  origins: readonly string[],
): boolean {
  if (origin === undefined || origins.includes(origin)) return true
  const page = URL.parse(origin)
  return page !== null && page.hostname !== '' && page.hostname === URL.parse(`http://${host}`)?.hostname
}

/** What proxies and content networks add to a call that they forward (RFC 7239, RFC 9110 7.6.3, and their own). */
const FORWARDED = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|x-cluster-client-ip|cf-.+|true-client-ip)$/

/**
 * Whether this machine itself calls: the peer is loopback and nothing says that it forwards somebody else's call. A
 * tunnel says nothing, so the answer counts on the sandbox only (api.md 2.2).
 */
export function isThisMachine(peer: string, headers: Readonly<Record<string, unknown>>): boolean {
  const isLoopback = /^(127\.|::1$)/.test(peer.replace(/^::ffff:/, ''))
  return isLoopback && !Object.keys(headers).some((name) => FORWARDED.test(name))
}

/** An address with the port it came from, as some proxies write it: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)(?::\d+)?|\[([\da-f:.]+)\](?::\d+)?)$/i

/** Returns `x-forwarded-for` without ports: every connection comes from another one, and would be a caller of its own. */
export function withoutPorts(forwardedFor: string): string {
  const addresses = forwardedFor.split(',').map((item) => item.trim())
  return addresses.map((item) => WITH_PORT.exec(item)?.slice(1).find(Boolean) ?? item).join(', ')
}
