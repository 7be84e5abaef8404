/** What a movement is, and when it is final (money.md W-12, W-13, C-1). */
import type { MovementKind } from '@kassa/contract/movements/machine.ts'
import type { Confirmations } from '@kassa/primitives/chains/blockchain.ts'
import type { Usd } from '@kassa/primitives/money/rate.ts'
import type { IntendedKind, Side } from './movement.ts'

/** The roles of the wallets that sign each kind of transaction: an intent explains only what leaves one of these. */
const SIGNING_ROLES: Readonly<Record<IntendedKind, readonly Side['role'][]>> = {
  payout: ['hot'],
  topup: ['hot'],
  sweep: ['deposit', 'vault'],
}

/** The kind of a transfer: by the intent of its transaction, else by what its addresses are to us; never by the amount (W-13). */
export function kindOf(from: Side | null, to: Side | null, intended: IntendedKind | null): MovementKind {
  if (!from) return 'funded'
  // A sweep that does not end at a cold wallet is none: the collector of its contract was changed meanwhile.
  const isAway = intended === 'sweep' && to?.role !== 'cold'
  if (intended !== null && !isAway && SIGNING_ROLES[intended].includes(from.role)) return intended
  switch (from.role) {
    case 'hot':
      return 'spent-outside'
    case 'deposit':
      return to?.role === 'cold' ? 'foreign-sweep' : 'deposit-drawn'
    case 'cold':
    case 'vault':
    case 'factory':
      return 'drawn'
  }
}

/** When a movement of this value is final: by the chain's own rule, as a deposit of a project without a policy. */
export function depthOf(
  usd: Usd | null,
  { minConfirmations, confirmations }: { readonly minConfirmations: number; readonly confirmations: Confirmations },
): { readonly confirmationsRequired: number; readonly rule: 'depth' | 'finalized' } {
  const { largeFromUsd, large } = confirmations
  const isLarge = usd === null || usd >= largeFromUsd
  const depth = isLarge && large !== 'finalized' ? large : 0
  return {
    confirmationsRequired: Math.max(minConfirmations, depth),
    rule: isLarge && large === 'finalized' ? 'finalized' : 'depth',
  }
}
