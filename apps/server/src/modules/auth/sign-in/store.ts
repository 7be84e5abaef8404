import type { Context } from '../../../context.ts'
import type { AuthTables } from '../sessions/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<AuthTables>()

/** Stores the hash of the set-up code; returns false when there is one already. */
export async function insertSetupCode(ctx: Context, hash: Buffer): Promise<boolean> {
  const row = await tables(ctx)
    .insertInto('setup_codes')
    .values({ code_hash: hash, created_at: ctx.now() })
    .onConflict((conflict) => conflict.column('only_row').doNothing())
    .returning('only_row')
    .executeTakeFirst()
  return row !== undefined
}

/** Finds the hash of the set-up code. */
export async function findSetupCode(ctx: Context): Promise<Buffer | undefined> {
  return (await tables(ctx).selectFrom('setup_codes').select('code_hash').executeTakeFirst())?.code_hash
}

/** Removes the set-up code: the first account exists. */
export async function deleteSetupCode(ctx: Context): Promise<void> {
  await tables(ctx).deleteFrom('setup_codes').execute()
}
