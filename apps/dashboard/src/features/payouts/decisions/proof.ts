import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'

/** Returns the proof of who approved a payout, and of what they approved, as JSON. */
export function proofOf(payout: Withdrawal): string {
  const { id, currencyCode, blockchainCode, amount, toAddress, fromAddress, txHash, blockNumber, digest } = payout
  const facts = { id, currencyCode, blockchainCode, amount, toAddress, fromAddress, txHash, blockNumber, digest }
  return JSON.stringify({ ...facts, approvals: payout.approvals.given }, null, 2)
}
