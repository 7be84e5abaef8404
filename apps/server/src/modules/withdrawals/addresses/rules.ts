/** An address key with at most two bytes that are not zero has no owner: the zero address, precompiled contracts, 0x…dEaD. */
const FREE_BYTES = 2

/** Contracts that OP-stack chains contain from their first block are at 0x4200…0000 and after. */
const PREDEPLOYED = 0x42

/** A well-known address for tokens that are to be burnt. */
const DEAD = Buffer.from('dead000000000000000042069420694206942069', 'hex')

/**
 * Whether coins sent to an address key can never be spent: zero, burn and reserved ones. A first byte that names the
 * network (TRON: 0x41) does not count.
 */
export function isUnspendable(key: Uint8Array): boolean {
  const bytes = Buffer.from(key)
  const body = bytes.length === 21 ? bytes.subarray(1) : bytes
  if (body.equals(DEAD)) return true
  const head = body.subarray(0, Math.max(0, body.length - FREE_BYTES))
  const [first = 0, ...rest] = head
  return rest.every((byte) => byte === 0) && (first === 0 || (first === PREDEPLOYED && body.length === 20))
}
