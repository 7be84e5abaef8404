import type { BigSerialId, Json } from '../../db/columns.ts'

export type ReconciliationTables = {
  ledger_checks: {
    id: BigSerialId
    ok: boolean
    report: Json<object>
    at: Date
    through_entry: bigint
    full_at: Date | null
  }
}
