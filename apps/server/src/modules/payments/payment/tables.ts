import type { CancelReason, FundingState, PaymentState } from '@kassa/contract/payments/machine.ts'
import type { ColumnType } from 'kysely'

import type {
  BigSerialId,
  CreatedAt,
  Decimal,
  Json,
  Units,
  UnitsOrNull,
  UnitsWithDefault,
  UpdatedAt,
} from '../../../db/columns.ts'

type WithDefault<T> = ColumnType<T, T | undefined, T>

export type PaymentTables = {
  payments: {
    id: BigSerialId
    reference_id: string
    project_id: number
    customer_id: number
    invoice_id: string
    amount_usd: Decimal
    status: WithDefault<PaymentState>
    funding_state: WithDefault<FundingState>
    cancel_reason: ColumnType<CancelReason | null, never, CancelReason | null>
    cancel_note: ColumnType<string | null, never, string | null>
    late: WithDefault<boolean>
    superseded_by: ColumnType<bigint | null, never, bigint>
    accepted_units: ColumnType<string | null, never, bigint>
    accepted_at: ColumnType<Date | null, never, Date>
    accepted_by: ColumnType<string | null, never, string>
    accepted_note: ColumnType<string | null, never, string>
    resolved_at: ColumnType<Date | null, never, Date>
    resolved_by: ColumnType<string | null, never, string>
    resolved_note: ColumnType<string | null, never, string>
    created_by: 'user' | 'system'
    created_by_operator: number | null
    created_by_key: number | null
    asset_id: number | null
    quote_id: bigint | null
    due_units: UnitsOrNull
    seen_units: UnitsWithDefault
    filled_units: UnitsWithDefault
    over_units: UnitsWithDefault
    filled_usd: WithDefault<string>
    description: string
    metadata: Json<Record<string, unknown>>
    success_url: string | null
    cancel_url: string | null
    event_count: WithDefault<number>
    rate_locked_until: Date | null
    /** When the customer's reminder was queued. */
    reminded_at: ColumnType<Date | null, never, Date>
    first_seen_at: ColumnType<Date | null, never, Date>
    filled_at: ColumnType<Date | null, never, Date | null>
    expires_at: Date
    created_at: CreatedAt
    updated_at: UpdatedAt
  }
  invoice_claims: { project_id: number; invoice_id: string; payment_id: bigint }
  quotes: {
    id: BigSerialId
    payment_id: bigint
    asset_id: number
    address_id: bigint
    price_usd: Decimal
    due_units: Units
    quoted_at: Date
    locked_until: Date
    evidence: Json<object[]>
    superseded_at: ColumnType<Date | null, never, Date | null>
  }
}

/** Columns of other nouns that are shown beside a payment. */
export type PaymentReads = {
  projects: { id: number; name: string; success_endpoint: string; cancel_endpoint: string; support_email: string }
  customers: { id: number; customer_id: string; email: string }
  assets: {
    id: number
    blockchain_id: number
    currency_code: string
    address: string
    decimals: number
    is_stable: boolean
  }
  blockchains: { id: number; code: string }
  addresses: {
    id: bigint
    address: string
    family_id: number
    derivation_index: number
    path: string
    status: string
    wallet_id: number
    customer_id: number | null
    assigned_at: Date | null
  }
  wallets: { id: number; name: string; wallet_type: string; wallet_sub_type: string; status: string }
  project_wallets: { project_id: number; family_id: number; wallet_id: number }
  chain_cursors: { blockchain_id: number; height: bigint }
  deposits: {
    id: bigint
    payment_id: bigint | null
    blockchain_id: number
    tx_id: string
    from_address: string | null
    status: string
    reason: string | null
    height: bigint
    block_time: Date
  }
  events: {
    id: bigint
    type: string
    reference_id: string | null
    actor: string
    payload: Record<string, unknown>
    created_at: Date
  }
}
