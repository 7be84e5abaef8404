import { isIP } from 'node:net'

import ipaddr from 'ipaddr.js'

/**
 * Returns what counts as one caller: the address or, for IPv6, its network of 64 bits, because one household or server may use
 * any address of it (RFC 6177).
 */
export function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : `${address.toNormalizedString().split(':', 4).join(':')}::/64`
}

/** A network that holds others, and how many times as much as one of those it may have. */
type Around = { readonly name: string; readonly times: number }

/**
 * Returns the IPv6 networks around one that `networkOf` returned, the smaller first: providers give a customer 56 or 48 bits
 * (RFC 6177), that is, hundreds of networks of 64 bits, or 65,536. An IPv4 address has none.
 */
export function networksAround(network: string): readonly Around[] {
  const [first, second, third, fourth] = /^(\w+):(\w+):(\w+):(\w+)::\/64$/.exec(network)?.slice(1) ?? []
  if (fourth === undefined) return []
  const high = (Number.parseInt(fourth, 16) & 0xff00).toString(16)
  return [
    { name: `${first}:${second}:${third}:${high}::/56`, times: 2 },
    { name: `${first}:${second}:${third}::/48`, times: 4 },
  ]
}

type NetworkCounts = {
  /** Counts one more of a network; returns what counts it off again, or null when it or a network around it has too many. */
  readonly take: (network: string) => (() => void) | null
}

/** Counts what networks hold at the same time: each has a limit, and the networks around it some times as much. */
export function countNetworks(most: number): NetworkCounts {
  const counts = new Map<string, number>()
  const release = (name: string) => {
    const left = (counts.get(name) ?? 1) - 1
    if (left > 0) counts.set(name, left)
    else counts.delete(name)
  }
  return {
    take: (network) => {
      const held = [{ name: network, times: 1 }, ...networksAround(network)]
      if (held.some(({ name, times }) => (counts.get(name) ?? 0) >= times * most)) return null
      for (const { name } of held) counts.set(name, (counts.get(name) ?? 0) + 1)
      return () => held.forEach(({ name }) => release(name))
    },
  }
}
