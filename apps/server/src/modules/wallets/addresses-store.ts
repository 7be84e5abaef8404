import { type Selectable, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { directionOf } from '../../db/lists/keyset.ts'
import type { PageRequest } from '../../paging/paging.ts'
import type { SourceTables } from './sources/tables.ts'
import type { WalletTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WalletTables & SourceTables>()

export type AddressFilter = {
  readonly walletId: number
  readonly projectIds: readonly number[] | 'every'
  readonly familyId?: number | undefined
  readonly status?: 'open' | 'assigned' | undefined
  /** The first characters of an address. */
  readonly start?: string | undefined
}

type AddressRow = Selectable<WalletTables['addresses']>

/** Lists a page of the addresses of a wallet, and one more, in the order they were derived. */
export async function listWalletAddresses(
  ctx: Context,
  filter: AddressFilter,
  page: PageRequest<'id'>,
): Promise<(AddressRow & { readonly sortKey: string })[]> {
  const direction = directionOf(page)
  let query = select(ctx, filter)
    .selectAll()
    .select(sql<string>`id::text`.as('sortKey'))
  if (page.from) query = query.where('id', direction === 'asc' ? '>' : '<', BigInt(page.from.id))
  return query
    .orderBy('id', direction)
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
}

/** Counts the addresses that a filter matches. */
export async function countWalletAddresses(ctx: Context, filter: AddressFilter): Promise<number> {
  const { count } = await select(ctx, filter)
    .select((e) => e.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Addresses without a customer belong to no project: only callers who see every project see them. */
function select(ctx: Context, { walletId, projectIds, familyId, status, start }: AddressFilter) {
  let selection = tables(ctx).selectFrom('addresses').where('wallet_id', '=', walletId)
  if (projectIds !== 'every') selection = selection.where('project_id', 'in', projectIds.length > 0 ? projectIds : [0])
  if (familyId !== undefined) selection = selection.where('family_id', '=', familyId)
  if (status !== undefined) selection = selection.where('status', '=', status)
  if (start) {
    selection = selection.where('address', 'ilike', `${start.replace(/[\\%_]/g, '\\$&')}%`)
  }
  return selection
}

/** PostgreSQL: foreign_key_violation. */
const STILL_REFERRED_TO = '23503'

/**
 * Deletes the extended public keys of a wallet, and the addresses derived ahead from them or from its contract. The contract
 * stays ours. False when an address was assigned or holds money: the transaction must then be rolled back.
 */
export async function deleteKeys(ctx: Context, walletId: number): Promise<boolean> {
  try {
    await tables(ctx).deleteFrom('addresses').where('wallet_id', '=', walletId).where('status', '=', 'open').execute()
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === STILL_REFERRED_TO) return false
    throw thrown
  }
  const left = await tables(ctx)
    .selectFrom('addresses')
    .select('id')
    .where('wallet_id', '=', walletId)
    .limit(1)
    .execute()
  if (left.length > 0) return false
  await tables(ctx).deleteFrom('wallet_xpubs').where('wallet_id', '=', walletId).execute()
  await tables(ctx).deleteFrom('wallet_lists').where('wallet_id', '=', walletId).execute()
  return true
}
