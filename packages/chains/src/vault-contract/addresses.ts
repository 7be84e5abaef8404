import { create2Address, CREATE2_PREFIX } from '@kassa/keys/evm/create2.ts'
import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import { fromHex, keccak } from './hex.ts'

export type VaultPlace = { readonly factory: Uint8Array; readonly owner: Uint8Array; readonly salt: Uint8Array }

/** Computes the address of an owner's vault, created or not; the collector is no part of it. */
export function vaultKey({ factory, owner, salt }: VaultPlace, prefix: number = CREATE2_PREFIX.evm): Uint8Array {
  const padded = new Uint8Array(32)
  padded.set(owner, 12)
  const initHash = keccak(Buffer.concat([fromHex(kassaVault.bytecode), padded]))
  return create2Address({ prefix, deployer: factory, salt, initHash })
}
