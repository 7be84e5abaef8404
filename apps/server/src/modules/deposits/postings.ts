import type { PostedDeposit } from '../ledger/service.ts'
import type { Deposit } from './deposit.ts'

/** The fields of a deposit that the journal needs. */
export function posted(deposit: Deposit): PostedDeposit {
  const { id, revision, blockchainId, assetId, addressId, projectId, units, height } = deposit
  return { id, revision, blockchainId, assetId, addressId, projectId, units, height }
}
