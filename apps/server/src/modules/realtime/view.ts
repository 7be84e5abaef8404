import type { WebsocketToken } from '@kassa/contract/realtime/schemas.ts'

import type { TokenRow } from './store.ts'

/** A token as the contract shows it, once. */
export function tokenView(row: TokenRow, token: string, serverUrl: string, memberId: number): WebsocketToken {
  return {
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.created_at,
    token,
    serverUrl,
    expiry: row.expires_at,
    clientId: row.client_id,
    memberId,
    Member: null,
  }
}
