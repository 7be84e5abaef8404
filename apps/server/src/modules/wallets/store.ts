import { type Selectable, sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { WalletReads, WalletTables } from './tables.ts'
import type { LinkTables } from './linking/tables.ts'
import type { NewAddress } from './sources/derive.ts'
import type { WalletRowTables } from './wallet/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WalletTables & WalletRowTables & LinkTables>()

export type ContractRow = Selectable<WalletReads['contract_addresses']>

/** The sweep contracts of contract wallets, by wallet and blockchain. */
export async function listContracts(ctx: Context): Promise<ContractRow[]> {
  return ctx.db
    .$extendTables<WalletReads>()
    .selectFrom('contract_addresses')
    .select([
      'id',
      'blockchain_id',
      'contract_type',
      'address',
      'tx_id',
      'wallet_id',
      'collector',
      'collector_on_chain',
    ])
    .select(['owner', 'pending_collector', 'collector_ready_at'])
    .where('wallet_id', 'is not', null)
    .orderBy('wallet_id')
    .orderBy('blockchain_id')
    .execute()
}

/** Addresses assigned and derived ahead, per wallet. */
export async function countAddresses(ctx: Context): Promise<{ wallet_id: number; assigned: number; open: number }[]> {
  return tables(ctx)
    .selectFrom('addresses')
    .select((e) => [
      'wallet_id',
      e.cast<number>(e.fn.countAll().filterWhere('status', '=', 'assigned'), 'integer').as('assigned'),
      e.cast<number>(e.fn.countAll().filterWhere('status', '=', 'open'), 'integer').as('open'),
    ])
    .groupBy('wallet_id')
    .execute()
}

/** Key of the lock that lets one transaction at a time derive addresses of a family: the letters "KA". */
const DERIVATION_LOCK = 0x4b41

/**
 * Lets one transaction at a time add addresses of a family, until it ends, so that their ids commit in order. The watcher loads
 * addresses above the highest id it has, and would miss one that commits late (money.md W-10).
 */
export async function lockDerivation(ctx: Context, familyId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${DERIVATION_LOCK}::int, ${familyId}::int)`.execute(ctx.db)
}

/** Key of the lock on one customer's address. */
const ASSIGNMENT_LOCK = 0x4b43

/** Lets one transaction at a time assign an address to a customer. */
export async function lockAssignment(ctx: Context, customerId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${ASSIGNMENT_LOCK}::int, ${customerId}::int)`.execute(ctx.db)
}

/** Adds derived addresses to the pool, ready to be assigned. */
export async function insertAddresses(
  ctx: Context,
  rows: readonly (NewAddress & { readonly mac?: Buffer; readonly usable_at?: Date | null })[],
): Promise<void> {
  const created_at = ctx.now()
  await tables(ctx)
    .insertInto('addresses')
    .values(
      rows.map((row) => ({
        ...row,
        mac: row.mac ?? null,
        usable_at: row.usable_at ?? null,
        status: 'open' as const,
        customer_id: null,
        project_id: null,
        assigned_at: null,
        created_at,
      })),
    )
    .execute()
}

export type StoredAddress = Selectable<WalletTables['addresses']>

/** Assigns the lowest free address of the wallet to the customer; undefined when the pool is empty. */
export async function moveAddressToCustomer(
  ctx: Context,
  {
    walletId,
    familyId,
    customerId,
    projectId,
  }: { walletId: number; familyId: number; customerId: number; projectId: number },
): Promise<StoredAddress | undefined> {
  return tables(ctx)
    .updateTable('addresses')
    .set({ status: 'assigned', customer_id: customerId, project_id: projectId, assigned_at: ctx.now() })
    .where('id', '=', (e) =>
      e
        .selectFrom('addresses')
        .select('id')
        .where('wallet_id', '=', walletId)
        .where('family_id', '=', familyId)
        .where('status', '=', 'open')
        .where(isUsable(ctx))
        .orderBy('derivation_index')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** That customers may get an address by now. */
function isUsable(ctx: Context) {
  return sql<boolean>`(usable_at IS NULL OR usable_at <= ${ctx.now()})`
}

/** Withholds every unassigned address, so that no customer gets it. */
export async function withholdOpen(ctx: Context): Promise<void> {
  await tables(ctx).updateTable('addresses').set({ status: 'withheld' }).where('status', '=', 'open').execute()
}

/** The permanent addresses of a customer, ordered by family. */
export async function listAddressesOfCustomer(ctx: Context, customerId: number): Promise<StoredAddress[]> {
  return tables(ctx)
    .selectFrom('addresses')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('family_id')
    .execute()
}

/** Our addresses among these keys of a family, in no order. */
export async function listAddressesByKeys(
  ctx: Context,
  familyId: number,
  keys: readonly Buffer[],
): Promise<StoredAddress[]> {
  if (keys.length === 0) return []
  return tables(ctx)
    .selectFrom('addresses')
    .selectAll()
    .where('family_id', '=', familyId)
    .where('key', '=', sql<Buffer>`ANY(${keys}::bytea[])`)
    .execute()
}

/** Keys of the family above an id, ascending by id. */
export async function listKeysAbove(
  ctx: Context,
  familyId: number,
  afterId: bigint,
  limit: number,
): Promise<{ id: bigint; key: Buffer }[]> {
  return tables(ctx)
    .selectFrom('addresses')
    .select(['id', 'key'])
    .where('family_id', '=', familyId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** How many free addresses of a wallet are in the pool of a family. */
export async function countOpen(ctx: Context, walletId: number, familyId: number): Promise<number> {
  const row = await tables(ctx)
    .selectFrom('addresses')
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('n'))
    .where('wallet_id', '=', walletId)
    .where('family_id', '=', familyId)
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow()
  return row.n
}

/** Finds an address with its public facts and what it is derived from. */
export async function findAddressFacts(
  ctx: Context,
  id: bigint,
): Promise<AssignedAddress & { readonly index: number }> {
  const row = await tables(ctx)
    .selectFrom('addresses as address')
    .innerJoin('wallets as wallet', 'wallet.id', 'address.wallet_id')
    .select([
      'address.id',
      'address.address',
      'family_id',
      'derivation_index',
      'path',
      'address.status',
      'address.customer_id',
      'assigned_at',
    ])
    .select(['wallet.id as wallet_id', 'wallet.name as wallet_name'])
    .where('address.id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    id: row.id,
    address: row.address,
    familyId: row.family_id,
    path: row.path,
    status: row.status,
    customerId: row.customer_id ?? 0,
    assignedAt: row.assigned_at ?? new Date(0),
    wallet: { id: row.wallet_id, name: row.wallet_name },
    index: row.derivation_index,
  }
}

/** Lists the deposit wallets of a project, by family. */
export async function listProjectWallets(ctx: Context, projectId: number): Promise<ProjectWallet[]> {
  const rows = await tables(ctx)
    .selectFrom('project_wallets as link')
    .innerJoin('wallets as wallet', 'wallet.id', 'link.wallet_id')
    .select(['wallet.id', 'wallet.name', 'link.family_id', 'wallet.wallet_type', 'wallet.wallet_sub_type'])
    .where('link.project_id', '=', projectId)
    .where('wallet.status', '=', 'active')
    .orderBy('link.family_id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    familyId: row.family_id,
    type: row.wallet_type,
    subType: row.wallet_sub_type,
  }))
}

/** An assigned address with its public facts. */
export type AssignedAddress = {
  readonly id: bigint
  readonly address: string
  readonly familyId: number
  readonly path: string
  readonly status: string
  readonly customerId: number
  readonly assignedAt: Date
  readonly wallet: { readonly id: number; readonly name: string }
}

/** The deposit wallet of a project in one chain family. */
export type ProjectWallet = {
  readonly id: number
  readonly name: string
  readonly familyId: number
  readonly type: string
  readonly subType: string
}

/** Whether a wallet has an unassigned address of a family that a customer may get now. */
export async function hasOpenAddress(ctx: Context, walletId: number, familyId: number): Promise<boolean> {
  const found = await tables(ctx)
    .selectFrom('addresses')
    .select('id')
    .where('wallet_id', '=', walletId)
    .where('family_id', '=', familyId)
    .where('status', '=', 'open')
    .where(isUsable(ctx))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
