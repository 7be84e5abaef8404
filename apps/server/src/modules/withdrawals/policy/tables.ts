import type { PayoutConfig } from '@kassa/contract/payout-policy/schemas.ts'
import type { ColumnType, Selectable } from 'kysely'

type Defaulted<T> = ColumnType<T, T | undefined, T>

export type PolicyTables = {
  payout_policies: {
    project_id: number
    version: Defaulted<number>
    auto_approve_limit_usd: Defaulted<string>
    hourly_limit_usd: Defaulted<string>
    daily_limit_usd: Defaulted<string>
    quorum: Defaulted<number>
    quorum_rules: ColumnType<PayoutConfig['quorumRules'], string | undefined, string>
    four_eyes: Defaulted<PayoutConfig['fourEyes']>
    allow_list: Defaulted<string[]>
    recipient_delay_hours: Defaulted<number>
    paused: Defaulted<boolean>
    paused_at: ColumnType<Date | null, Date | null | undefined, Date | null>
    updated_at: Date
    updated_by: string | null
  }
}
export type PolicyRow = Selectable<PolicyTables['payout_policies']>
