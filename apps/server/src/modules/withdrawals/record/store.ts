import { OPEN_STATES, withdrawalMachine } from '@kassa/contract/withdrawals/machine.ts'
import type { PayoutWaits } from '@kassa/contract/withdrawals/waits.ts'
import type { Cause } from '@kassa/contract/kit/reason.ts'
import { type Insertable, sql, type Updateable } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'
import type { RefundClaimNow, RefundPartRow, WithdrawalRow, WithdrawalTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WithdrawalTables>()

type Verb = keyof typeof withdrawalMachine.moves

/** The id of the next payout, which its digest covers. */
export async function nextWithdrawalId(ctx: Context): Promise<bigint> {
  const { rows } = await sql<{
    id: bigint
  }>`SELECT nextval(pg_get_serial_sequence('withdrawals', 'id')) AS id`.execute(ctx.db)
  return BigInt(rows[0]?.id ?? 0n)
}

export type NewWithdrawal = Omit<Insertable<WithdrawalTables['withdrawals']>, 'created_at' | 'updated_at'>

/** Inserts a payout. */
export async function insertWithdrawal(ctx: Context, values: NewWithdrawal): Promise<WithdrawalRow> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('withdrawals')
    .values({ ...values, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Finds a payout of these projects. */
export async function findWithdrawal(
  ctx: Context,
  id: bigint,
  projectIds: ProjectScope['projectIds'],
): Promise<WithdrawalRow | undefined> {
  return ofProjects(ctx, id, projectIds).executeTakeFirst()
}

/** Locks a payout of these projects until the transaction ends. */
export async function lockWithdrawal(ctx: Context, id: bigint): Promise<WithdrawalRow | undefined> {
  return ofProjects(ctx, id, 'every').forUpdate().executeTakeFirst()
}

function ofProjects(ctx: Context, id: bigint, projectIds: ProjectScope['projectIds']) {
  return tables(ctx)
    .selectFrom('withdrawals')
    .selectAll()
    .where('id', '=', id)
    .$if(projectIds !== 'every', (q) =>
      q.where(sql<boolean>`project_id = ANY(${projectIds === 'every' ? [] : [...projectIds]}::int[])`),
    )
}

/** Finds the id of the project's payout with this client reference. */
export async function findByClientReference(
  ctx: Context,
  projectId: number,
  clientReference: string,
): Promise<bigint | undefined> {
  const row = await tables(ctx)
    .selectFrom('withdrawals')
    .select('id')
    .where('project_id', '=', projectId)
    .where('client_reference', '=', clientReference)
    .executeTakeFirst()
  return row?.id
}

/** The payment of this reference in a project. */
export async function findPaymentId(ctx: Context, projectId: number, reference: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM payments WHERE project_id = ${projectId} AND reference_id::text = ${reference}`.execute(ctx.db)
  return rows[0]?.id
}

/** Lists the customers of these payments of a project. */
export async function listCustomersOf(
  ctx: Context,
  projectId: number,
  references: readonly string[],
): Promise<number[]> {
  const { rows } = await sql<{ customer_id: number }>`
    SELECT DISTINCT customer_id FROM payments
    WHERE project_id = ${projectId} AND reference_id::text = ANY(${[...references]}::text[])`.execute(ctx.db)
  return rows.map((row) => row.customer_id)
}

/** The reference of a payment. */
export async function findReference(ctx: Context, paymentId: bigint): Promise<string | null> {
  const { rows } = await sql<{ reference: string }>`
    SELECT reference_id::text AS reference FROM payments WHERE id = ${paymentId}`.execute(ctx.db)
  return rows[0]?.reference ?? null
}

/** Moves a payout by a verb of its machine and counts the event of the move; undefined when its state does not allow that. */
export async function moveWithdrawal(
  ctx: Context,
  id: bigint,
  verb: Verb,
  changes: Updateable<WithdrawalTables['withdrawals']> = {},
): Promise<WithdrawalRow | undefined> {
  const { from, to } = withdrawalMachine.moves[verb]
  return tables(ctx)
    .updateTable('withdrawals')
    .set((eb) => ({
      ...changes,
      ...(verb === 'decide' && { holds: eb('holds', '+', 1) }),
      ...(verb === 'process' && { settlements: eb('settlements', '+', 1) }),
      status: to,
      sequence: eb('sequence', '+', 1),
      updated_at: ctx.now(),
    }))
    .where('id', '=', id)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst()
}

/** A unit of account: what amounts are counted in. */
export async function findUnit(ctx: Context, id: number): Promise<{ currency_code: string; decimals: number }> {
  const { rows } = await sql<{ currency_code: string; decimals: number }>`
    SELECT currency_code, decimals FROM units WHERE id = ${id}`.execute(ctx.db)
  const [unit] = rows
  if (!unit) throw new Error(`There is no unit of account ${id}`)
  return unit
}

/** Whether a promoter is active; undefined when there is no such promoter. */
export async function findReferrerStatus(ctx: Context, id: number): Promise<'active' | 'inactive' | undefined> {
  const { rows } = await sql<{ status: 'active' | 'inactive' }>`
    SELECT status FROM referrers WHERE id = ${id}`.execute(ctx.db)
  return rows[0]?.status
}

/** When the e-mail address of a promoter was last changed; null: never. */
export async function findEmailChange(ctx: Context, referrerId: number): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT email_changed_at AS at FROM referrers WHERE id = ${referrerId}`.execute(ctx.db)
  return rows[0]?.at ?? null
}

/**
 * Which of these payouts go to an address that paid for a customer whom the promoter brought, or paid for the promoter's own
 * referrer: a sign of self-referral.
 */
export async function listPayerWallets(ctx: Context, ids: readonly bigint[]): Promise<Set<bigint>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: bigint }>`
    SELECT payout.id FROM withdrawals AS payout JOIN referrers AS promoter ON promoter.id = payout.referrer_id
    WHERE payout.id = ANY(${ids.map(String)}::bigint[]) AND EXISTS (
      SELECT FROM referrers AS other
      JOIN customers AS customer ON customer.project_id = other.project_id AND customer.customer_id = other.reference_id
      JOIN deposits AS deposit ON deposit.customer_id = customer.id
      WHERE (other.referred_by = promoter.id OR other.id = promoter.referred_by)
        AND deposit.from_address = payout.to_address AND deposit.status <> 'reverted')`.execute(ctx.db)
  return new Set(rows.map(({ id }) => id))
}

/** Counts the hold of a payout that was decided when it was created. */
export async function countHold(ctx: Context, id: bigint): Promise<WithdrawalRow> {
  return tables(ctx)
    .updateTable('withdrawals')
    .set((eb) => ({ holds: eb('holds', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes columns of a payout other than its state. */
export async function updateWithdrawal(
  ctx: Context,
  id: bigint,
  changes: Updateable<WithdrawalTables['withdrawals']>,
): Promise<WithdrawalRow> {
  return tables(ctx)
    .updateTable('withdrawals')
    .set({ ...changes, updated_at: ctx.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Stores why a payout waits; returns the payout when the reason is new. */
export async function updateWait(
  ctx: Context,
  id: bigint,
  wait: Cause<PayoutWaits> | null,
): Promise<Pick<WithdrawalRow, 'project_id'> | undefined> {
  const params = wait && JSON.stringify(wait.params)
  return tables(ctx)
    .updateTable('withdrawals')
    .set({ wait_code: wait?.code ?? null, wait_params: params, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where(sql<boolean>`(wait_code, wait_params) IS DISTINCT FROM (${wait?.code ?? null}::text, ${params}::jsonb)`)
    .returning('project_id')
    .executeTakeFirst()
}

/**
 * What windows count. One for a decision that is made now has no end: another process, whose clock is ahead, may have decided
 * later by its own time.
 */
export type WindowEnd = {
  /** An hour and a day before this time they begin. */
  readonly now: Date
  /** When the payout was decided that is judged again: what was decided since does not count; null for a decision made now. */
  readonly until: Date | null
}

/** The payout that a sum leaves out, and the list that it leaves out with it, by its first payout. */
export type Except = { readonly id: bigint; readonly listOf: string | null }

/** Sums what was decided within an hour and a day before the time, in US dollars, leaving one payout out, or a list. */
export async function sumWindows(
  ctx: Context,
  { projectId, now, until, except }: WindowEnd & { readonly projectId: number; readonly except: Except | null },
): Promise<{ hourUsd: string; dayUsd: string }> {
  const { rows } = await sql<{ hour: string; day: string }>`
    SELECT coalesce(sum(amount_usd) FILTER (WHERE decided_at > ${now}::timestamptz - interval '1 hour'), 0)::text AS hour,
      coalesce(sum(amount_usd), 0)::text AS day
    FROM withdrawals
    WHERE project_id = ${projectId} AND decided_at > ${now}::timestamptz - interval '24 hours'
      AND (${until}::timestamptz IS NULL OR decided_at <= ${until}::timestamptz)
      AND status IN ('pending', 'initiated', 'sent', 'processed') AND id IS DISTINCT FROM ${except && except.id}::bigint
      AND (decision -> 'list' ->> 'first' = ${except && except.listOf}::text) IS NOT TRUE`.execute(ctx.db)
  return { hourUsd: rows[0]?.hour ?? '0', dayUsd: rows[0]?.day ?? '0' }
}

/** Locks an asset with limits of its own until the transaction ends: no project decides about it meanwhile. */
export async function lockAssetWindow(ctx: Context, assetId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(19270, ${assetId})`.execute(ctx.db)
}

/** Sums what was decided of an asset within one and three days before the time, leaving one payout out. */
export async function sumAsset(
  ctx: Context,
  { assetId, now, until, except }: WindowEnd & { readonly assetId: number; readonly except: bigint | null },
): Promise<{ day: bigint; days: bigint }> {
  const { rows } = await sql<{ day: string; days: string }>`
    SELECT coalesce(sum(units) FILTER (WHERE decided_at > ${now}::timestamptz - interval '24 hours'), 0)::text AS day,
      coalesce(sum(units), 0)::text AS days
    FROM withdrawals
    WHERE asset_id = ${assetId} AND decided_at > ${now}::timestamptz - interval '72 hours'
      AND (${until}::timestamptz IS NULL OR decided_at <= ${until}::timestamptz)
      AND status IN ('pending', 'initiated', 'sent', 'processed') AND id IS DISTINCT FROM ${except}::bigint`.execute(
    ctx.db,
  )
  return { day: BigInt(rows[0]?.day ?? 0), days: BigInt(rows[0]?.days ?? 0) }
}

/** When a project first requested a payout to an address that also arrived there. */
export async function findFirstPaid(
  ctx: Context,
  asked: { projectId: number; blockchainId: number; address: string; except: bigint | null },
): Promise<Date | null> {
  const { projectId, blockchainId, address, except } = asked
  const { rows } = await sql<{ since: Date | null }>`
    SELECT min(created_at) AS since FROM withdrawals WHERE project_id = ${projectId}
      AND blockchain_id = ${blockchainId} AND to_address = ${address} AND status = 'processed'
      AND id IS DISTINCT FROM ${except}::bigint`.execute(ctx.db)
  return rows[0]?.since ?? null
}

export type StuckSend = { readonly id: bigint; readonly fee_asset_id: number; readonly fee_ceiling: string }

/** A send that no block takes although its fee reached the ceiling. */
export async function findStuckSend(ctx: Context, sendId: bigint): Promise<StuckSend | undefined> {
  const { rows } = await sql<StuckSend>`
    SELECT id, fee_asset_id, fee_ceiling::text AS fee_ceiling FROM sends
    WHERE id = ${sendId} AND stuck_at IS NOT NULL`.execute(ctx.db)
  return rows[0]
}

/** Counts that an operator raised the fee ceiling of a payout. */
export async function countRetry(ctx: Context, id: bigint): Promise<WithdrawalRow> {
  return tables(ctx)
    .updateTable('withdrawals')
    .set((eb) => ({
      retry_count: eb('retry_count', '+', 1),
      last_retry_at: ctx.now(),
      updated_at: ctx.now(),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Whose money each part of a refund is now. A part of unmatched money belongs to the project when its deposit counts for a
 * payment since, and is a loss when the chain took the deposit back.
 */
export async function listClaims(ctx: Context, id: bigint): Promise<{ claim: RefundClaimNow; units: string }[]> {
  const { rows } = await sql<{ claim: RefundClaimNow; units: string }>`
    SELECT CASE WHEN part.claim = 'project:balance' THEN part.claim
        WHEN deposit.status = 'unapplied' THEN part.claim
        WHEN deposit.status = 'applied' THEN 'project:balance'
        ELSE 'losses:reorg' END AS claim, part.units::text AS units
    FROM refund_parts AS part JOIN deposits AS deposit ON deposit.id = part.deposit_id
    WHERE part.withdrawal_id = ${id} ORDER BY part.deposit_id`.execute(ctx.db)
  return rows
}

/** Which deposits a refund gives back; none for a payout that is no refund. */
export async function listRefundParts(ctx: Context, id: bigint): Promise<RefundPartRow[]> {
  return tables(ctx)
    .selectFrom('refund_parts')
    .selectAll()
    .where('withdrawal_id', '=', id)
    .orderBy('deposit_id')
    .execute()
}

/** The payouts that a sender may sign now, oldest first. */
export async function listPendingIds(ctx: Context, limit: number, after: bigint): Promise<bigint[]> {
  const rows = await tables(ctx)
    .selectFrom('withdrawals')
    .select('id')
    .where('status', '=', 'pending')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether a project takes writes. It is not archived meanwhile, because archiving locks the policy as well. */
export async function isActive(ctx: Context, projectId: number): Promise<boolean> {
  const { rows } = await sql`SELECT FROM projects WHERE id = ${projectId} AND status = 'active'`.execute(ctx.db)
  return rows.length === 1
}

/** Whether a project has payouts that have not ended. */
export async function hasOpen(ctx: Context, projectId: number): Promise<boolean> {
  const row = await tables(ctx)
    .selectFrom('withdrawals')
    .select('id')
    .where('project_id', '=', projectId)
    .where('status', 'in', OPEN_STATES)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether payouts to a recipient have not ended. */
export async function hasOpenTo(ctx: Context, recipientId: number): Promise<boolean> {
  const row = await tables(ctx)
    .selectFrom('withdrawals')
    .select('id')
    .where('recipient_id', '=', recipientId)
    .where('status', 'in', OPEN_STATES)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
