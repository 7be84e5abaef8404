import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

export type ReceiptMailRow = {
  readonly payment_id: bigint
  /** The mailbox, by the text that is the same for all of its spellings. */
  readonly address: string
  readonly requested_at: Date
}

type Request = { readonly paymentId: bigint; readonly mailbox: string }

/** Locks a mailbox until the transaction ends, so that its mails are counted by one request at a time. */
export async function lockMailbox(ctx: Context, mailbox: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('receipt_mails'), hashtext(${mailbox}))`.execute(ctx.db)
}

/** Lists the mails about this payment, or to this mailbox, that were requested since a time. */
export async function listRequests(
  ctx: Context,
  { paymentId, mailbox }: Request,
  since: Date,
): Promise<ReceiptMailRow[]> {
  const { rows } = await sql<ReceiptMailRow>`
    SELECT payment_id, address, requested_at FROM receipt_mails
    WHERE (payment_id = ${paymentId} OR address = ${mailbox}) AND requested_at > ${since}`.execute(ctx.db)
  return rows
}

/** Stores the request of a mail. */
export async function insertRequest(ctx: Context, { paymentId, mailbox }: Request): Promise<void> {
  await sql`INSERT INTO receipt_mails (payment_id, address, requested_at)
    VALUES (${paymentId}, ${mailbox}, ${ctx.now()})`.execute(ctx.db)
}

/** Deletes requests that no longer count; skips rows that another process is deleting. */
export async function deleteRequests(ctx: Context, until: Date): Promise<void> {
  await sql`DELETE FROM receipt_mails WHERE id IN (
    SELECT id FROM receipt_mails WHERE requested_at <= ${until} LIMIT 1000 FOR UPDATE SKIP LOCKED)`.execute(ctx.db)
}
