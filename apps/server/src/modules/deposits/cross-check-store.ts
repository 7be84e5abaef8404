import { depositMachine } from '@kassa/contract/deposits/machine.ts'
import type { DepositWait } from '@kassa/contract/deposits/waits.ts'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { DepositTables } from './tables.ts'
import type { FinalityRule } from './deposit.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<DepositTables>()

/**
 * Lists the deposits that only lack a cross-check to be final: first those never checked, then those checked longest
 * ago, so that some without an answer do not block the others.
 */
export async function listWithoutCrossCheck(
  ctx: Context,
  { blockchainId, tip, finalized, limit }: { blockchainId: number; tip: number; finalized: number; limit: number },
): Promise<Unproven[]> {
  const rows = await tables(ctx)
    .selectFrom('deposits')
    .select(['id', 'height', 'block_hash', 'tx_id', 'leg', 'asset_id', 'to_address', 'units', 'evidence'])
    .select(['confirmations_required', 'rule'])
    .where('blockchain_id', '=', blockchainId)
    .where('status', '=', depositMachine.initial)
    .where('quorum_required', '=', true)
    .where('quorum', '=', 0)
    .where('quarantine_reason', 'is', null)
    .where(
      sql<boolean>`(height <= ${finalized} OR (rule = 'depth' AND height <= ${tip}::bigint - confirmations_required + 1))`,
    )
    .orderBy(sql`(SELECT max(asked_at) FROM cross_checks WHERE deposit_id = deposits.id) NULLS FIRST`)
    .orderBy('height')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    height: Number(row.height),
    blockHash: row.block_hash,
    txId: row.tx_id,
    leg: row.leg,
    assetId: row.asset_id,
    to: row.to_address,
    units: BigInt(row.units),
    evidence: row.evidence,
    confirmationsRequired: row.confirmations_required,
    rule: row.rule,
  }))
}

/** How much of an asset live deposits in one block brought to one address. */
export async function sumInBlock(
  ctx: Context,
  blockchainId: number,
  { assetId, to, blockHash }: Pick<Unproven, 'assetId' | 'to' | 'blockHash'>,
): Promise<bigint> {
  const row = await tables(ctx)
    .selectFrom('deposits')
    .select(sql<string>`coalesce(sum(units), 0)::text`.as('units'))
    .where('blockchain_id', '=', blockchainId)
    .where('block_hash', '=', blockHash)
    .where('asset_id', '=', assetId)
    .where('to_address', '=', to)
    .where('status', '<>', 'reverted')
    .executeTakeFirstOrThrow()
  return BigInt(row.units)
}

/** What each verdict sets on a deposit. */
const CONSEQUENCES = {
  agrees: { quorum: 2, quarantine_reason: null },
  differs: { quorum: 0, quarantine_reason: 'NODE_DISAGREEMENT' },
  alone: { quorum: 1, quarantine_reason: null },
  silent: { quorum: 0, quarantine_reason: null },
} as const

/** Writes the result of a cross-check on a deposit that still waits for it; false when it does not wait any more. */
export async function updateCrossCheck(ctx: Context, { depositId, verdict, waits }: CrossCheck): Promise<boolean> {
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('deposits')
    .set({ ...CONSEQUENCES[verdict], waits })
    .where('id', '=', depositId)
    .where('status', '=', depositMachine.initial)
    .where('quorum', '=', 0)
    .where('quarantine_reason', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Stores the newest answer of a node about a deposit. */
export async function upsertCrossCheck(
  ctx: Context,
  { depositId, nodeId, verdict, details }: CrossCheck & { nodeId: number },
): Promise<void> {
  await sql`
    INSERT INTO cross_checks (deposit_id, node_id, verdict, details, asked_at)
    VALUES (${depositId}, ${nodeId}, ${verdict}, ${details}, ${ctx.now()})
    ON CONFLICT (deposit_id, node_id) DO UPDATE SET verdict = excluded.verdict, details = excluded.details,
      asked_at = excluded.asked_at`.execute(ctx.db)
}

/** A deposit that is deep enough and waits for its cross-check. */
export type Unproven = {
  readonly id: bigint
  readonly height: number
  readonly blockHash: string
  readonly txId: string
  readonly leg: string
  readonly assetId: number
  readonly to: string
  readonly units: bigint
  readonly evidence: string
  readonly confirmationsRequired: number
  readonly rule: FinalityRule
}

export type CrossCheck = {
  readonly depositId: bigint
  /** The node that was asked; null when there is none to ask, or none answers. */
  readonly nodeId: number | null
  /** `alone`: no other node can confirm it. `silent`: one could, and does not answer. */
  readonly verdict: 'agrees' | 'differs' | 'silent' | 'alone'
  /** Its answer; a sentence for people. */
  readonly details: string
  /** Why the deposit waits; null unless it was `silent`. */
  readonly waits: DepositWait | null
}
