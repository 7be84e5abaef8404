import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'

/** Returns what proves who let a payout go, and what: as JSON, for those who must show it. */
export function proofOf(payout: Withdrawal): string {
  const { id, currencyCode, blockchainCode, amount, toAddress, fromAddress, txHash, blockNumber, digest } = payout
  const facts = { id, currencyCode, blockchainCode, amount, toAddress, fromAddress, txHash, blockNumber, digest }
  return JSON.stringify({ ...facts, approvals: payout.approvals.given }, null, 2)
}
