import type { Generated } from 'kysely'
import type { CreatedAt, Json, SerialId, UpdatedAt } from '../../../db/columns.ts'
import type { StoredHealth } from './node.ts'

export type NodeTables = {
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
    secret_id: number | null
    max_daily_calls: number | null
    /** YYYY-MM-DD */
    calls_day: string | null
    calls_today: Generated<number>
    health: Json<StoredHealth> | null
    forked: string | null
    created_at: CreatedAt
    updated_at: UpdatedAt
  }
}
