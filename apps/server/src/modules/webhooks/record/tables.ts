import type { ColumnType, Generated } from 'kysely'

import type { BigSerialId, CreatedAt, SerialId, UpdatedAt } from '../../../db/columns.ts'

export type WebhookTables = {
  webhooks: {
    id: SerialId
    project_id: number
    name: string
    description: string
    url: string
    status: 'active' | 'inactive' | 'deleted'
    events: string[] | null
    secret_ref: number
    secret_hint: string
    access_key_ref: number
    access_key_hint: string
    legacy_headers: boolean
    is_default: boolean
    tested: boolean
    failing_since: Date | null
    /** The `failing_since` that the leads were mailed about last. */
    mailed_failing_since: Date | null
    last_delivery_at: Date | null
    last_response_code: number | null
    created_at: CreatedAt
    updated_at: UpdatedAt
  }
  deliveries: {
    id: BigSerialId
    webhook_id: number
    project_id: number
    event_id: string
    event_type: string
    order_key: string | null
    sequence: number | null
    reference_id: string | null
    payout_id: ColumnType<bigint | null, bigint | number | null, never>
    body: string
    status: DeliveryStatus
    attempt_count: number
    attempts_before: Generated<number>
    leased_until: Date | null
    ordered_until: Date | null
    next_retry_at: Date | null
    last_response_code: number | null
    last_error: string | null
    created_at: CreatedAt
    finished_at: Date | null
  }
  webhook_old_secrets: {
    webhook_id: number
    secret_ref: number
    expires_at: Date
  }
  webhook_keys: {
    id: SerialId
    public_key: string
    secret_ref: number
    from_at: Date
    until_at: Date | null
  }
  delivery_attempts: {
    delivery_id: bigint
    n: number
    at: Date
    code: number | null
    ms: number
    error: string | null
    response_excerpt: string | null
  }
}

export type DeliveryStatus = 'pending' | 'received' | 'failed' | 'discarded' | 'waiting_for_approval'
