import type { CreatedAt, SerialId } from '../../../db/columns.ts'

export type LinkTables = {
  project_wallets: {
    id: SerialId
    project_id: number
    family_id: number
    wallet_id: number
    created_at: CreatedAt
  }
  /** Wallets that take the place of a project's own later, unless the change is withdrawn. */
  pending_wallet_links: {
    project_id: number
    family_id: number
    wallet_id: number
    requested_by: number | null
    requested_at: Date
    effective_at: Date
  }
  /** The wallet that a project had last where it has none. */
  unlinked_wallets: { project_id: number; family_id: number; wallet_id: number; unlinked_at: Date }
}
