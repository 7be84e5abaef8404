import type { ApiKey, NewApiKey } from '@kassa/contract/api-keys/schemas.ts'

import type { ApiKeyRow } from './tables.ts'

/** A key as the wire shows it, never its value. */
export function apiKeyView(row: ApiKeyRow, now: Date): ApiKey {
  return { ...headView(row), ...tailView(row, now) }
}

/** The answer to a creation or a rotation, the only ones with the key's text. */
export function newApiKeyView(row: ApiKeyRow, key: string, now: Date): NewApiKey {
  return { ...headView(row), key, ...tailView(row, now) }
}

function headView(row: ApiKeyRow) {
  return {
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    name: row.name,
    description: row.description,
    status: row.status === 'active' ? 'active' : 'inactive',
    keyPrefix: row.key_prefix,
    last4: row.last4,
  } as const
}

/**
 * Every key shows the role that older clients expect, but its scopes decide. Webhooks are signed with states made from the
 * newest key when it was created (api.md 6.3); that does not count as a use of the key.
 */
function tailView(row: ApiKeyRow, now: Date) {
  return {
    externalPlatformID: row.project_id,
    roleID: 3,
    role: { name: 'platform_admin' },
    memberID: row.created_by,
    scopes: row.scopes,
    allowedIPs: row.allowed_ips,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastUsedIP: row.last_used_ip,
    previousKeyUntil: row.previous_until !== null && row.previous_until > now ? row.previous_until : null,
    usedByWebhook: false,
  } as const
}
