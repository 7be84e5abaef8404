import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

export type CodeRow = {
  readonly id: bigint
  readonly referrer_id: number
  readonly token_id: bigint
  /** The mailbox it is counted for (`mailboxKey`); null in rows of an older version. */
  readonly email: string | null
  readonly code_hash: Buffer | null
  readonly tries: number
  readonly created_at: Date
  readonly expires_at: Date
  readonly ended_at: Date | null
}

/** Inserts the row of a code that is mailed later. */
export async function insertCode(
  ctx: Context,
  code: { referrerId: number; tokenId: bigint; mailbox: string; expiresAt: Date },
): Promise<bigint> {
  const { referrerId, tokenId, mailbox, expiresAt } = code
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO referral_codes (referrer_id, token_id, email, created_at, expires_at)
    VALUES (${referrerId}, ${tokenId}, ${mailbox}, ${ctx.now()}, ${expiresAt}) RETURNING id`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('The code was not stored')
  return row.id
}

/** Finds a code by its id, while it works. */
export async function findWorkingCode(ctx: Context, id: bigint): Promise<CodeRow | undefined> {
  const { rows } = await sql<CodeRow>`
    SELECT * FROM referral_codes WHERE id = ${id} AND ended_at IS NULL`.execute(ctx.db)
  return rows[0]
}

/** Finds and locks the newest code of a page. */
export async function lockLatestCode(ctx: Context, referrerId: number, tokenId: bigint): Promise<CodeRow | undefined> {
  const { rows } = await sql<CodeRow>`
    SELECT * FROM referral_codes WHERE referrer_id = ${referrerId} AND token_id = ${tokenId}
    ORDER BY id DESC LIMIT 1 FOR UPDATE`.execute(ctx.db)
  return rows[0]
}

/** Stores the hash of a code and its expiry; false when the code was replaced meanwhile. */
export async function updateCodeHash(
  ctx: Context,
  { id, hash, expiresAt }: { id: bigint; hash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE referral_codes SET code_hash = ${hash}, expires_at = ${expiresAt}
    WHERE id = ${id} AND ended_at IS NULL RETURNING id`.execute(ctx.db)
  return rows.length === 1
}

/** Counts a wrong try, and ends the code with the last one. */
export async function updateTries(ctx: Context, id: bigint, { tries, ends }: { tries: number; ends: boolean }) {
  await sql`
    UPDATE referral_codes SET tries = ${tries}, ended_at = CASE WHEN ${ends} THEN ${ctx.now()}::timestamptz END
    WHERE id = ${id}`.execute(ctx.db)
}

/** Uses a code up; false when it is used or expired. */
export async function moveCodeUsed(ctx: Context, id: bigint): Promise<boolean> {
  const { rows } = await sql`
    UPDATE referral_codes SET ended_at = ${ctx.now()}
    WHERE id = ${id} AND ended_at IS NULL AND expires_at > ${ctx.now()} RETURNING id`.execute(ctx.db)
  return rows.length === 1
}

/** Codes that were requested since a time, oldest first: those of a promoter, or those that were mailed to a mailbox. */
export async function listCodesSince(
  ctx: Context,
  of: { readonly referrerId: number } | { readonly mailbox: string },
  since: Date,
): Promise<CodeRow[]> {
  const isOf = 'referrerId' in of ? sql`referrer_id = ${of.referrerId}` : sql`email = ${of.mailbox}`
  const { rows } = await sql<CodeRow>`
    SELECT * FROM referral_codes WHERE ${isOf} AND created_at > ${since} ORDER BY created_at, id`.execute(ctx.db)
  return rows
}

/** Keeps other promoters of a mailbox from requesting a code until the transaction ends: its mails are counted by one at a time. */
export async function lockMailbox(ctx: Context, mailbox: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('referral_codes'), hashtext(${mailbox}))`.execute(ctx.db)
}

/** Whether a promoter has withdrawn with a code since they have their present e-mail address: the mailbox is theirs. */
export async function hasUsedCode(ctx: Context, referrerId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM withdrawals AS payout JOIN referrers AS promoter ON promoter.id = payout.referrer_id
    WHERE promoter.id = ${referrerId} AND payout.created_at > coalesce(promoter.email_changed_at, '-infinity') LIMIT 1`.execute(
    ctx.db,
  )
  return rows.length === 1
}

/** Deletes codes that were requested before the time. */
export async function deleteCodesBefore(ctx: Context, time: Date): Promise<void> {
  await sql`DELETE FROM referral_codes WHERE created_at < ${time}`.execute(ctx.db)
}
