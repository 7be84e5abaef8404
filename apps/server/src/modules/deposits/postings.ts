import type { PostedDeposit } from '../ledger/service.ts'
import type { Deposit } from './deposit.ts'

/** What the journal needs to know of a deposit. */
export function posted(deposit: Deposit): PostedDeposit {
  const { id, round, blockchainId, assetId, addressId, projectId, units, height } = deposit
  return { id, round, blockchainId, assetId, addressId, projectId, units, height }
}
