/** A payout that is requested, as read from a call: what is paid, to whom, and for what. */
import type { RefundKind, WithdrawalType } from '@kassa/contract/withdrawals/machine.ts'

import type { Asset } from '../../blockchains/chains/service.ts'
import type { Payee } from '../addresses/service.ts'
import type { RewardClaim } from './convert-reward.ts'

/** Who is paid, as the payout stores it. */
export type Beneficiary = {
  readonly recipientId: number | null
  readonly name: string | null
  readonly email: string
  readonly mobileNumber: string | null
  readonly residentialAddress: string | null
  readonly customerId: number | null
}

export type RefundRequest = {
  readonly reference: string
  readonly kind: RefundKind
  readonly depositId: bigint | null
  /** The payer's claim that it pays. */
  readonly claimId: bigint | null
}

export type PayoutRequest = {
  readonly projectId: number
  readonly type: WithdrawalType
  readonly asset: Asset
  /** Decimal text. */
  readonly amount: string
  readonly payee: Payee
  readonly beneficiary: Beneficiary
  readonly note: string
  readonly clientReference: string | null
  readonly refund: RefundRequest | null
  /** Whose rewards it pays out, and how much of them; the amount is converted from that. */
  readonly reward?: (RewardClaim & { readonly ready: bigint }) | undefined
}
