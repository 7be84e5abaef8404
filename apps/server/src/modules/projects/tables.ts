import type { CheckoutTheme } from '@kassa/contract/projects/checkout-options.ts'
import type { PaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'
import type { ColumnType } from 'kysely'

import type { CreatedAt, SerialId, UpdatedAt } from '../../db/columns.ts'

export type ProjectTables = {
  projects: {
    id: SerialId
    name: string
    logo_path: string
    brand_color: string
    website: string
    success_endpoint: string
    cancel_endpoint: string
    frontend_endpoint: string
    webhook_endpoint: string
    twitter_url: string
    discord_url: string
    linkedin_url: string
    telegram_url: string
    support_email: string
    email_send_request_from: string
    email_send_request_reply_to: string
    checkout_language: string
    checkout_theme: CheckoutTheme
    back_text: string
    default_blockchain_id: number | null
    default_asset_id: number | null
    /** What differs from the default. */
    payment_policy: ColumnType<Partial<PaymentPolicy>, never, string>
    status: 'active' | 'archived'
    created_at: CreatedAt
    updated_at: UpdatedAt
  }
  uploads: {
    name: string
    project_id: number
    content_type: string
    bytes: Buffer
    created_at: CreatedAt
  }
  project_assets: { project_id: number; asset_id: number; created_at: CreatedAt }
}
