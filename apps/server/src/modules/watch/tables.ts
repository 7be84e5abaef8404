import type { ColumnType } from 'kysely'

/** Heights are numbers in the code: block heights stay far below 2^53. */
type Height = ColumnType<bigint, number, number>

export type WatchTables = {
  chain_cursors: {
    blockchain_id: number
    height: Height
    hash: string
    parent_hash: string
    block_time: Date
    head_height: Height
    finalized_height: Height
    finalized_hash: string | null
    epoch: bigint
    holder: string | null
    state: 'running' | 'behind' | 'halted'
    reason: string | null
    address_high: ColumnType<bigint, bigint | undefined, bigint>
    updated_at: Date
  }
  chain_blocks: {
    blockchain_id: number
    height: Height
    hash: string
    parent_hash: string
    mined_at: Date
    node_id: number | null
    transfers: number
  }
  quarantined_blocks: {
    blockchain_id: number
    height: Height
    hash: string
    node_id: number | null
    error: string
    tries: ColumnType<number, number | undefined, number>
    state: ColumnType<'open' | 'solved', 'open' | undefined, 'open' | 'solved'>
    first_at: Date
    solved_at: Date | null
  }
}
