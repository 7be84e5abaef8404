import { CREATE2_PREFIX } from '@kassa/keys/evm/create2.ts'
import { delegateKey, depositCode, depositInitHash } from '@kassa/keys/evm/deposit-contracts.ts'
import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import { fromHex, keccak, toHex } from './hex.ts'

/** What an account says that delegates to a contract (EIP-7702). */
const DELEGATION = '0xef0100'

/**
 * Gives the code that must stand at a vault, every byte of it: what the compiler left open depends on factory and address
 * alone. Prints it as hex.
 */
export function vaultCode(factory: Uint8Array, vault: Uint8Array, prefix: number = CREATE2_PREFIX.evm): string {
  const code = fromHex(kassaVault.runtime)
  const delegate = delegateKey(vault, prefix)
  const values = {
    FACTORY: word(factory),
    DEPOSIT_INIT_HASH: depositInitHash(vault),
    DELEGATE: word(delegate),
    DELEGATED_CODE_HASH: keccak(Buffer.concat([fromHex(DELEGATION), delegate])),
    DEPOSIT_CODE_HASH: keccak(depositCode(vault)),
    PREFIX: Buffer.from(Uint8Array.of(prefix, ...new Uint8Array(31))),
  } satisfies Record<keyof typeof kassaVault.immutables, Uint8Array>
  for (const [name, places] of Object.entries(kassaVault.immutables)) {
    for (const place of places) code.set(values[name as keyof typeof values], place)
  }
  return toHex(code)
}

/** Hashes the code of each contract without the values of its install: the same hash on every chain. */
export const RELEASED_CODE_HASHES = {
  factory: toHex(keccak(fromHex(kassaFactory.runtime))),
  vault: toHex(keccak(fromHex(kassaVault.runtime))),
  deposit: toHex(keccak(depositCode(new Uint8Array(20)))),
} as const

/** Hashes the code of some vault with what it filled in left empty again; equal to `RELEASED_CODE_HASHES.vault` for ours. */
export function maskedVaultHash(code: string): string {
  const bytes = fromHex(code).slice()
  for (const place of Object.values(kassaVault.immutables).flat()) bytes.fill(0, place, place + 32)
  return toHex(keccak(bytes))
}

function word(address: Uint8Array): Uint8Array {
  const padded = new Uint8Array(32)
  padded.set(address, 12)
  return padded
}
