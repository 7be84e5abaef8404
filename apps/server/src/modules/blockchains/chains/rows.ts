import type { INACTIVE_REASONS } from '@kassa/contract/blockchains/inactive-reasons.ts'
import type { NoticeCause, StopCause } from '@kassa/contract/blockchains/reading-reasons.ts'
import type { Cause } from '@kassa/contract/kit/reason.ts'
import type { Blockchain } from '@kassa/primitives/chains/blockchain.ts'

/** Why a blockchain is inactive. */
export type InactiveCause = Cause<typeof INACTIVE_REASONS>

/** An operator switched it off; only an operator can switch it on again. */
export const SWITCHED_OFF: InactiveCause = { code: 'switched_off', params: {} }

/** A blockchain as this installation runs it. */
export type BlockchainRow = {
  readonly id: number
  readonly code: string
  readonly status: 'active' | 'inactive'
  /** Why it is inactive; null where it is active. */
  readonly inactive: InactiveCause | null
  /** Why it is not read, or waits; null while it is read. */
  readonly stopped: StopCause | null
  /** What operators should know although reading continues. */
  readonly notice: NoticeCause | null
  /** The name that operators chose. */
  readonly name: string
  /** Templates of the explorer that operators chose; null for the network's usual one. */
  readonly explorerAddress: string | null
  readonly explorerTransaction: string | null
  readonly minConfirmations: number
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Its unchanging facts. */
  readonly definition: Blockchain
  /** The newest block that was read, and the newest one its node has; null before the first. */
  readonly cursor: {
    readonly height: number
    readonly headHeight: number
    readonly blockTime: Date
    readonly state: 'running' | 'behind' | 'halted'
  } | null
}

/** Amounts that operators set for an asset: the column of each, and the unit it is in. */
export const ASSET_LIMITS = {
  depositFee: { column: 'deposit_fee_units', of: 'asset' },
  minCollectionAmount: { column: 'min_collection_units', of: 'asset' },
  withdrawFee: { column: 'withdraw_fee_units', of: 'asset' },
  minWithdrawAmount: { column: 'min_withdraw_units', of: 'asset' },
  withdrawLimit24Hr: { column: 'withdraw_limit_24h_units', of: 'asset' },
  withdrawLimit72Hr: { column: 'withdraw_limit_72h_units', of: 'asset' },
  approvalFeeAmount: { column: 'approval_fee_native_units', of: 'coin' },
  minBalanceForFeesTransfer: { column: 'min_fees_balance_native_units', of: 'coin' },
  minBalanceForSweep: { column: 'min_sweep_balance_units', of: 'asset' },
  minAmountInSweepTx: { column: 'min_sweep_amount_units', of: 'asset' },
} as const

export type AssetLimit = keyof typeof ASSET_LIMITS
export type AssetLimits = Readonly<Record<AssetLimit, bigint | null>>

/** How an asset is swept while operators have not set anything (api.md 4.1; specification, section 9). */
export const USUAL_SWEEP = { lockMinutes: 30, batchSize: 3, approvalBatchSize: 50, maxWaitMinutes: 30 } as const

/** One currency on one blockchain. */
export type Asset = {
  readonly id: number
  readonly blockchainId: number
  readonly blockchainCode: string
  readonly currencyId: number
  readonly currencyCode: string
  readonly address: string
  readonly standard: string
  readonly decimals: number
  readonly isStable: boolean
  /** How deep a deposit on its blockchain must be at least. */
  readonly minConfirmations: number
  readonly minDepositUnits: bigint
  readonly visible: boolean
  readonly depositEnabled: boolean
  readonly withdrawalEnabled: boolean
  /** Why Kassa switched it off, or null. */
  readonly disabledBecause: string | null
  readonly limits: AssetLimits
  /** Null: the usual value. */
  readonly sweepLockMinutes: number | null
  readonly sweepBatchSize: number | null
  readonly sweepApprovalBatchSize: number | null
  readonly sweepMaxWaitMinutes: number | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The name of an asset in alarms and options, such as `BASE:USDC`. */
export function assetName({ blockchainCode, currencyCode }: Pick<Asset, 'blockchainCode' | 'currencyCode'>): string {
  return `${blockchainCode}:${currencyCode}`
}
