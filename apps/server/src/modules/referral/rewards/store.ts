import type { RewardedSide, RewardStatus } from '@kassa/contract/referral/machine.ts'
import type { RewardReversal } from '@kassa/contract/referral/reasons.ts'
import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

export type RewardRow = {
  readonly id: bigint
  readonly project_id: number
  readonly campaign_id: number
  readonly set_log_id: bigint
  readonly side: RewardedSide
  readonly referrer_id: number
  readonly related_id: number
  readonly unit_id: number
  readonly units: string
  readonly reversed_units: string
  readonly held_units: string
  readonly paid_units: string
  readonly status: RewardStatus
  readonly reason_code: RewardReversal | null
  readonly revision: number
  readonly triggered_at: Date
  readonly created_at: Date
  readonly updated_at: Date
}

export type NewReward = {
  readonly projectId: number
  readonly campaignId: number
  readonly setLogId: bigint
  readonly side: RewardedSide
  readonly referrerId: number
  readonly relatedId: number
  readonly unitId: number
  readonly units: bigint
  readonly triggeredAt: Date
}

/** Stores rewards, in the order given. */
export async function insertRewards(ctx: Context, rewards: readonly NewReward[]): Promise<RewardRow[]> {
  if (rewards.length === 0) return []
  const { rows } = await sql<RewardRow>`
    INSERT INTO rewards (project_id, campaign_id, set_log_id, side, referrer_id, related_id, unit_id, units, triggered_at,
      created_at, updated_at)
    SELECT project_id, campaign_id, set_log_id, side, referrer_id, related_id, unit_id, units, triggered_at,
      ${ctx.now()}, ${ctx.now()}
    FROM unnest(
      ${rewards.map(({ projectId }) => projectId)}::int[], ${rewards.map(({ campaignId }) => campaignId)}::int[],
      ${rewards.map(({ setLogId }) => String(setLogId))}::bigint[], ${rewards.map(({ side }) => side)}::text[],
      ${rewards.map(({ referrerId }) => referrerId)}::int[], ${rewards.map(({ relatedId }) => relatedId)}::int[],
      ${rewards.map(({ unitId }) => unitId)}::int[], ${rewards.map(({ units }) => String(units))}::numeric[],
      ${rewards.map(({ triggeredAt }) => triggeredAt)}::timestamptz[]
    ) WITH ORDINALITY AS input (project_id, campaign_id, set_log_id, side, referrer_id, related_id, unit_id, units,
      triggered_at, n)
    ORDER BY n
    RETURNING *`.execute(ctx.db)
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/**
 * The status of a reward from its amounts: `held` while a withdrawal takes any of it, `reversed` when nothing is left,
 * `processed` when all that is left was paid.
 */
const STATUS = (reversed: ReturnType<typeof sql>) => sql`CASE WHEN held_units > 0 THEN 'held'
  WHEN ${reversed} >= units THEN 'reversed' WHEN paid_units >= units - ${reversed} THEN 'processed' ELSE 'pending' END`

export type Reversed = { readonly id: bigint; readonly reversed: bigint; readonly reason: RewardReversal | null }

/** Sets how much of rewards is reversed, each under its next revision; returns them by their ids, oldest first. */
export async function updateReversed(ctx: Context, changes: readonly Reversed[]): Promise<RewardRow[]> {
  if (changes.length === 0) return []
  const { rows } = await sql<RewardRow>`
    UPDATE rewards SET reversed_units = change.reversed, reason_code = change.reason, revision = revision + 1,
      status = ${STATUS(sql`change.reversed`)}, updated_at = ${ctx.now()}
    FROM unnest(
      ${changes.map(({ id }) => String(id))}::bigint[], ${changes.map(({ reversed }) => String(reversed))}::numeric[],
      ${changes.map(({ reason }) => reason)}::text[]
    ) AS change (id, reversed, reason)
    WHERE rewards.id = change.id RETURNING rewards.*`.execute(ctx.db)
  if (rows.length !== changes.length) throw new Error(`Of ${changes.length} rewards ${rows.length} are there`)
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** The rewards of these sets, oldest first: each set is a campaign with the log that completed it. */
export async function listRewardsOfSets(
  ctx: Context,
  sets: readonly { readonly campaignId: number; readonly setLogId: bigint }[],
): Promise<RewardRow[]> {
  if (sets.length === 0) return []
  const { rows } = await sql<RewardRow>`
    SELECT reward.* FROM unnest(
      ${sets.map(({ campaignId }) => campaignId)}::int[], ${sets.map(({ setLogId }) => String(setLogId))}::bigint[]
    ) AS wanted (campaign_id, set_log_id) JOIN rewards AS reward USING (campaign_id, set_log_id)
    ORDER BY reward.id`.execute(ctx.db)
  return rows
}

/** A person on one side of a campaign. */
export type PersonKey = { readonly campaignId: number; readonly side: RewardedSide; readonly referrerId: number }

export type PastRow = {
  readonly campaign_id: number
  readonly side: RewardedSide
  readonly referrer_id: number
  readonly count: number
  readonly units: string
  readonly first_at: Date | null
}

/** Lists what campaigns gave people so far, without completely reversed rewards; people without any are absent. */
export async function listPast(ctx: Context, keys: readonly PersonKey[]): Promise<PastRow[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<PastRow>`
    SELECT campaign_id, side, referrer_id, count(*)::int AS count, sum(units - reversed_units)::text AS units,
      min(triggered_at) AS first_at
    FROM unnest(
      ${keys.map(({ campaignId }) => campaignId)}::int[], ${keys.map(({ side }) => side)}::text[],
      ${keys.map(({ referrerId }) => referrerId)}::int[]
    ) AS wanted (campaign_id, side, referrer_id) JOIN rewards USING (campaign_id, side, referrer_id)
    WHERE reversed_units < units GROUP BY campaign_id, side, referrer_id`.execute(ctx.db)
  return rows
}

/** Finds the rewards of a person that are owed in one currency, oldest first, and locks them. */
export async function lockOpenRewards(ctx: Context, referrerId: number, unitId: number): Promise<RewardRow[]> {
  const { rows } = await sql<RewardRow>`
    SELECT * FROM rewards
    WHERE referrer_id = ${referrerId} AND unit_id = ${unitId} AND status IN ('pending', 'held')
      AND units - reversed_units > held_units + paid_units
    ORDER BY id FOR NO KEY UPDATE`.execute(ctx.db)
  return rows
}

/** Stores that a withdrawal takes units of rewards. */
export async function insertSettlements(
  ctx: Context,
  withdrawalId: bigint,
  parts: readonly { readonly rewardId: bigint; readonly units: bigint }[],
): Promise<void> {
  const ids = parts.map(({ rewardId }) => String(rewardId))
  const units = parts.map((part) => String(part.units))
  await sql`
    INSERT INTO reward_settlements (reward_id, withdrawal_id, units, status, created_at, updated_at)
    SELECT part.id, ${withdrawalId}, part.units, 'held', ${ctx.now()}, ${ctx.now()}
    FROM unnest(${ids}::bigint[], ${units}::numeric[]) AS part (id, units)`.execute(ctx.db)
  await sql`
    UPDATE rewards SET held_units = held_units + part.units, status = 'held', updated_at = ${ctx.now()}
    FROM unnest(${ids}::bigint[], ${units}::numeric[]) AS part (id, units) WHERE rewards.id = part.id`.execute(ctx.db)
}

/**
 * Moves what a withdrawal takes from one state to another, with its rewards, and returns how much: `held` becomes `released` or
 * `paid`, and `paid` becomes `held` again when a reorganisation drops the block that paid it.
 */
export async function moveSettlements(
  ctx: Context,
  withdrawalId: bigint,
  { from, to }: { readonly from: 'held' | 'paid'; readonly to: 'held' | 'paid' | 'released' },
): Promise<bigint> {
  const heldChange = to === 'held' ? sql`part.units` : sql`-part.units`
  const paidChange = to === 'paid' ? sql`part.units` : from === 'paid' ? sql`-part.units` : sql`0`
  const held = sql`(rewards.held_units + ${heldChange})`
  const paid = sql`(rewards.paid_units + ${paidChange})`
  const { rows } = await sql<{ units: string }>`
    WITH part AS (
      UPDATE reward_settlements SET status = ${to}, updated_at = ${ctx.now()}
      WHERE withdrawal_id = ${withdrawalId} AND status = ${from} RETURNING reward_id, units
    ), moved AS (
      UPDATE rewards SET held_units = ${held}, paid_units = ${paid}, updated_at = ${ctx.now()},
        status = CASE WHEN ${held} > 0 THEN 'held' WHEN reversed_units >= rewards.units THEN 'reversed'
          WHEN ${paid} >= rewards.units - reversed_units THEN 'processed' ELSE 'pending' END
      FROM part WHERE rewards.id = part.reward_id
    )
    SELECT coalesce(sum(units), 0)::text AS units FROM part`.execute(ctx.db)
  return BigInt(rows[0]?.units ?? 0)
}

/** Finds whose rewards a withdrawal takes, and in which currency; undefined when it takes none. */
export async function findSettled(
  ctx: Context,
  withdrawalId: bigint,
): Promise<
  | { readonly reward_id: bigint; readonly referrer_id: number; readonly unit_id: number; readonly project_id: number }
  | undefined
> {
  const { rows } = await sql<{ reward_id: bigint; referrer_id: number; unit_id: number; project_id: number }>`
    SELECT part.reward_id, reward.referrer_id, reward.unit_id, reward.project_id
    FROM reward_settlements AS part JOIN rewards AS reward ON reward.id = part.reward_id
    WHERE part.withdrawal_id = ${withdrawalId} ORDER BY part.reward_id LIMIT 1`.execute(ctx.db)
  return rows[0]
}
