/**
 * Returns an address in groups of four, the way a person compares it. What is left over stands in the first group, so that
 * the last one holds the four characters in which a shortened address ends.
 */
export function addressGroups(address: string): string[] {
  const first = 4 + (address.length % 4)
  return [address.slice(0, first), ...(address.slice(first).match(/.{4}/g) ?? [])]
}
