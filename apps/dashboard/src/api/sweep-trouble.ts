import type { BalanceRow } from '@kassa/contract/sweeps/schemas.ts'

import { readFunds } from './sweeps.ts'

/** Reasons that last until a person acts. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  'LOW_NATIVE_BALANCE',
  'HOT_WALLET_MISSING',
  'FUND_SWEEPER_NOT_DEPLOYED',
  'DEPOSIT_NOT_DEPLOYED_LOW_GAS',
  'DEPOSIT_NOT_DEPLOYED_FUND_SWEEPER_MISSING',
  'COLLECTOR_CHANGE_PENDING',
  'COLD_WALLET_MISSING',
  'NEEDS_PERMISSION',
  'PERMISSION_STALE',
  'QUARANTINED',
  'VAULT_LOCKED',
  'WALLET_LOCKED',
])

/** Whether a row of funds does not move until a person acts. */
function needsHand({ action, waits, manual }: Pick<BalanceRow, 'action' | 'waits' | 'manual'>): boolean {
  if (action === 'no_balance' || action === 'sweep_in_progress') return false
  if (manual && (action === 'pending_approval' || action === 'deploy_deposit_wallet')) return true
  return waits !== null && FOR_PEOPLE.has(waits.code)
}

/** Reads what `sweepTroubleQuery` of the lazy lists holds. @throws RequestError */
export async function readSweepTrouble(projectId: string, signal: AbortSignal) {
  const funds = await readFunds(projectId, signal)
  return { rows: funds.filter(needsHand).length }
}
