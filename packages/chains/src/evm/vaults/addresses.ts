import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import { fromHex, keccak, keccakText } from '../encoding/hex.ts'
import { create2Address, CREATE2_PREFIX, wordOf } from './create2.ts'

/** Creates contracts for everybody at addresses that depend on their code alone (EIP-7997); anvil carries it too. */
export const DETERMINISTIC_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** The salt of the factory: another version of its code gets another address by itself. */
export const FACTORY_SALT = keccakText('kassa.factory.v1')

/** Salt 0 is the contract that accounts delegate to (EIP-7702); deposit addresses count from 1. */
const DELEGATE_SALT = 0n

/** What creates a deposit contract, in front of and behind the address of its vault; money.md 6.3 explains each byte. */
const BEFORE_VAULT = '603f80600a5f395ff3fe73'
const BEHIND_VAULT = '3303603d575f8036603f19018060408337' + '8160203581355af1' + '3d5f803e156039573d5ff35b3d5ffd5b00'

/** How many of those bytes only create the contract and do not stay in it. */
const CREATING_BYTES = 10

/** Tells where the factory stands on every EVM chain, deployed there or not. */
export function factoryKey(): Uint8Array {
  const initHash = keccak(fromHex(kassaFactory.bytecode))
  const deployer = fromHex(DETERMINISTIC_DEPLOYER)
  return create2Address({ prefix: CREATE2_PREFIX.evm, deployer, salt: FACTORY_SALT, initHash })
}

export type VaultPlace = { readonly factory: Uint8Array; readonly owner: Uint8Array; readonly salt: Uint8Array }

/** Computes the address of an owner's vault, created or not; the collector is no part of it. */
export function vaultKey({ factory, owner, salt }: VaultPlace, prefix: number = CREATE2_PREFIX.evm): Uint8Array {
  const padded = new Uint8Array(32)
  padded.set(owner, 12)
  const initHash = keccak(Buffer.concat([fromHex(kassaVault.bytecode), padded]))
  return create2Address({ prefix, deployer: factory, salt, initHash })
}

/** Computes the address of one deposit contract of a vault, created or not. */
export function depositKey(vault: Uint8Array, salt: bigint, prefix: number = CREATE2_PREFIX.evm): Uint8Array {
  return create2Address({ prefix, deployer: vault, salt: wordOf(salt), initHash: depositInitHash(vault) })
}

/** Computes the address of what accounts delegate to, for this vault (EIP-7702). */
export function delegateKey(vault: Uint8Array, prefix: number = CREATE2_PREFIX.evm): Uint8Array {
  return depositKey(vault, DELEGATE_SALT, prefix)
}

/** Hashes what creates a deposit contract of a vault: one hash for all its addresses. */
export function depositInitHash(vault: Uint8Array): Uint8Array {
  return keccak(depositInit(vault))
}

/** Gives the 63 bytes that stand at every deposit address of a vault which was swept once. */
export function depositCode(vault: Uint8Array): Uint8Array {
  return depositInit(vault).subarray(CREATING_BYTES)
}

/** Gives what creates a deposit contract of a vault. */
export function depositInit(vault: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(BEFORE_VAULT, 'hex'), vault, Buffer.from(BEHIND_VAULT, 'hex')])
}
