import type { Context } from '../../../context.ts'
import type { AuthTables, NeighbourTables, PasswordTokenRow } from '../sessions/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<AuthTables & NeighbourTables>()

type NewToken = Omit<PasswordTokenRow, 'id' | 'ended_at'>

/** Inserts a token; call `endTokensOf` before, in the same transaction. */
export async function insertToken(ctx: Context, token: NewToken): Promise<void> {
  await tables(ctx).insertInto('password_tokens').values(token).execute()
}

/** Ends every token of an operator that still works. */
export async function endTokensOf(ctx: Context, operatorId: number): Promise<void> {
  await tables(ctx)
    .updateTable('password_tokens')
    .set({ ended_at: ctx.now() })
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Counts the tokens issued for an operator since a time. */
export async function countTokensSince(ctx: Context, operatorId: number, time: Date): Promise<number> {
  const { count } = await tables(ctx)
    .selectFrom('password_tokens')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('operator_id', '=', operatorId)
    .where('created_at', '>', time)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Finds the token of this hash while it is valid and its owner may choose a password. */
export async function findLiveToken(ctx: Context, hash: Buffer): Promise<PasswordTokenRow | undefined> {
  return tables(ctx)
    .selectFrom('password_tokens')
    .innerJoin('operators', 'operators.id', 'password_tokens.operator_id')
    .selectAll('password_tokens')
    .where('token_hash', '=', hash)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', ctx.now())
    .where('operators.state', '!=', 'inactive')
    .where('operators.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Uses a token up; false when it does not work any more: of two simultaneous uses, one wins. */
export async function moveToUsed(ctx: Context, id: number): Promise<boolean> {
  const now = ctx.now()
  const row = await tables(ctx)
    .updateTable('password_tokens')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends every link that still works; returns how many. */
export async function endAllTokens(ctx: Context): Promise<number> {
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('password_tokens')
    .set({ ended_at: ctx.now() })
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Removes one token, as if it had never been made. */
export async function deleteToken(ctx: Context, hash: Buffer): Promise<void> {
  await tables(ctx).deleteFrom('password_tokens').where('token_hash', '=', hash).execute()
}

/** Removes tokens that ran out before the time. */
export async function deleteTokensBefore(ctx: Context, time: Date): Promise<void> {
  await tables(ctx).deleteFrom('password_tokens').where('expires_at', '<', time).execute()
}
