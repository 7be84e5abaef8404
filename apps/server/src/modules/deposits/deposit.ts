import type { Transfer } from '@kassa/chains/adapter.ts'
import type { DepositState } from '@kassa/contract/deposits/machine.ts'
import type { DepositReason, QuarantineReason } from '@kassa/contract/deposits/reasons.ts'
import type { DepositWait } from '@kassa/contract/deposits/waits.ts'
import type { Usd } from '@kassa/primitives/money/rate.ts'

/** When a deposit counts as final: at a depth, or when the chain itself calls its block final (spec C-2). */
export type FinalityRule = 'depth' | 'finalized'

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
  /** Why it has its disposition, when that needs an explanation. */
  readonly reason: DepositReason | null
  /** 1, then one more each time the chain returns to its block or an operator moves it: the `:<n>` of its entries. */
  readonly revision: number
  readonly late: boolean
  readonly quorumRequired: boolean
  /** Sources that confirm it: 0 not checked yet, 1 only one source exists, 2 a second one agreed. */
  readonly quorum: number
  readonly quarantineReason: QuarantineReason | null
  /** Why it is not final although it is deep enough. */
  readonly waits: DepositWait | null
  readonly paymentId: bigint | null
  /** What it counts for, in units of the asset its payment asks for; null while it counts for nothing. */
  readonly countedUnits: bigint | null
  /** What it counts for in micro-dollars while it is applied; those of a payment add up to its filled amount. */
  readonly countedUsd: Usd | null
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
  /** The payment it is allocated to. */
  readonly paymentId: bigint | null
  /** What it counts for there. */
  readonly countedUnits: bigint | null
  /** The same in micro-dollars, were it the payment's only deposit. */
  readonly countedUsd: Usd | null
  readonly reason: DepositReason | null
  readonly late: boolean
  /** Final only after a cross-check that agrees; false when absent. */
  readonly quorumRequired?: boolean
  readonly quarantineReason?: QuarantineReason | null
}

/** The disposition of a final deposit. */
export type Disposition = {
  readonly status: 'applied' | 'unapplied' | 'ignored' | 'quarantined'
  readonly paymentId: bigint | null
  readonly reason: DepositReason | null
  readonly late: boolean
}

/** What an applied deposit counts for: in units of the asset its payment asks for, and in micro-dollars. */
export type Counted = { readonly id: bigint; readonly units: bigint; readonly usd: Usd }
