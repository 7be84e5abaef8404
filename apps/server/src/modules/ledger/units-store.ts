import type { Context } from '../../context.ts'
import type { Unit } from './rules.ts'
import type { LedgerTables } from './tables.ts'

export type Units = ReadonlyMap<number, Unit>

/** Lists the units of account, by id. The database opens one with each asset (migration 0028). */
export async function listUnits(ctx: Context): Promise<Units> {
  const rows = await ctx.db.$extendTables<LedgerTables>().selectFrom('units').selectAll().execute()
  return new Map(
    rows.map(({ id, asset_id, blockchain_code, currency_code, decimals }) => [
      id,
      { id, assetId: asset_id, blockchainCode: blockchain_code, currencyCode: currency_code, decimals },
    ]),
  )
}

/** The unit of this id. @throws Error when there is none: the database refuses amounts in such a unit */
export function unitIn(units: Units, id: number): Unit {
  const unit = units.get(id)
  if (!unit) throw new Error(`There is no unit of account ${id}`)
  return unit
}
