import type { VaultState } from '@kassa/chains/sweep-vaults.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'

import type { VaultFacts } from './store.ts'

/** Why nothing may be swept through a contract now. */
export type VaultProblem = 'COLLECTOR_IS_MASTER' | 'COLLECTOR_NOT_COLD_WALLET' | 'COLLECTOR_NOT_CONFIRMED'

type Ends = {
  readonly mode: NetworkMode
  readonly owner: string
  /** On chain. */
  readonly collector: string
  /** As operators confirmed it. */
  readonly confirmed: string
  /** The collector is a cold wallet, and its delay is over. */
  readonly isUsable: boolean
}

/**
 * Returns what forbids sweeping through a contract, or null. Published scripts make the owner the collector too; on mainnet one
 * stolen key would then control both the contract and the money.
 */
export function vaultProblem({ mode, owner, collector, confirmed, isUsable }: Ends): VaultProblem | null {
  if (mode === 'mainnet' && owner === collector) return 'COLLECTOR_IS_MASTER'
  if (collector !== confirmed) return 'COLLECTOR_NOT_CONFIRMED'
  return isUsable ? null : 'COLLECTOR_NOT_COLD_WALLET'
}

/**
 * Returns what nodes of two operators show together: another collector than operators confirmed, and each proposal that one of
 * them shows. A node that hides one of these, or makes up another, must not end the alarm about it.
 */
export function combineStates(one: VaultState, other: VaultState, confirmed: string): VaultState {
  return {
    ...one,
    collector: one.collector === confirmed ? other.collector : one.collector,
    proposed: one.proposed ?? other.proposed,
    proposedOwner: one.proposedOwner ?? other.proposedOwner,
  }
}

/** The stored part of a contract's state on chain. */
export function factsOf(state: VaultState, ownerKey: Buffer): VaultFacts {
  return {
    owner: state.owner,
    owner_key: ownerKey,
    collector_on_chain: state.collector,
    pending_collector: state.proposed?.collector ?? null,
    collector_ready_at: state.proposed?.readyAt ?? null,
    pending_owner: state.proposedOwner?.owner ?? null,
    owner_ready_at: state.proposedOwner?.readyAt ?? null,
    is_frozen: state.isFrozen,
  }
}

/** Whether the state of a contract on chain differs from the stored one. */
export function isChanged(before: VaultFacts, after: VaultFacts): boolean {
  return (
    before.owner !== after.owner ||
    before.collector_on_chain !== after.collector_on_chain ||
    before.pending_collector !== after.pending_collector ||
    before.collector_ready_at?.getTime() !== after.collector_ready_at?.getTime() ||
    before.pending_owner !== after.pending_owner ||
    before.owner_ready_at?.getTime() !== after.owner_ready_at?.getTime() ||
    before.is_frozen !== after.is_frozen
  )
}
