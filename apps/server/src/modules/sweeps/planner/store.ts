import { sql } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'

export type CandidateRow = {
  readonly address_id: bigint
  readonly address: string
  readonly derivation_index: number
  readonly project_id: number | null
  readonly wallet_id: number
  readonly wallet_sub_type: 'scw' | 'eoa'
  readonly units: string
  readonly since: Date
  readonly is_quarantined: boolean
  readonly locked_until: Date | null
  readonly is_first: boolean
}

type Asked = {
  readonly assetId: number
  readonly blockchainId: number
  readonly walletId: number | null
  readonly addressIds: readonly number[] | null
  readonly projectIds: ProjectScope['projectIds']
}

/**
 * Lists what deposit addresses hold of an asset by the ledger, with everything that decides whether it may be swept. Money that
 * became final while a sweep of its address was under way was not part of that sweep: it waits since the sweep arrived.
 */
export async function listCandidates(ctx: Context, asked: Asked): Promise<CandidateRow[]> {
  const { assetId, blockchainId, walletId, addressIds, projectIds } = asked
  const { rows } = await sql<CandidateRow>`
    SELECT address.id AS address_id, address.address, address.derivation_index, address.project_id, address.wallet_id,
      wallet.wallet_sub_type, (account.debits - account.credits)::text AS units,
      coalesce(
        (SELECT min(deposit.final_at) FROM deposits AS deposit
          WHERE deposit.address_id = address.id AND deposit.asset_id = ${assetId} AND deposit.final_at IS NOT NULL
            AND deposit.status <> 'reverted' AND deposit.final_at > coalesce(held.swept_at, '-infinity')),
        held.swept_at, ${ctx.now()}) AS since,
      EXISTS (SELECT FROM deposits AS deposit
        WHERE deposit.address_id = address.id AND deposit.asset_id = ${assetId} AND deposit.status IN ('seen', 'quarantined')
          AND (deposit.status = 'quarantined' OR deposit.quarantine_reason IS NOT NULL)) AS is_quarantined,
      CASE WHEN held.state = 'sweep-initiated' THEN coalesce(held.locked_until, ${ctx.now()}) END AS locked_until,
      NOT EXISTS (SELECT FROM sweep_items AS item JOIN sweeps AS sweep ON sweep.id = item.sweep_id
        WHERE item.address_id = address.id AND item.state = 'swept' AND sweep.blockchain_id = ${blockchainId}) AS is_first
    FROM accounts AS account
    JOIN addresses AS address ON address.id = split_part(account.owner_key, ':', 2)::bigint
    JOIN wallets AS wallet ON wallet.id = address.wallet_id
    LEFT JOIN address_sweeps AS held ON held.address_id = address.id AND held.asset_id = ${assetId}
    WHERE account.kind = 'chain:deposit-addresses' AND account.unit_id = ${assetId} AND account.debits > account.credits
      AND (${walletId}::int IS NULL OR address.wallet_id = ${walletId})
      AND ${addressIds === null ? sql`true` : sql`address.id = ANY(${[...addressIds]}::bigint[])`}
      AND ${projectIds === 'every' ? sql`true` : sql`address.project_id = ANY(${[...projectIds]}::int[])`}
    ORDER BY address.id`.execute(ctx.db)
  return rows
}

/** A block that was read without traces makes a blockchain untraced for this many blocks. */
const UNTRACED_BLOCKS = 256

/** Whether the newest blocks of a blockchain were read with traces, which show what contracts forwarded. */
export async function isTraced(ctx: Context, blockchainId: number): Promise<boolean> {
  const { rows } = await sql<{ traced: boolean }>`
    SELECT untraced_to < height - ${UNTRACED_BLOCKS}::bigint OR untraced_to < 0 AS traced FROM chain_cursors
    WHERE blockchain_id = ${blockchainId}`.execute(ctx.db)
  return rows[0]?.traced ?? false
}

export type WalletFacts = { readonly name: string; readonly status: string; readonly wallet_sub_type: 'scw' | 'eoa' }

/** The facts of wallets, by id. */
export async function listWalletFacts(ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, WalletFacts>> {
  const { rows } = await sql<WalletFacts & { id: number }>`
    SELECT id, name, status, wallet_sub_type FROM wallets WHERE id = ANY(${[...ids]}::int[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}
