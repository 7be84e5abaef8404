import ipaddr from 'ipaddr.js'

/** Names that lead into the local network whatever the resolver says. */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|home\.arpa)$/i

/**
 * Whether an IP address is one of the public internet: unicast, and no form (IPv4-mapped, 6to4, NAT64, Teredo) that
 * leads to a private one. `allowed` adds CIDR ranges; loopback passes where the install says so.
 */
export function isPublicAddress(text: string, { allowLoopback = false } = {}): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (allowLoopback && address.range() === 'loopback') return true
  return address.range() === 'unicast'
}

/** Whether a host name can be refused before it is resolved. */
export function isLocalName(host: string): boolean {
  return LOCAL_NAMES.test(host)
}
