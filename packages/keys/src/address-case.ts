/** Hexadecimal digits, of which the case is at most a checksum, and bech32, which may be all upper or all lower case (BIP-173). */
const HEX = /^0x/i
const BECH32 = /^(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{38,}$/i

/**
 * Folds a text for comparison with an address: to lower case where case means nothing in that address, unchanged where every
 * character counts (Base58).
 */
export function foldLike(address: string, text: string): string {
  return HEX.test(address) || BECH32.test(address) ? text.toLowerCase() : text
}

/** Whether two texts spell the same address; surrounding blanks are ignored. */
export function isSameAddress(address: string, other: string): boolean {
  const [one, two] = [address.trim(), other.trim()]
  return foldLike(one, one) === foldLike(one, two)
}

/** Writes an address in capitals where that is the same address: capitals make a smaller QR code (BIP-173). */
export function inCapitals(address: string): string {
  return BECH32.test(address) ? address.toUpperCase() : address
}
