import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { create2Address, CREATE2_PREFIX, wordOf } from './create2.ts'

/** Salt 0 is the contract that accounts delegate to (EIP-7702); deposit addresses count from 1. */
const DELEGATE_SALT = 0n

/** The creation code of a deposit contract, before and after the address of its vault; money.md 6.3 explains each byte. */
const BEFORE_VAULT = '603f80600a5f395ff3fe73'
const BEHIND_VAULT = '3303603d575f8036603f19018060408337' + '8160203581355af1' + '3d5f803e156039573d5ff35b3d5ffd5b00'

/** How many of those bytes only create the contract and are not part of its code. */
const CREATING_BYTES = 10

/** Computes the address of one deposit contract of a vault, created or not. */
export function depositKey(vault: Uint8Array, salt: bigint, prefix: number = CREATE2_PREFIX.evm): Uint8Array {
  return create2Address({ prefix, deployer: vault, salt: wordOf(salt), initHash: depositInitHash(vault) })
}

/** Computes the contract to which accounts delegate, for this vault (EIP-7702). */
export function delegateKey(vault: Uint8Array, prefix: number = CREATE2_PREFIX.evm): Uint8Array {
  return depositKey(vault, DELEGATE_SALT, prefix)
}

/** Hashes the creation code of a vault's deposit contracts: one hash for all its addresses. */
export function depositInitHash(vault: Uint8Array): Uint8Array {
  return keccak_256(depositInit(vault))
}

/** Returns the 63 bytes of code at every deposit address of a vault that was swept once. */
export function depositCode(vault: Uint8Array): Uint8Array {
  return depositInit(vault).subarray(CREATING_BYTES)
}

/** Returns the creation code of a vault's deposit contract. */
export function depositInit(vault: Uint8Array): Uint8Array {
  return concatBytes(hexToBytes(BEFORE_VAULT), vault, hexToBytes(BEHIND_VAULT))
}
