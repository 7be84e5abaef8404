/** Whether a transaction reported for a sweep is the one that was handed out (money.md 6.9). Pure. */
import type { SentCall, SweepCall, VaultCall } from '@kassa/chains/sweep-vaults.ts'

/** The call of a transaction, as the adapter of its family reads it, with addresses in the family's spelling. */
type Claimed = Pick<SentCall, 'to' | 'value'> & { readonly call: VaultCall | null }

/**
 * Whether a transaction makes the call that was handed out: it calls the same contract, moves the same token, and moves no
 * address outside of the sweep, each with its whole amount. It may leave addresses out.
 */
export function isHandedOut(claimed: Claimed, expected: { readonly vault: string; readonly call: SweepCall }): boolean {
  const { call } = claimed
  if (claimed.to !== expected.vault || claimed.value !== 0n || call === null || !('items' in call)) return false
  if (call.kind !== expected.call.kind || tokenOf(call) !== tokenOf(expected.call)) return false
  const wanted = new Map(expected.call.items.map(({ id, units }) => [id, units]))
  const ids = new Set(call.items.map(({ id }) => id))
  if (ids.size !== call.items.length || ids.size === 0) return false
  return call.items.every(({ id, units }) => wanted.get(id) === units)
}

function tokenOf(call: SweepCall): string | null {
  return 'token' in call ? call.token : null
}
