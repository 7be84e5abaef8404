import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { rowsInto } from '../../../db/recordset.ts'
import type { RewardCause } from './rules.ts'

export type WaitingRow = {
  readonly campaign_id: number
  readonly member_id: number
  readonly id: bigint
  readonly event_key: string
  readonly amount: string | null
  readonly triggered_at: Date
  readonly payment_id: bigint | null
  readonly basis: string | null
}

/** The logs of members that wait for the rest of a set of these campaigns, oldest first. */
export async function listWaiting(
  ctx: Context,
  memberIds: readonly number[],
  campaignIds: readonly number[],
): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    SELECT part.campaign_id, part.member_id, log.id, event.key AS event_key, log.amount::text AS amount, log.triggered_at,
      log.payment_id, log.basis::text AS basis
    FROM event_log_uses AS part
    JOIN event_logs AS log ON log.id = part.log_id
    JOIN referral_events AS event ON event.id = log.event_id
    WHERE part.member_id = ANY(${[...memberIds]}::int[]) AND part.campaign_id = ANY(${[...campaignIds]}::int[])
      AND part.outcome = 'waits'
    ORDER BY log.id`.execute(ctx.db)
  return rows
}

export type Use = {
  readonly campaignId: number
  readonly logId: bigint
  readonly memberId: number
  readonly outcome: 'rewarded' | 'waits' | 'refused'
  readonly setLogId: bigint | null
  readonly cause: RewardCause | null
}

/** Stores what campaigns made of logs; a log that waited for the rest of its set gets the outcome of the set. */
export async function upsertUses(ctx: Context, uses: readonly Use[]): Promise<void> {
  if (uses.length === 0) return
  const at = ctx.now()
  const rows = uses.map(({ campaignId, logId, memberId, outcome, setLogId, cause }) => ({
    campaign_id: campaignId,
    log_id: logId,
    member_id: memberId,
    outcome,
    set_log_id: setLogId,
    reason_code: cause?.code ?? null,
    reason_params: cause?.params ?? null,
    at,
  }))
  await sql`
    INSERT INTO ${rowsInto('event_log_uses', rows)}
    ON CONFLICT (campaign_id, log_id) DO UPDATE SET outcome = excluded.outcome, set_log_id = excluded.set_log_id,
      reason_code = excluded.reason_code, reason_params = excluded.reason_params, at = excluded.at
    WHERE event_log_uses.outcome = 'waits'`.execute(ctx.db)
}

/** Lists the campaigns that rewarded these logs, or still may. */
export async function listCampaignsOfLogs(ctx: Context, logIds: readonly bigint[]): Promise<number[]> {
  const { rows } = await sql<{ campaign_id: number }>`
    SELECT DISTINCT campaign_id FROM event_log_uses
    WHERE log_id = ANY(${logIds.map(String)}::bigint[]) AND outcome <> 'refused' ORDER BY campaign_id`.execute(ctx.db)
  return rows.map(({ campaign_id }) => campaign_id)
}

/** A set that was rewarded: its campaign, and the log that completed it. */
export type SetKey = { readonly campaignId: number; readonly setLogId: bigint }

/** The rewarded sets that logs are part of. */
export async function listSetsOfLogs(ctx: Context, logIds: readonly bigint[]): Promise<SetKey[]> {
  const { rows } = await sql<{ campaign_id: number; set_log_id: bigint }>`
    SELECT DISTINCT campaign_id, set_log_id FROM event_log_uses
    WHERE log_id = ANY(${logIds.map(String)}::bigint[]) AND outcome = 'rewarded'
    ORDER BY campaign_id, set_log_id`.execute(ctx.db)
  return rows.map((row) => ({ campaignId: row.campaign_id, setLogId: row.set_log_id }))
}

export type BoundRow = {
  readonly campaign_id: number
  readonly set_log_id: bigint
  readonly payment_id: bigint
  readonly basis: string
}

/** Lists the payments that sets depend on, with what each had brought when it was counted. */
export async function listBoundPayments(ctx: Context, sets: readonly SetKey[]): Promise<BoundRow[]> {
  if (sets.length === 0) return []
  const { rows } = await sql<BoundRow>`
    SELECT part.campaign_id, part.set_log_id, log.payment_id, log.basis::text AS basis
    FROM unnest(
      ${sets.map(({ campaignId }) => campaignId)}::int[], ${sets.map(({ setLogId }) => String(setLogId))}::bigint[]
    ) AS wanted (campaign_id, set_log_id)
    JOIN event_log_uses AS part USING (campaign_id, set_log_id)
    JOIN event_logs AS log ON log.id = part.log_id
    WHERE part.outcome = 'rewarded' AND log.payment_id IS NOT NULL AND log.basis IS NOT NULL`.execute(ctx.db)
  return rows
}
