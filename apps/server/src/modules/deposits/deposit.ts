import type { Transfer } from '@kassa/chains/adapter.ts'
import type { DepositState } from '@kassa/contract/deposits/machine.ts'

/** When a deposit counts as final: at a depth, or when the chain itself calls its block final (C-2). */
export type FinalityRule = 'depth' | 'finalized'

/** Why a transfer may not be what it looks like: its final money is quarantined (money.md 2.4 W-5, 2.8). */
export type QuarantineReason = 'NODE_DISAGREEMENT' | 'AMOUNT_MISMATCH' | 'ASSET_CHANGED'

/** One incoming transfer to an address of ours. */
export type Deposit = {
  readonly id: bigint
  readonly blockchainId: number
  readonly assetId: number
  readonly addressId: bigint
  readonly txId: string
  readonly leg: string
  readonly kind: string
  readonly evidence: string
  readonly from: string | null
  readonly to: string
  readonly units: bigint
  /** Dollars with two decimals at the price when it was first seen, or null when there was no price. */
  readonly usdAtSeen: string | null
  readonly height: number
  readonly blockHash: string
  readonly blockTime: Date
  readonly confirmationsRequired: number
  readonly rule: FinalityRule
  readonly status: DepositState
  /** Why it is where it is, when that needs saying. */
  readonly reason: string | null
  /** 1, then one more each time the chain comes back to its block or a person moves it: the `:<n>` of its entries. */
  readonly round: number
  readonly late: boolean
  readonly quorumRequired: boolean
  /** Sources that stand for it: 0 not asked yet, 1 there is only one, 2 a second one agreed. */
  readonly quorum: number
  readonly doubt: QuarantineReason | null
  /** Why it is not final although it is deep enough; a sentence for people. */
  readonly waitsBecause: string | null
  readonly paymentId: bigint | null
  /** What it counts for, in units of the asset its payment asks for; null while it counts for nothing. */
  readonly countedUnits: bigint | null
  readonly customerId: number
  readonly projectId: number
  readonly seenAt: Date
  readonly finalAt: Date | null
  readonly revertedAt: Date | null
}

/** A transfer to an address of ours with what was decided when it was seen. */
export type NewDeposit = {
  readonly blockchainId: number
  readonly transfer: Transfer
  /** An address that belongs to a customer. */
  readonly address: { readonly id: bigint; readonly customerId: number | null; readonly projectId: number | null }
  readonly usdAtSeen: string | null
  readonly confirmationsRequired: number
  readonly rule: FinalityRule
  /** The payment it is taken to be for. */
  readonly paymentId: bigint | null
  /** What it counts for there. */
  readonly countedUnits: bigint | null
  readonly reason: string | null
  readonly late: boolean
  /** Final only when a second source agrees; false when absent. */
  readonly quorumRequired?: boolean
  readonly doubt?: QuarantineReason | null
}

/** What final money turned out to mean. */
export type Disposition = {
  readonly status: 'applied' | 'unapplied' | 'ignored' | 'quarantined'
  readonly paymentId: bigint | null
  readonly reason: string | null
  readonly late: boolean
}
