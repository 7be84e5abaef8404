import type { Context } from '../../context.ts'
import type { EmailMessage } from './email-message.ts'
import type { SandboxEmailRow, MailServerRow, MailTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<MailTables>()

/** Finds the mail server. */
export async function findMailServer(ctx: Context): Promise<MailServerRow | undefined> {
  return tables(ctx).selectFrom('mail_server').selectAll().executeTakeFirst()
}

/** Finds the mail server and locks it until the transaction ends. */
export async function lockMailServer(ctx: Context): Promise<MailServerRow | undefined> {
  return tables(ctx).selectFrom('mail_server').selectAll().forUpdate().executeTakeFirst()
}

export type NewMailServerRow = Omit<MailServerRow, 'only_row' | 'verified_at' | 'created_at' | 'updated_at'>

/** Sets the mail server and clears that it was verified. */
export async function upsertMailServer(ctx: Context, values: NewMailServerRow): Promise<MailServerRow> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('mail_server')
    .values({ ...values, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.column('only_row').doUpdateSet({ ...values, verified_at: null, updated_at: now }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Removes the mail server. */
export async function deleteMailServer(ctx: Context): Promise<void> {
  await tables(ctx).deleteFrom('mail_server').execute()
}

/** Stores that the mail server, as it was when it was read, has accepted a mail. */
export async function updateVerified(ctx: Context, { updated_at: readAt }: MailServerRow): Promise<void> {
  await tables(ctx)
    .updateTable('mail_server')
    .set({ verified_at: ctx.now() })
    .where('updated_at', '=', readAt)
    .execute()
}

/** Stores an e-mail, and deletes those older than the newest `most`. */
export async function insertEmail(
  ctx: Context,
  { recipient, message }: { readonly recipient: string; readonly message: EmailMessage },
  most: number,
): Promise<void> {
  await tables(ctx)
    .insertInto('sandbox_emails')
    .values({ recipient, message: JSON.stringify(message), created_at: ctx.now() })
    .execute()
  await tables(ctx)
    .deleteFrom('sandbox_emails')
    .where('id', '<=', (eb) => eb.selectFrom('sandbox_emails').select('id').orderBy('id', 'desc').offset(most).limit(1))
    .execute()
}

/** Lists the e-mails that were kept, newest first. */
export async function listEmails(ctx: Context): Promise<SandboxEmailRow[]> {
  return tables(ctx).selectFrom('sandbox_emails').selectAll().orderBy('id', 'desc').execute()
}
