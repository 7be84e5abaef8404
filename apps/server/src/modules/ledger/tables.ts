import type { BigSerialId, CreatedAt, Units, UnitsWithDefault } from '../../db/columns.ts'
import type { Side } from './rules.ts'

export type LedgerTables = {
  units: {
    id: number
    asset_id: number | null
    blockchain_code: string | null
    currency_code: string
    decimals: number
  }
  accounts: {
    id: BigSerialId
    kind: string
    unit_id: number
    owner_key: string
    side: Side
    guarded: boolean
    debits: UnitsWithDefault
    credits: UnitsWithDefault
  }
  journal_entries: {
    id: BigSerialId
    source_key: string
    posting: string
    project_id: number | null
    blockchain_id: number | null
    height: bigint | null
    reverses: bigint | null
    at: CreatedAt
  }
  postings: {
    entry_id: bigint
    line: number
    unit_id: number
    debit_account: bigint
    credit_account: bigint
    units: Units
  }
  /** Coins on the deposit addresses of a project and a wallet; project 0 for addresses that no customer has. */
  coin_totals: {
    project_id: number
    wallet_id: number
    unit_id: number
    units: Units
  }
  coin_changes: {
    id: BigSerialId
    account_id: bigint
    units: Units
  }
}
