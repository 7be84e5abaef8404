import type { Generated, Selectable } from 'kysely'

import type { CreatedAt, SerialId } from '../../db/columns.ts'

type SecretTable = {
  id: SerialId
  kind: string
  label: string
  vault_id: number
  /** The key of the vault that wraps the data key. */
  key_version: number
  /** nonce · data key sealed by the key of the vault · tag */
  wrapped_key: Buffer
  /** nonce · value sealed by the data key · tag */
  sealed: Buffer
  /** How often it was sealed; the seal is bound to it. */
  version: Generated<number>
  created_at: CreatedAt
  rotated_at: Date | null
  unreadable_since: Date | null
}

export type SecretRow = Selectable<SecretTable>

/** What a list of secrets shows: the sealed value is not read. */
export type SecretFacts = Omit<SecretRow, 'wrapped_key' | 'sealed'> & {
  /** The hot wallet whose key it is. */
  readonly wallet_id: number | null
}

/** Columns of `wallets`: read here, never written. */
export type VaultReads = { hot_keys: { wallet_id: number; secret_id: number } }

export type VaultTables = { secrets: SecretTable }
