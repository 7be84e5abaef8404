import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import type { Abi, Hex } from 'viem'
import type { VaultState } from '../sweep-vaults.ts'
import { abiCoder } from './abi-coder.ts'

/** Widened: the views are read one like the other. */
const VAULT_ABI: Abi = kassaVault.abi

const VIEWS = [
  'owner',
  'collector',
  'pendingCollector',
  'collectorReadyAt',
  'pendingOwner',
  'ownerReadyAt',
  'frozen',
] as const

/** The calls that ask a vault for its state, in hex. */
export function stateCalls(): readonly Hex[] {
  return VIEWS.map((functionName) => abiCoder().encodeFunctionData({ abi: VAULT_ABI, functionName }))
}

/** Reads the state from the answers to those calls, in their order; `spell` writes an address as its family does. */
export function readState(answers: readonly Hex[], spell: (address: string) => string): VaultState {
  const value = (functionName: (typeof VIEWS)[number]) =>
    abiCoder().decodeFunctionResult({
      abi: VAULT_ABI,
      functionName,
      data: answers[VIEWS.indexOf(functionName)] ?? '0x',
    })
  const address = (functionName: (typeof VIEWS)[number]) => spell(String(value(functionName)))
  const readyAt = (of: 'collectorReadyAt' | 'ownerReadyAt') => {
    const seconds = Number(value(of))
    return seconds === 0 ? null : new Date(seconds * 1000)
  }
  const [collectorAt, ownerAt] = [readyAt('collectorReadyAt'), readyAt('ownerReadyAt')]
  return {
    owner: address('owner'),
    collector: address('collector'),
    proposed: collectorAt && { collector: address('pendingCollector'), readyAt: collectorAt },
    proposedOwner: ownerAt && { owner: address('pendingOwner'), readyAt: ownerAt },
    isFrozen: value('frozen') === true,
  }
}
