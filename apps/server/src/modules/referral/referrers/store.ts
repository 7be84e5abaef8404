import type { PromoterStatus } from '@kassa/contract/referral/machine.ts'
import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

export type ReferrerRow = {
  readonly id: number
  readonly project_id: number
  readonly reference_id: string
  readonly email: string
  readonly code: string
  readonly status: PromoterStatus
  readonly referred_by: number | null
  readonly referred_at: Date | null
  /** After reversals, over all currencies, each 1 : 1. */
  readonly earned: string
  /** Customers whom they brought. */
  readonly referee_count: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** Adds a person whom the project does not know by this reference yet; undefined when it does, or when the code is taken. */
export async function insertReferrer(
  ctx: Context,
  person: { readonly projectId: number; readonly referenceId: string; readonly email: string; readonly code: string },
): Promise<ReferrerRow | undefined> {
  const { projectId, referenceId, email, code } = person
  const { rows } = await sql<ReferrerRow>`
    INSERT INTO referrers (project_id, reference_id, email, code, created_at, updated_at)
    VALUES (${projectId}, ${referenceId}, ${email}, ${code}, ${ctx.now()}, ${ctx.now()})
    ON CONFLICT DO NOTHING RETURNING *`.execute(ctx.db)
  return rows[0]
}

/** Finds a person by the reference of the shop. */
export async function findByReference(
  ctx: Context,
  projectId: number,
  referenceId: string,
): Promise<ReferrerRow | undefined> {
  const { rows } = await sql<ReferrerRow>`
    SELECT * FROM referrers WHERE project_id = ${projectId} AND reference_id = ${referenceId}`.execute(ctx.db)
  return rows[0]
}

/** Finds a person of a project by their code. */
export async function findByCode(ctx: Context, projectId: number, code: string): Promise<ReferrerRow | undefined> {
  const { rows } = await sql<ReferrerRow>`
    SELECT * FROM referrers WHERE project_id = ${projectId} AND code = ${code}`.execute(ctx.db)
  return rows[0]
}

/** People by their ids. */
export async function listReferrers(ctx: Context, ids: readonly number[]): Promise<ReferrerRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ReferrerRow>`
    SELECT * FROM referrers WHERE id = ANY(${[...ids]}::int[]) ORDER BY id`.execute(ctx.db)
  return rows
}

/** Finds a person in projects that the caller sees. */
export async function findReferrer(
  ctx: Context,
  projectIds: readonly number[] | 'every',
  id: number,
): Promise<ReferrerRow | undefined> {
  const [row] = await listReferrers(ctx, [id])
  return row && (projectIds === 'every' || projectIds.includes(row.project_id)) ? row : undefined
}

/** Locks people in the order of their ids: only one transaction at a time changes what is owed to a person (money.md 4.3). */
export async function lockReferrerRows(ctx: Context, ids: readonly number[]): Promise<ReferrerRow[]> {
  const { rows } = await sql<ReferrerRow>`
    SELECT * FROM referrers WHERE id = ANY(${[...ids]}::int[]) ORDER BY id FOR NO KEY UPDATE`.execute(ctx.db)
  return rows
}

/** Counts this many events about each person, and returns the sequence of the first of each. */
export async function countEvents(ctx: Context, events: ReadonlyMap<number, number>): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; first: number }>`
    UPDATE referrers SET sequence = sequence + told.n
    FROM unnest(${[...events.keys()]}::int[], ${[...events.values()]}::int[]) AS told (id, n)
    WHERE referrers.id = told.id RETURNING referrers.id, sequence - told.n + 1 AS first`.execute(ctx.db)
  return new Map(rows.map(({ id, first }) => [id, first]))
}

/** Links a person to the promoter who referred them; undefined when they are linked already. */
export async function moveReferred(ctx: Context, id: number, promoterId: number): Promise<ReferrerRow | undefined> {
  const { rows } = await sql<ReferrerRow>`
    UPDATE referrers SET referred_by = ${promoterId}, referred_at = ${ctx.now()}, updated_at = ${ctx.now()}
    WHERE id = ${id} AND referred_by IS NULL RETURNING *`.execute(ctx.db)
  return rows[0]
}

/** Gives a person another e-mail address. */
export async function updateReferrerEmail(ctx: Context, id: number, email: string): Promise<ReferrerRow | undefined> {
  const { rows } = await sql<ReferrerRow>`
    UPDATE referrers SET email = ${email}, email_changed_at = ${ctx.now()}, updated_at = ${ctx.now()}
    WHERE id = ${id} RETURNING *`.execute(ctx.db)
  return rows[0]
}

/** Ends every code of a promoter that was mailed. */
export async function endCodesOf(ctx: Context, id: number): Promise<void> {
  await sql`UPDATE referral_codes SET ended_at = ${ctx.now()} WHERE referrer_id = ${id} AND ended_at IS NULL`.execute(
    ctx.db,
  )
}

/** Moves a person to another status; undefined when they have it already. */
export async function moveReferrerStatus(
  ctx: Context,
  id: number,
  status: PromoterStatus,
): Promise<ReferrerRow | undefined> {
  const { rows } = await sql<ReferrerRow>`
    UPDATE referrers SET status = ${status}, updated_at = ${ctx.now()}
    WHERE id = ${id} AND status <> ${status} RETURNING *`.execute(ctx.db)
  return rows[0]
}

/** Lets one transaction at a time link people of a project, so that the one that would close a ring sees it. */
export async function lockLinks(ctx: Context, projectId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('referral links of a project'), ${projectId})`.execute(ctx.db)
}

/** Whether one person was brought by another, through however many in between. */
export async function isBroughtBy(ctx: Context, id: number, ancestorId: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    WITH RECURSIVE line AS (
      SELECT id, referred_by FROM referrers WHERE id = ${id}
      UNION SELECT above.id, above.referred_by FROM line JOIN referrers AS above ON above.id = line.referred_by
    ) SELECT EXISTS (SELECT FROM line WHERE id = ${ancestorId}) AS found`.execute(ctx.db)
  return rows[0]?.found === true
}

/**
 * Whether two people are known to pay from one wallet, or one is paid at the wallet of the other: compares final transfers of
 * their customers with the same reference, and the payouts of their rewards.
 */
export async function shareWallet(
  ctx: Context,
  projectId: number,
  references: readonly [string, string],
): Promise<boolean> {
  const walletsOf = (reference: string) => sql`
    SELECT deposit.blockchain_id, deposit.from_address AS address FROM deposits AS deposit
    JOIN customers AS customer ON customer.id = deposit.customer_id
    WHERE customer.project_id = ${projectId} AND customer.customer_id = ${reference}
      AND deposit.from_address IS NOT NULL AND deposit.status <> 'reverted'
    UNION
    SELECT payout.blockchain_id, payout.to_address FROM withdrawals AS payout
    JOIN reward_settlements AS part ON part.withdrawal_id = payout.id
    JOIN rewards AS reward ON reward.id = part.reward_id
    JOIN referrers AS person ON person.id = reward.referrer_id
    WHERE person.project_id = ${projectId} AND person.reference_id = ${reference}`
  const [one, other] = references
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT FROM (${walletsOf(one)}) AS a JOIN (${walletsOf(other)}) AS b USING (address)) AS found`.execute(
    ctx.db,
  )
  return rows[0]?.found === true
}

/** Stores a token by its hash. */
export async function insertToken(
  ctx: Context,
  token: { readonly referrerId: number; readonly hash: Buffer; readonly expiresAt: Date },
): Promise<void> {
  await sql`
    INSERT INTO referral_tokens (referrer_id, token_hash, created_at, expires_at)
    VALUES (${token.referrerId}, ${token.hash}, ${ctx.now()}, ${token.expiresAt})`.execute(ctx.db)
}

/** Ends every token that is valid; returns how many. */
export async function endAllTokens(ctx: Context): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE referral_tokens SET expires_at = ${ctx.now()} WHERE expires_at > ${ctx.now()}`.execute(ctx.db)
  return Number(numAffectedRows)
}

/** Deletes expired tokens, this many at a time; returns how many. */
export async function deleteOldTokens(ctx: Context, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM referral_tokens WHERE id IN (
      SELECT id FROM referral_tokens WHERE expires_at <= ${ctx.now()} ORDER BY expires_at LIMIT ${most})`.execute(
    ctx.db,
  )
  return Number(numAffectedRows)
}
