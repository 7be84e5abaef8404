/** Who approved which bytes of a payout, alone or in a list. */
import type { Insertable } from 'kysely'

import type { Context } from '../../../context.ts'
import type { ApprovalRow, WithdrawalTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WithdrawalTables>()

/** The approvals of payouts, oldest first, each with the list it was given with. */
export async function listApprovals(ctx: Context, ids: readonly bigint[]): Promise<ApprovalRow[]> {
  if (ids.length === 0) return []
  const rows = await tables(ctx)
    .selectFrom('withdrawal_approvals as given')
    .leftJoin('withdrawal_approval_lists as list', 'list.id', 'given.list_id')
    .selectAll('given')
    .select(['list.digest as list_digest', 'list.items as list_items'])
    .where('given.withdrawal_id', 'in', ids)
    .orderBy('given.id')
    .execute()
  return rows.map(({ list_digest: digest, list_items: items, ...row }) => ({
    ...row,
    list: digest === null || items === null ? null : { digest, items },
  }))
}

/** Stores an approval. */
export async function insertApproval(
  ctx: Context,
  approval: Omit<Insertable<WithdrawalTables['withdrawal_approvals']>, 'id'>,
): Promise<void> {
  await tables(ctx).insertInto('withdrawal_approvals').values(approval).execute()
}

/** Stores what one confirmation of several payouts covers; returns its id. */
export async function insertApprovalList(
  ctx: Context,
  list: Omit<Insertable<WithdrawalTables['withdrawal_approval_lists']>, 'id'>,
): Promise<bigint> {
  const { id } = await tables(ctx)
    .insertInto('withdrawal_approval_lists')
    .values(list)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
