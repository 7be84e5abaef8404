import type { CreatedAt, SerialId, Units, UpdatedAt } from '../../db/columns.ts'

export type BlockchainTables = {
  blockchains: {
    id: number
    code: string
    status: 'active' | 'inactive'
    reason: string | null
    min_confirmations: number
    created_at: CreatedAt
    updated_at: UpdatedAt
  }
  rpc_nodes: {
    id: SerialId
    blockchain_id: number
    url: string
    node_type: string
    is_preferred: boolean
    is_active: boolean
    priority: number
    chain_identifier: string | null
    client: string
    created_at: CreatedAt
    updated_at: UpdatedAt
  }
  assets: {
    id: number
    blockchain_id: number
    currency_id: number
    currency_code: string
    address: string
    standard: string
    decimals: number
    is_stable: boolean
    min_deposit_units: Units
    visible: boolean
    deposit_enabled: boolean
    withdrawal_enabled: boolean
    created_at: CreatedAt
    updated_at: UpdatedAt
  }
  project_assets: { project_id: number; asset_id: number; created_at: CreatedAt }
}
