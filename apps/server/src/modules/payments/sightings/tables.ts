import type { DepositState } from '@kassa/contract/deposits/machine.ts'
import type { Units } from '../../../db/columns.ts'

export type SightingTables = {
  mempool_sightings: {
    blockchain_id: number
    tx_id: string
    leg: string
    address_id: bigint
    asset_id: number
    payment_id: bigint | null
    units: Units
    first_seen_at: Date
    mined_at: Date | null
    gone_at: Date | null
    replaced_by: string | null
  }
}

/** Columns of deposits that say whether a block holds what was sighted. */
export type SightingReads = {
  deposits: {
    id: bigint
    blockchain_id: number
    tx_id: string
    leg: string
    status: DepositState
    payment_id: bigint | null
  }
}
