import type { Context } from '../../../context.ts'
import type { AuthTables, SignInFailureRow } from '../sessions/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<AuthTables>()

/** Reads the failures of a subject and locks them until the transaction ends; makes an empty row when there is none. */
export async function lockFailures(ctx: Context, subject: string): Promise<SignInFailureRow> {
  const now = ctx.now()
  return (
    tables(ctx)
      .insertInto('sign_in_failures')
      .values({ subject, failures: 0, wait_until: now, updated_at: now })
      // One statement inserts and locks: between two statements, the failures might be cleared and the row deleted.
      .onConflict((conflict) => conflict.column('subject').doUpdateSet({ subject }))
      .returningAll()
      .executeTakeFirstOrThrow()
  )
}

/** Writes how often a subject failed and until when it waits. */
export async function updateFailures(
  ctx: Context,
  subject: string,
  { failures, waitUntil }: { failures: number; waitUntil: Date },
): Promise<void> {
  await tables(ctx)
    .updateTable('sign_in_failures')
    .set({ failures, wait_until: waitUntil, updated_at: ctx.now() })
    .where('subject', '=', subject)
    .execute()
}

/** Undoes one failure of each subject and its wait, because the attempt was never tried. */
export async function undoFailure(ctx: Context, subjects: readonly string[]): Promise<void> {
  await tables(ctx)
    .updateTable('sign_in_failures')
    .set((row) => ({ failures: row('failures', '-', 1), wait_until: ctx.now() }))
    .where('subject', 'in', subjects)
    .where('failures', '>', 0)
    .execute()
}

/** Clears the failures of subjects. */
export async function deleteFailures(ctx: Context, subjects: readonly string[]): Promise<void> {
  await tables(ctx).deleteFrom('sign_in_failures').where('subject', 'in', subjects).execute()
}

/** Deletes failures that were not repeated since the time. */
export async function deleteFailuresBefore(ctx: Context, time: Date): Promise<void> {
  await tables(ctx).deleteFrom('sign_in_failures').where('updated_at', '<', time).execute()
}
