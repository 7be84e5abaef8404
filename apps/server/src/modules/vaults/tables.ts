import type { Generated, Selectable } from 'kysely'

import type { CreatedAt, SerialId } from '../../db/columns.ts'

export type SecretTable = {
  id: SerialId
  kind: string
  label: string
  /** nonce · data key sealed by the master key · tag */
  wrapped_key: Buffer
  /** nonce · value sealed by the data key · tag */
  sealed: Buffer
  version: Generated<number>
  created_at: CreatedAt
  rotated_at: Date | null
}

export type SecretRow = Selectable<SecretTable>

export type VaultTables = { secrets: SecretTable }
