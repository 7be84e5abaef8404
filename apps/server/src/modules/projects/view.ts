import type { Project } from '@kassa/contract/projects/schemas.ts'

import type { ProjectRow } from './store.ts'

/** A project as the contract shows it; `siteUrl` makes its logo's address absolute. */
export function projectView(row: ProjectRow, siteUrl: string | null): Project {
  return {
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    name: row.name,
    logoPath: logoAddress(row, siteUrl),
    brandColor: row.brand_color,
    website: row.website,
    successEndpoint: row.success_endpoint,
    cancelEndpoint: row.cancel_endpoint,
    frontendEndpoint: row.frontend_endpoint,
    webhookEndpoint: row.webhook_endpoint,
    twitterURL: row.twitter_url,
    discordURL: row.discord_url,
    linkedInURL: row.linkedin_url,
    telegramURL: row.telegram_url,
    supportEmail: row.support_email,
    emailSendRequestFrom: row.email_send_request_from,
    emailSendRequestReplyTo: row.email_send_request_reply_to,
    checkoutLanguage: row.checkout_language,
    checkoutTheme: row.checkout_theme,
    backText: row.back_text,
    defaultPaymentBlockchainID: row.default_blockchain_id,
    defaultPaymentBlockchainCurrencyID: row.default_asset_id,
    externalPlatformBlockchainCurrencies: null,
    status: row.status,
  }
}

/** The absolute address of the logo, `""` when there is none. */
export function logoAddress(row: ProjectRow, siteUrl: string | null): string {
  return row.logo_path === '' ? '' : `${siteUrl ?? ''}${row.logo_path}`
}
