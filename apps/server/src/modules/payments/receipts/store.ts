import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

export type ReceiptMailRow = {
  readonly payment_id: bigint
  /** The mailbox, by the text that is the same for all of its spellings. */
  readonly address: string
  readonly requested_at: Date
}

type Asked = { readonly paymentId: bigint; readonly mailbox: string }

/** Keeps others from asking for a mail to this mailbox until the transaction ends: its mails are counted by one at a time. */
export async function lockMailbox(ctx: Context, mailbox: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('receipt_mails'), hashtext(${mailbox}))`.execute(ctx.db)
}

/** Lists the mails that were asked for since a time about this payment, or to this mailbox. */
export async function listAsked(ctx: Context, { paymentId, mailbox }: Asked, since: Date): Promise<ReceiptMailRow[]> {
  const { rows } = await sql<ReceiptMailRow>`
    SELECT payment_id, address, requested_at FROM receipt_mails
    WHERE (payment_id = ${paymentId} OR address = ${mailbox}) AND requested_at > ${since}`.execute(ctx.db)
  return rows
}

/** Stores that a mail was asked for. */
export async function insertAsked(ctx: Context, { paymentId, mailbox }: Asked): Promise<void> {
  await sql`INSERT INTO receipt_mails (payment_id, address, requested_at)
    VALUES (${paymentId}, ${mailbox}, ${ctx.now()})`.execute(ctx.db)
}

/** Deletes what limits nothing any more; rows that others delete at the moment are left to them. */
export async function deleteAsked(ctx: Context, until: Date): Promise<void> {
  await sql`DELETE FROM receipt_mails WHERE id IN (
    SELECT id FROM receipt_mails WHERE requested_at <= ${until} LIMIT 1000 FOR UPDATE SKIP LOCKED)`.execute(ctx.db)
}
