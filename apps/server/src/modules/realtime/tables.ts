import type { CreatedAt, SerialId } from '../../db/columns.ts'

export type RealtimeTables = {
  websocket_tokens: {
    id: SerialId
    token_hash: Buffer
    session_id: number
    client_id: string
    origin: string | null
    used_at: Date | null
    expires_at: Date
    created_at: CreatedAt
  }
}
