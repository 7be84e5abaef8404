import { type Selectable, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { OwnAddress, NewOwnAddress } from './own-address.ts'
import type { OwnAddressTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<OwnAddressTables>()

/** Key of the lock that lets one transaction at a time add own addresses of a family: the letters "KO". */
const OWN_ADDRESS_LOCK = 0x4b4f

/** Works like `lockDerivation`: ids of a family commit in order, so that no watcher misses one (money.md W-10). */
export async function lockOwnAddresses(ctx: Context, familyId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${OWN_ADDRESS_LOCK}::int, ${familyId}::int)`.execute(ctx.db)
}

/** Adds an address; false when the blockchain has it already. */
export async function insertOwnAddress(
  ctx: Context,
  own: NewOwnAddress & { readonly familyId: number; readonly key: Buffer },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tables(ctx)
    .insertInto('own_addresses')
    .values({
      blockchain_id: own.blockchainId,
      address: own.address,
      family_id: own.familyId,
      key: own.key,
      role: own.role,
      wallet_id: own.walletId,
      created_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.columns(['blockchain_id', 'address']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** The own addresses of a blockchain among these keys. */
export async function listOwnByKeys(
  ctx: Context,
  blockchainId: number,
  keys: readonly Buffer[],
): Promise<OwnAddress[]> {
  if (keys.length === 0) return []
  const rows = await tables(ctx)
    .selectFrom('own_addresses')
    .selectAll()
    .where('blockchain_id', '=', blockchainId)
    .where('key', '=', sql<Buffer>`ANY(${keys}::bytea[])`)
    .execute()
  return rows.map(fromRow)
}

/** The own addresses of a family above an id, ascending by id. */
export async function listOwnAbove(
  ctx: Context,
  familyId: number,
  afterId: bigint,
  limit: number,
): Promise<OwnAddress[]> {
  const rows = await tables(ctx)
    .selectFrom('own_addresses')
    .selectAll()
    .where('family_id', '=', familyId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(fromRow)
}

/** Locks wallets, by id. */
export async function lockWalletRows(ctx: Context, ids: readonly number[]): Promise<void> {
  await sql`SELECT FROM wallets WHERE id = ANY(${ids}::int[]) ORDER BY id FOR NO KEY UPDATE`.execute(ctx.db)
}

function fromRow(row: Selectable<OwnAddressTables['own_addresses']>): OwnAddress {
  return {
    id: row.id,
    blockchainId: row.blockchain_id,
    address: row.address,
    key: row.key,
    role: row.role,
    walletId: row.wallet_id,
  }
}
