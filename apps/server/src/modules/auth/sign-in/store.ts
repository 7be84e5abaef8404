import type { Context } from '../../../context.ts'
import type { AuthTables } from '../sessions/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<AuthTables>()

/** Stores the hash of the set-up code in place of an older one. */
export async function upsertSetupCode(ctx: Context, hash: Buffer): Promise<void> {
  const row = { code_hash: hash, created_at: ctx.now() }
  await tables(ctx)
    .insertInto('setup_codes')
    .values(row)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(row))
    .execute()
}

/** Finds the hash of the set-up code. */
export async function findSetupCode(ctx: Context): Promise<Buffer | undefined> {
  return (await tables(ctx).selectFrom('setup_codes').select('code_hash').executeTakeFirst())?.code_hash
}

/** Removes the set-up code: the first account exists. */
export async function deleteSetupCode(ctx: Context): Promise<void> {
  await tables(ctx).deleteFrom('setup_codes').execute()
}
