import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'

/**
 * The first byte of what CREATE2 hashes: 0xff by EIP-1014; on TRON (TIP-26) the first byte of its addresses, so that one
 * deployment has different addresses on the two.
 */
export const CREATE2_PREFIX = { evm: 0xff, tvm: 0x41 } as const

export type Create2 = {
  readonly prefix: number
  readonly deployer: Uint8Array
  readonly salt: Uint8Array
  readonly initHash: Uint8Array
}

/** Computes the 20 bytes of the address at which CREATE2 creates a contract (EIP-1014). */
export function create2Address({ prefix, deployer, salt, initHash }: Create2): Uint8Array {
  return keccak_256(concatBytes(Uint8Array.of(prefix), deployer, salt, initHash)).subarray(12)
}

/** Writes a whole number as a word of 32 bytes. */
export function wordOf(value: bigint): Uint8Array {
  return hexToBytes(value.toString(16).padStart(64, '0'))
}
