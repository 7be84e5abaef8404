import type { Scope } from '@kassa/contract/permissions.ts'
import type { Generated, Selectable } from 'kysely'

import type { CreatedAt, SerialId, UpdatedAt } from '../../db/columns.ts'

export type ApiKeyTable = {
  id: SerialId
  project_id: number
  created_by: number
  name: string
  description: Generated<string>
  key_hash: Buffer
  /** Who was shown its value; null for its creator. */
  shown_to: Generated<number | null>
  key_prefix: string
  last4: string
  scopes: Scope[]
  allowed_ips: string[]
  /** `revoked` is final; revoked keys stay stored for the record and are never listed. */
  status: Generated<'active' | 'inactive' | 'revoked'>
  expires_at: Date | null
  last_used_at: Date | null
  last_used_ip: string | null
  /** Sealed states that sign webhooks in this key's name; null for keys made before there were any. */
  hmac_ref: number | null
  /** The value that a rotation replaced last; it works until then. */
  previous_hash: Generated<Buffer | null>
  previous_until: Generated<Date | null>
  /** Who was shown that value; null for its creator. */
  previous_shown_to: Generated<number | null>
  created_at: CreatedAt
  updated_at: UpdatedAt
}

export type ApiKeyRow = Selectable<ApiKeyTable>

export type ApiKeyTables = { api_keys: ApiKeyTable }
