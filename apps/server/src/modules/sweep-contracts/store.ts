import type { VaultType } from '@kassa/contract/sweep-contracts/schemas.ts'
import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Context } from '../../context.ts'
import type { SweepContractTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<SweepContractTables>()

export type VaultRow = Selectable<SweepContractTables['contract_addresses']>
export type NewVaultRow = Omit<
  Insertable<SweepContractTables['contract_addresses']>,
  'status' | 'created_at' | 'updated_at'
>
/** What a chain says of a contract. */
export type VaultFacts = Pick<
  VaultRow,
  | 'owner'
  | 'owner_key'
  | 'collector_on_chain'
  | 'pending_collector'
  | 'collector_ready_at'
  | 'pending_owner'
  | 'owner_ready_at'
  | 'is_frozen'
>
export type CustomRow = Selectable<SweepContractTables['custom_contracts']>

/** Registers a sweep contract; undefined when the blockchain has it, or its transaction, under this type already. */
export async function insertVaultRow(ctx: Context, row: NewVaultRow): Promise<VaultRow | undefined> {
  return tables(ctx)
    .insertInto('contract_addresses')
    .values({ ...row, status: 'active', created_at: ctx.now(), updated_at: ctx.now() })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Sweep contracts of this install, the newest first. */
export async function listVaultRows(ctx: Context): Promise<VaultRow[]> {
  return tables(ctx).selectFrom('contract_addresses').selectAll().orderBy('id', 'desc').execute()
}

/** One sweep contract by its id. */
export async function findVaultRow(ctx: Context, id: number): Promise<VaultRow | undefined> {
  return tables(ctx).selectFrom('contract_addresses').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Sweep contracts by id, ascending, locked until the transaction ends. */
export async function lockVaultRows(ctx: Context, ids: readonly number[]): Promise<VaultRow[]> {
  if (ids.length === 0) return []
  return tables(ctx)
    .selectFrom('contract_addresses')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** The sweep contract of a type that a transaction created, or that stands at an address. */
export async function findRegistered(
  ctx: Context,
  place: { readonly blockchainId: number; readonly type: VaultType; readonly txId: string; readonly address: string },
): Promise<VaultRow | undefined> {
  return tables(ctx)
    .selectFrom('contract_addresses')
    .selectAll()
    .where('blockchain_id', '=', place.blockchainId)
    .where('contract_type', '=', place.type)
    .where((e) => e.or([e('tx_id', '=', place.txId), e('address', '=', place.address)]))
    .executeTakeFirst()
}

/** Stores what the chain says of a contract now. */
export async function updateVaultFacts(ctx: Context, id: number, facts: VaultFacts): Promise<void> {
  await tables(ctx)
    .updateTable('contract_addresses')
    .set({ ...facts, read_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}

/** Changes what operators decide about a contract. */
export async function updateVaultRow(
  ctx: Context,
  id: number,
  change: Pick<Updateable<SweepContractTables['contract_addresses']>, 'name' | 'status' | 'collector' | 'mac'>,
): Promise<void> {
  await tables(ctx)
    .updateTable('contract_addresses')
    .set({ ...change, updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}

/** Contracts that did not come with the release, by id. */
export async function listCustomContracts(ctx: Context): Promise<CustomRow[]> {
  return tables(ctx).selectFrom('custom_contracts').selectAll().orderBy('id').execute()
}

/** Adds a contract; undefined when it is there. */
export async function insertCustomContract(
  ctx: Context,
  row: Omit<Insertable<SweepContractTables['custom_contracts']>, 'created_at' | 'updated_at' | 'status'>,
): Promise<CustomRow | undefined> {
  return tables(ctx)
    .insertInto('custom_contracts')
    .values({ ...row, status: 'active', created_at: ctx.now(), updated_at: ctx.now() })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Changes a contract that did not come with the release. */
export async function updateCustomContract(
  ctx: Context,
  id: number,
  change: Pick<Updateable<SweepContractTables['custom_contracts']>, 'description' | 'status' | 'address'>,
): Promise<void> {
  await tables(ctx)
    .updateTable('custom_contracts')
    .set({ ...change, updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}
