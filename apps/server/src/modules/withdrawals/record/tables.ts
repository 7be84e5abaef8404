import type { APPROVAL_METHODS } from '@kassa/contract/withdrawals/schemas.ts'
import type { RefundKind, WithdrawalState, WithdrawalType } from '@kassa/contract/withdrawals/machine.ts'
import type { PayoutWait } from '@kassa/contract/withdrawals/waits.ts'
import type { ColumnType, Selectable, Updateable } from 'kysely'

import type { BigSerialId, CreatedAt, Decimal, Json, Units, UnitsOrNull, UpdatedAt } from '../../../db/columns.ts'

type Fixed<T> = ColumnType<T, T, never>
type Later<T> = ColumnType<T | null, never, T | null>

/** The rule that decided about a payout, and the window sums including it. */
export type DecisionFacts = {
  readonly rule: string
  readonly params: Readonly<Record<string, unknown>>
  readonly hourUsed: string
  readonly dayUsed: string
  readonly hourLimit: string
  readonly dayLimit: string
  /** The list that it was requested with: the policy decided about its sum. */
  readonly list?: DecidedList
}

/** A list as its payouts remember it. */
export type DecidedList = {
  readonly payouts: number
  readonly amountInUSD: string
  /** The number of its first payout, which all of its payouts name; absent in what an older version stored. */
  readonly first?: string
}

export type WithdrawalTables = {
  withdrawals: {
    id: ColumnType<bigint, bigint, never>
    project_id: Fixed<number>
    type: Fixed<WithdrawalType>
    status: WithdrawalState
    blockchain_id: Fixed<number>
    asset_id: Fixed<number>
    contract: Fixed<string>
    units: Units
    to_address: Fixed<string>
    policy_version: number
    digest: Buffer
    price_usd: Decimal
    amount_usd: Decimal
    decision: Json<DecisionFacts>
    approvals_needed: number
    four_eyes: boolean
    decided_at: Date
    recipient_id: Fixed<number | null>
    recipient_name: Fixed<string | null>
    recipient_email: Fixed<string | null>
    mobile_number: Fixed<string | null>
    residential_address: Fixed<string | null>
    customer_id: Fixed<number | null>
    client_reference: Fixed<string | null>
    note: Fixed<string>
    refund_payment_id: Fixed<bigint | null>
    refund_kind: Fixed<RefundKind | null>
    /** For a payout of rewards: whose rewards, in which unit of account, and how much. */
    referrer_id: Fixed<number | null>
    reward_unit_id: Fixed<number | null>
    reward_units: Fixed<string | null>
    /** What was ready when it was requested. */
    reward_ready: Fixed<string | null>
    created_by: Fixed<'system' | 'user' | 'merchant_api'>
    /** Who requested it, or was shown the value of the key that did: with four eyes, not one of those who approve. */
    created_by_operator: Fixed<number | null>
    created_by_key: Fixed<number | null>
    approved_by: Later<number>
    rejected_by: Later<number>
    end_note: ColumnType<string, never, string>
    wait_code: ColumnType<PayoutWait | null, PayoutWait | null | undefined, PayoutWait | null>
    wait_params: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
    holds: ColumnType<number, never, number>
    settlements: ColumnType<number, never, number>
    send_id: Later<bigint>
    wallet_id: Later<number>
    from_address: Later<string>
    tx_id: Later<string>
    fee_units: UnitsOrNull
    block_number: Later<bigint>
    block_hash: Later<string>
    failure_reason: Later<string>
    retry_count: ColumnType<number, never, number>
    last_retry_at: Later<Date>
    sequence: ColumnType<number, never, number>
    created_at: CreatedAt
    updated_at: UpdatedAt
    sent_at: Later<Date>
    ended_at: Later<Date>
  }
  withdrawal_approvals: {
    id: BigSerialId
    withdrawal_id: bigint
    operator_id: number
    digest: Buffer
    method: (typeof APPROVAL_METHODS)[number]
    signature: Buffer | null
    note: string
    at: Date
    /** The list it was given with. */
    list_id: ColumnType<bigint | null, bigint | null | undefined, never>
  }
  withdrawal_approval_lists: {
    id: BigSerialId
    operator_id: number
    digest: Buffer
    /** The digests of the payouts, in order. */
    items: Buffer[]
    at: Date
  }
  refund_parts: {
    withdrawal_id: bigint
    deposit_id: bigint
    units: Units
    claim: RefundClaim
  }
}

/** Whose money a refund takes. */
export type RefundClaim = 'project:balance' | 'customer:unapplied'

/** Whose money it is now: a chain may have taken the deposit back. */
export type RefundClaimNow = RefundClaim | 'losses:reorg'

export type WithdrawalRow = Selectable<WithdrawalTables['withdrawals']>
export type WithdrawalChanges = Updateable<WithdrawalTables['withdrawals']>
export type ApprovalList = Pick<Selectable<WithdrawalTables['withdrawal_approval_lists']>, 'digest' | 'items'>
/** An approval, and the list it was given with. */
export type ApprovalRow = Selectable<WithdrawalTables['withdrawal_approvals']> & { readonly list: ApprovalList | null }
export type RefundPartRow = Selectable<WithdrawalTables['refund_parts']>
