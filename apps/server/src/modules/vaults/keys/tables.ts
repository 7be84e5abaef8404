import type { Generated, Selectable } from 'kysely'
import type { VaultProvider } from '@kassa/contract/vaults/schemas.ts'

import type { CreatedAt, SerialId, UpdatedAt } from '../../../db/columns.ts'

type VaultTable = {
  id: SerialId
  name: string
  provider: VaultProvider
  is_default: Generated<boolean>
  key_version: Generated<number>
  salt: Buffer | null
  memory_kib: number | null
  passes: number | null
  lanes: number | null
  /** nonce · root key sealed by what the passphrase derives · tag */
  wrapped_root: Buffer | null
  lock_count: Generated<number>
  last_used_at: Date | null
  created_at: CreatedAt
  updated_at: UpdatedAt
}

type VaultKeyTable = { vault_id: number; version: number; wrapped: Buffer | null; created_at: CreatedAt }

type VaultProcessTable = {
  id: string
  public_key: Buffer
  proof: Buffer
  open_vaults: Generated<number[]>
  lease_until: Date
}

type VaultGrantTable = { process_id: string; vault_id: number; lock_count: number; sealed: Buffer }

type VaultAttemptTable = {
  vault_id: number
  operator_id: number
  failures: number
  wait_until: Date
  updated_at: Date
}

export type VaultRow = Selectable<VaultTable>
export type VaultProcessRow = Selectable<VaultProcessTable>
export type VaultGrantRow = Selectable<VaultGrantTable>
export type VaultAttemptRow = Selectable<VaultAttemptTable>

export type VaultKeyTables = {
  vaults: VaultTable
  vault_keys: VaultKeyTable
  vault_processes: VaultProcessTable
  vault_grants: VaultGrantTable
  vault_attempts: VaultAttemptTable
}
