import type { ColumnType } from 'kysely'

import type { BigSerialId, Units } from '../../db/columns.ts'

export type UnlistedTransferTables = {
  unlisted_transfers: {
    id: BigSerialId
    blockchain_id: number
    tx_id: string
    leg: string
    contract: string
    address_id: bigint
    customer_id: number
    project_id: number
    units: Units
    symbol: ColumnType<string | null, never, string | null>
    decimals: ColumnType<number | null, never, number | null>
    asked_at: ColumnType<Date | null, never, Date>
    height: ColumnType<bigint, number, number>
    mined_at: Date
    seen_at: Date
  }
}

/** Columns of other modules that are shown beside a notice. */
export type UnlistedTransferReads = {
  addresses: { id: bigint; address: string }
  blockchains: { id: number; code: string }
}
