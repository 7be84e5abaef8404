import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { FAMILIES } from '@kassa/primitives/chains/families.ts'

import type { FunctionRow } from './store.ts'

const WORDS = {
  gas: { kind: 'gas', displayName: 'Gas', description: 'Pays network fees of sweeps' },
  payout: { kind: 'hot', displayName: 'Payouts', description: 'Sends payouts' },
} as const

/** The purposes of a hot wallet by the names that existing clients use (V9): `eth_gas_wallet`, `eth_hot_wallet`. */
export function functionView(
  { id, wallet_id, purpose }: FunctionRow,
  familyId: number,
): Wallet['walletFunctions'][number] {
  const { kind, displayName, description } = WORDS[purpose]
  const family = FAMILIES.find((one) => one.id === familyId)?.family.split('_')[0] ?? ''
  return { id, activityType: `${family.toLowerCase()}_${kind}_wallet`, displayName, description, walletID: wallet_id }
}
