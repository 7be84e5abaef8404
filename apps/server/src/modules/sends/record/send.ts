import type { UnsignedTx } from '@kassa/chains/adapter.ts'
import type { SendFailure } from '@kassa/contract/sends/reasons.ts'
import type { SendPurpose, SendState } from '@kassa/contract/sends/machine.ts'

/** The business row that a send is for; it is in one send only. */
export type SendItem =
  | { readonly withdrawalId: bigint }
  | { readonly sweepId: bigint }
  | { readonly permissionId: bigint }

/** A transaction of a wallet: one send, whichever of its attempts is mined. */
export type Send = {
  readonly id: bigint
  readonly walletId: number
  readonly blockchainId: number
  readonly purpose: SendPurpose
  /** Whose network fee it is; null for the install. */
  readonly projectId: number | null
  readonly from: string
  readonly sequence: bigint | null
  /** What leaves the wallet beside the fee, and where to; null where only the fee does. */
  readonly assetId: number | null
  readonly units: bigint
  readonly to: string | null
  readonly feeAssetId: number
  /** The most that the fee may be, reserved until the chain has decided. */
  readonly feeCeiling: bigint
  readonly ceilings: number
  readonly state: SendState
  readonly decisions: number
  readonly decidedAttempt: number | null
  readonly feeUnits: bigint | null
  readonly failure: SendFailure | null
  readonly plannedHeight: number
  readonly stuckAt: Date | null
  readonly createdAt: Date
  readonly sentAt: Date | null
  readonly decidedAt: Date | null
}

/** One signed transaction of a send. */
export type Attempt = {
  readonly sendId: bigint
  readonly n: number
  readonly txId: string
  readonly raw: Buffer
  readonly body: UnsignedTx['body']
  readonly maxFee: bigint
  readonly validUntil: Date | null
  readonly createdAt: Date
  readonly firstSentAt: Date | null
  readonly lastSeenAt: Date | null
  /** What a node that rejected it answered; null once a node accepted it. */
  readonly refusal: string | null
  readonly mined: MinedAttempt | null
}

/** The block of our branch that holds an attempt, and the result there. */
export type MinedAttempt = {
  readonly height: number
  readonly blockHash: string
  /** Null when the transaction succeeded. */
  readonly failure: 'reverted' | 'no_transfer' | null
  readonly feeUnits: bigint
}
