import { depositMachine } from '@kassa/contract/deposits/machine.ts'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { DepositTables } from './tables.ts'
import type { FinalityRule } from './deposit.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<DepositTables>()

const SEEN = depositMachine.moves.confirm.from

/**
 * Lists the deposits that would be final if a second source had spoken for them: those nobody was asked about first, then
 * those asked about longest ago, so that some that cannot be answered never keep the others waiting.
 */
export async function listWithoutOpinion(
  ctx: Context,
  { blockchainId, tip, finalized, limit }: { blockchainId: number; tip: number; finalized: number; limit: number },
): Promise<Unproven[]> {
  const rows = await tables(ctx)
    .selectFrom('deposits')
    .select(['id', 'height', 'block_hash', 'tx_id', 'leg', 'asset_id', 'to_address', 'units', 'evidence'])
    .select(['confirmations_required', 'rule'])
    .where('blockchain_id', '=', blockchainId)
    .where('status', 'in', SEEN)
    .where('quorum_required', '=', true)
    .where('quorum', '=', 0)
    .where('doubt', 'is', null)
    .where(
      sql<boolean>`(height <= ${finalized} OR (rule = 'depth' AND height <= ${tip}::bigint - confirmations_required + 1))`,
    )
    .orderBy(sql`(SELECT max(asked_at) FROM node_opinions WHERE deposit_id = deposits.id) NULLS FIRST`)
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

/** What each verdict makes of a deposit. */
const CONSEQUENCES = {
  agrees: { quorum: 2, doubt: null },
  differs: { quorum: 0, doubt: 'NODE_DISAGREEMENT' },
  alone: { quorum: 1, doubt: null },
  silent: { quorum: 0, doubt: null },
} as const

/** Writes what a second source said of a deposit that still waits for it; false when it does not any more. */
export async function updateOpinion(ctx: Context, { depositId, verdict, details }: CrossCheck): Promise<boolean> {
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('deposits')
    .set({ ...CONSEQUENCES[verdict], waits_because: verdict === 'silent' ? details : null })
    .where('id', '=', depositId)
    .where('status', 'in', SEEN)
    .where('quorum', '=', 0)
    .where('doubt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Keeps the newest answer of a node about a deposit. */
export async function upsertNodeOpinion(
  ctx: Context,
  { depositId, nodeId, verdict, details }: CrossCheck & { nodeId: number },
): Promise<void> {
  await sql`
    INSERT INTO node_opinions (deposit_id, node_id, verdict, details, asked_at)
    VALUES (${depositId}, ${nodeId}, ${verdict}, ${details}, ${ctx.now()})
    ON CONFLICT (deposit_id, node_id) DO UPDATE SET verdict = excluded.verdict, details = excluded.details,
      asked_at = excluded.asked_at`.execute(ctx.db)
}

/** A deposit that is deep enough and waits for a second source. */
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
  /** `alone`: nobody else can tell. `silent`: somebody could, and does not answer. */
  readonly verdict: 'agrees' | 'differs' | 'silent' | 'alone'
  /** What it said, or why the deposit waits; a sentence for people. */
  readonly details: string
}
