import type { Context } from '../../../context.ts'
import type { CodeRow, RecipientTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<RecipientTables>()

/** Inserts the row of a code that is mailed later; call `endCodesOf` before, in the same transaction. */
export async function insertCode(
  ctx: Context,
  row: Pick<CodeRow, 'recipient_id' | 'operator_id' | 'expires_at'>,
): Promise<bigint> {
  const { id } = await tables(ctx)
    .insertInto('recipient_codes')
    .values({ ...row, code_hash: null, created_at: ctx.now(), ended_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Ends every code of a recipient that still works. */
export async function endCodesOf(ctx: Context, recipientId: number): Promise<void> {
  await tables(ctx)
    .updateTable('recipient_codes')
    .set({ ended_at: ctx.now() })
    .where('recipient_id', '=', recipientId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Finds a code by its id, while it works. */
export async function findWorkingCode(ctx: Context, id: bigint): Promise<CodeRow | undefined> {
  return tables(ctx)
    .selectFrom('recipient_codes')
    .selectAll()
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

/** Finds the newest code of a recipient. */
export async function findLatestCode(ctx: Context, recipientId: number): Promise<CodeRow | undefined> {
  return tables(ctx)
    .selectFrom('recipient_codes')
    .selectAll()
    .where('recipient_id', '=', recipientId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Stores the hash of a code and its expiry; false when the code was replaced meanwhile. */
export async function setCodeHash(
  ctx: Context,
  { id, hash, expiresAt }: { id: bigint; hash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('recipient_codes')
    .set({ code_hash: hash, expires_at: expiresAt })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Counts a wrong try, and ends the code with the last one. */
export async function updateTries(ctx: Context, id: bigint, { tries, ends }: { tries: number; ends: boolean }) {
  await tables(ctx)
    .updateTable('recipient_codes')
    .set({ tries, ...(ends && { ended_at: ctx.now() }) })
    .where('id', '=', id)
    .execute()
}

/** When codes were requested for a recipient, or to an operator, since a time; oldest first. */
export async function listCodeTimes(
  ctx: Context,
  of: { readonly recipientId: number } | { readonly operatorId: number },
  since: Date,
): Promise<Date[]> {
  const all = tables(ctx).selectFrom('recipient_codes').select('created_at').where('created_at', '>', since)
  const own =
    'recipientId' in of ? all.where('recipient_id', '=', of.recipientId) : all.where('operator_id', '=', of.operatorId)
  return (await own.orderBy('created_at').execute()).map((row) => row.created_at)
}

/** Deletes codes that were requested before the time. */
export async function deleteCodesBefore(ctx: Context, time: Date): Promise<void> {
  await tables(ctx).deleteFrom('recipient_codes').where('created_at', '<', time).execute()
}
