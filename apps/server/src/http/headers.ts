import { isIP } from 'node:net'

/** Headers of every answer: nothing may be guessed, framed or leaked through a referrer (api.md 1.8). */
export const SAFETY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/**
 * The policy of a page: it loads its own files only. `connect` allows the configured API base, `frames` pages inside it,
 * `ancestors` an origin that frames it.
 */
export function pagePolicy({
  connect = '',
  styleHashes = [] as readonly string[],
  scripts = "'self'",
  frames = '',
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
    ...(frames === '' ? [] : [`frame-src ${frames}`]),
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
 * Whether the request comes from no browser, or from a page of ours: of a configured origin or, before one is configured, of
 * the same host name on another port (api.md 1.8). A foreign page's form is sent without a preflight, but names its origin.
 */
export function isOwnOrigin(
  { origin, host }: { readonly origin: string | undefined; readonly host: string },
  origins: readonly string[],
): boolean {
  if (origin === undefined || origins.includes(origin)) return true
  const page = URL.parse(origin)
  return page !== null && page.hostname !== '' && page.hostname === URL.parse(`http://${host}`)?.hostname
}

/** Headers that proxies and content networks add to forwarded calls (RFC 7239, RFC 9110 7.6.3, and their own). */
const FORWARDED = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|x-cluster-client-ip|cf-.+|true-client-ip)$/

/**
 * Whether the call comes from this machine: the peer is loopback and no header says that it forwards a call. A tunnel adds no
 * header, so this counts on the sandbox only (api.md 2.2).
 */
export function isThisMachine(peer: string, headers: Readonly<Record<string, unknown>>): boolean {
  const isLoopback = /^(127\.|::1$)/.test(peer.replace(/^::ffff:/, ''))
  return isLoopback && !Object.keys(headers).some((name) => FORWARDED.test(name))
}

/** An address with its port, as some proxies write it: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)(?::\d+)?|\[([\da-f:.]+)\](?::\d+)?)$/i

/** Returns `x-forwarded-for` without ports: each connection has another port, and would count as another caller. */
export function withoutPorts(forwardedFor: string): string {
  const addresses = forwardedFor.split(',').map((item) => item.trim())
  return addresses.map((item) => WITH_PORT.exec(item)?.slice(1).find(Boolean) ?? item).join(', ')
}
