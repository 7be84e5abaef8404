import { type Selectable, sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { WalletReads, WalletTables } from './tables.ts'
import type { WalletRow } from './wallet/store.ts'
import type { WalletRowTables } from './wallet/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WalletTables & WalletRowTables>()

export type XpubRow = Selectable<WalletTables['wallet_xpubs']>
export type LinkRow = Selectable<WalletTables['project_wallets']>

type VaultRow = Selectable<WalletTables['wallet_vaults']>

/** What the addresses of a wallet are derived from in one family: an extended public key, or the contract that commands them. */
export type AddressSource = (XpubRow & { readonly kind: 'xpub' }) | (VaultRow & { readonly kind: 'create2' })

/** Stores an extended public key; false when another wallet holds it. */
export async function insertXpub(ctx: Context, row: Omit<XpubRow, 'next_index'>): Promise<boolean> {
  const inserted = await tables(ctx)
    .insertInto('wallet_xpubs')
    .values({ ...row, next_index: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .returning('wallet_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** The newest active wallet that has addresses of the family. */
export async function findNewestWallet(ctx: Context, familyId: number): Promise<WalletRow | undefined> {
  return tables(ctx)
    .selectFrom('wallets')
    .selectAll('wallets')
    .where(
      sql<boolean>`EXISTS (SELECT FROM wallet_xpubs WHERE wallet_id = wallets.id AND family_id = ${familyId}
        UNION ALL SELECT FROM wallet_vaults WHERE wallet_id = wallets.id AND family_id = ${familyId})`,
    )
    .where('wallets.deleted_at', 'is', null)
    .where('wallets.status', '=', 'active')
    .orderBy('wallets.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Extended public keys of these wallets, ordered by wallet and family. */
export async function listXpubs(ctx: Context, walletIds: readonly number[]): Promise<XpubRow[]> {
  if (walletIds.length === 0) return []
  return tables(ctx)
    .selectFrom('wallet_xpubs')
    .selectAll()
    .where('wallet_id', 'in', walletIds)
    .orderBy('wallet_id')
    .orderBy('family_id')
    .execute()
}

/** Stores what the addresses of a contract wallet are derived from, once. */
export async function insertVault(ctx: Context, row: Omit<VaultRow, 'next_index'>): Promise<void> {
  await tables(ctx)
    .insertInto('wallet_vaults')
    .values({ ...row, next_index: 1 })
    .execute()
}

/** Whose addresses a contract commands, also of a deleted wallet. */
export async function findVaultSource(
  ctx: Context,
  familyId: number,
  vault: string,
): Promise<{ readonly walletId: number; readonly isDeleted: boolean } | undefined> {
  const row = await tables(ctx)
    .selectFrom('wallet_vaults as own')
    .innerJoin('wallets as wallet', 'wallet.id', 'own.wallet_id')
    .select(['wallet.id', 'wallet.deleted_at'])
    .where('own.family_id', '=', familyId)
    .where('own.vault', '=', vault)
    .executeTakeFirst()
  return row && { walletId: row.id, isDeleted: row.deleted_at !== null }
}

/** What the addresses of these wallets are derived from, ordered by wallet and family. */
export async function listSources(ctx: Context, walletIds: readonly number[]): Promise<AddressSource[]> {
  if (walletIds.length === 0) return []
  const xpubs = await listXpubs(ctx, walletIds)
  const vaults = await tables(ctx)
    .selectFrom('wallet_vaults')
    .selectAll()
    .where('wallet_id', 'in', walletIds)
    .orderBy('wallet_id')
    .orderBy('family_id')
    .execute()
  return [
    ...xpubs.map((row) => ({ kind: 'xpub' as const, ...row })),
    ...vaults.map((row) => ({ kind: 'create2' as const, ...row })),
  ].toSorted((a, b) => a.wallet_id - b.wallet_id || a.family_id - b.family_id)
}

export type ContractRow = Selectable<WalletReads['contract_addresses']>

/** The sweep contracts of contract wallets, by wallet and blockchain. */
export async function listContracts(ctx: Context): Promise<ContractRow[]> {
  return ctx.db
    .$extendTables<WalletReads>()
    .selectFrom('contract_addresses')
    .select(['id', 'blockchain_id', 'contract_type', 'address', 'tx_id', 'wallet_id', 'collector', 'collector_on_chain'])
    .select(['owner', 'pending_collector', 'collector_ready_at'])
    .where('wallet_id', 'is not', null)
    .orderBy('wallet_id')
    .orderBy('blockchain_id')
    .execute()
}

/** Every extended public key, ordered by wallet and family. */
export async function listAllXpubs(ctx: Context): Promise<XpubRow[]> {
  return tables(ctx).selectFrom('wallet_xpubs').selectAll().orderBy('wallet_id').orderBy('family_id').execute()
}

/** Stores the MAC of a key that has none. */
export async function setXpubMac(
  ctx: Context,
  { wallet_id, family_id }: Pick<XpubRow, 'wallet_id' | 'family_id'>,
  mac: Buffer,
): Promise<void> {
  await tables(ctx)
    .updateTable('wallet_xpubs')
    .set({ mac })
    .where('wallet_id', '=', wallet_id)
    .where('family_id', '=', family_id)
    .where('mac', 'is', null)
    .execute()
}

/** Key of the lock on the one time that keys are authenticated. */
const AUTHENTICATION_LOCK = 0x4b44

/** Lets one process at a time authenticate the keys that a former version left. */
export async function lockAuthentication(ctx: Context): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${AUTHENTICATION_LOCK}::int, 0)`.execute(ctx.db)
}

/** When the keys of a former version were authenticated, if they were. */
export async function findAuthentication(ctx: Context): Promise<Date | undefined> {
  const row = await tables(ctx).selectFrom('address_authentication').select('completed_at').executeTakeFirst()
  return row?.completed_at
}

/** Notes that every key is authenticated from now on. */
export async function insertAuthentication(ctx: Context): Promise<void> {
  await tables(ctx).insertInto('address_authentication').values({ id: 1, completed_at: ctx.now() }).execute()
}

/** Links of these projects, ordered by project and family. */
export async function listLinks(ctx: Context, projectIds: readonly number[] | 'every'): Promise<LinkRow[]> {
  const query = tables(ctx).selectFrom('project_wallets').selectAll().orderBy('project_id').orderBy('family_id')
  if (projectIds === 'every') return query.execute()
  return projectIds.length === 0 ? [] : query.where('project_id', 'in', projectIds).execute()
}

/** The wallet a project uses for a family. */
export async function findLink(ctx: Context, projectId: number, familyId: number): Promise<LinkRow | undefined> {
  return tables(ctx)
    .selectFrom('project_wallets')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('family_id', '=', familyId)
    .executeTakeFirst()
}

/** Key of the lock on the links of one project. */
const LINKS_LOCK = 0x4b45

/** Lets whoever links wallets to these projects wait until the transaction ends; one order of locks. */
export async function lockLinks(ctx: Context, projectIds: readonly number[]): Promise<void> {
  if (projectIds.length === 0) return
  const ids = projectIds.toSorted((a, b) => a - b)
  await sql`SELECT pg_advisory_xact_lock(${LINKS_LOCK}::int, id) FROM unnest(${ids}::int[]) WITH ORDINALITY AS one (id, place)
    ORDER BY place`.execute(ctx.db)
}

/** Links the wallet, in place of another one when `replace`; returns undefined when another one is linked and stays. */
export async function upsertLink(
  ctx: Context,
  link: { project_id: number; family_id: number; wallet_id: number },
  { replace }: { replace: boolean },
): Promise<LinkRow | undefined> {
  return tables(ctx)
    .insertInto('project_wallets')
    .values({ ...link, created_at: ctx.now() })
    .onConflict((conflict) => {
      const known = conflict.columns(['project_id', 'family_id'])
      return replace ? known.doUpdateSet({ wallet_id: link.wallet_id }) : known.doNothing()
    })
    .returningAll()
    .executeTakeFirst()
}

/** Unlinks a wallet from a project; returns the families it was linked for. */
export async function deleteLink(ctx: Context, projectId: number, walletId: number): Promise<number[]> {
  const rows = await tables(ctx)
    .deleteFrom('project_wallets')
    .where('project_id', '=', projectId)
    .where('wallet_id', '=', walletId)
    .returning('family_id')
    .execute()
  return rows.map(({ family_id: id }) => id)
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
 * Lets one transaction at a time add addresses of a family, so that their ids commit in order. The watcher loads
 * addresses above the highest id it has, and would miss one that commits late (money.md W-10). Locked to the end of the
 * transaction.
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

/** Reserves the next `count` indexes of a key or contract and returns the first. */
export async function takeIndexes(
  ctx: Context,
  { kind, wallet_id: walletId, family_id: familyId }: Pick<AddressSource, 'kind' | 'wallet_id' | 'family_id'>,
  count: number,
): Promise<number> {
  const row = await tables(ctx)
    .updateTable(kind === 'xpub' ? 'wallet_xpubs' : 'wallet_vaults')
    .set((e) => ({ next_index: e('next_index', '+', count) }))
    .where('wallet_id', '=', walletId)
    .where('family_id', '=', familyId)
    .returning('next_index')
    .executeTakeFirstOrThrow()
  return row.next_index - count
}

export type NewAddress = Pick<
  Selectable<WalletTables['addresses']>,
  'wallet_id' | 'family_id' | 'key' | 'address' | 'derivation_index' | 'path'
>

/** Adds derived addresses to the pool, ready to be assigned. */
export async function insertAddresses(ctx: Context, rows: readonly NewAddress[]): Promise<void> {
  const created_at = ctx.now()
  await tables(ctx)
    .insertInto('addresses')
    .values(
      rows.map((row) => ({
        ...row,
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
        .orderBy('derivation_index')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Keeps every address that is open from being given to anybody, and goes on `skip` indexes further with each key and contract. */
export async function withholdOpen(ctx: Context, skip: number): Promise<void> {
  await tables(ctx).updateTable('addresses').set({ status: 'withheld' }).where('status', '=', 'open').execute()
  for (const table of ['wallet_xpubs', 'wallet_vaults'] as const) {
    await tables(ctx)
      .updateTable(table)
      .set((e) => ({ next_index: e('next_index', '+', skip) }))
      .execute()
  }
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
