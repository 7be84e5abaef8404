import ipaddr from 'ipaddr.js'

/** Names that lead into the local network, whatever the resolver answers. */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i

/** The only part of IPv6 that is assigned to the public internet; the rest holds IPv4 in disguise and local uses. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Public by its range, but answers only inside a data centre: Azure's agent service, which hands out credentials. */
const LOCAL_SERVICES = new Set(['168.63.129.16'])

/**
 * Whether an IP address is one of the public internet: unicast, and no form (IPv4-mapped, IPv4-compatible, 6to4, NAT64,
 * Teredo) that leads to a private one. Loopback passes where the install says so.
 */
export function isPublicAddress(text: string, { allowLoopback = false } = {}): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (allowLoopback && address.range() === 'loopback') return true
  if (LOCAL_SERVICES.has(address.toString())) return false
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_IPV6))
}

/** A network of addresses, such as 10.0.0.0/8. */
export type Cidr = ReturnType<typeof ipaddr.parseCIDR>

/** Reads a network in CIDR notation, or null. */
export function readCidr(text: string): Cidr | null {
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null
}

/** Whether an IP address, whatever form it is written in, lies in one of the networks. */
export function isInside(text: string, networks: readonly Cidr[]): boolean {
  if (networks.length === 0 || !ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return networks.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits))
}

/** Whether a host name can be refused before it is resolved; a dot at its end changes nothing. */
export function isLocalName(host: string): boolean {
  return LOCAL_NAMES.test(host)
}
