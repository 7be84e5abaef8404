import type { AddressSweepState, PermissionKind, SweepPermissionState } from '@kassa/contract/sweeps/machine.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'
import { keysetOf } from '../../../db/lists/keyset.ts'
import type { PageRequest } from '../../../paging/paging.ts'
import { NEEDS_GAS } from '../record/store.ts'

/** An address of an extended public key that holds an asset by the ledger, with the state of its permission. */
export type Candidate = {
  readonly id: bigint
  readonly address: string
  readonly path: string
  readonly derivationIndex: number
  readonly familyId: number
  readonly walletId: number
  readonly walletName: string
  readonly units: bigint
  readonly coinUnits: bigint
  readonly state: AddressSweepState
  readonly lockedUntil: Date | null
  readonly batchId: bigint | null
  readonly kind: PermissionKind | null
  readonly permissionState: SweepPermissionState | null
  readonly topUp: { readonly units: bigint; readonly isSent: boolean; readonly isFinal: boolean }
}

export type CandidateFilter = {
  readonly blockchainId: number
  readonly assetId: number
  readonly coinId: number
  /** The sweep contract in use; permissions for another one do not count. Null where there is none. */
  readonly vault: string | null
  readonly projectIds: ProjectScope['projectIds']
  readonly walletId?: number | undefined
  readonly addressIds?: readonly bigint[] | undefined
  readonly states?: readonly AddressSweepState[] | undefined
}

type Row = {
  readonly id: bigint
  readonly address: string
  readonly path: string
  readonly derivation_index: number
  readonly family_id: number
  readonly wallet_id: number
  readonly wallet_name: string
  readonly units: string
  readonly coin_units: string
  readonly state: AddressSweepState
  readonly locked_until: Date | null
  readonly batch_id: bigint | null
  readonly kind: PermissionKind | null
  readonly permission_state: SweepPermissionState | null
  readonly top_up_units: string
  readonly is_sent: boolean
  readonly is_final: boolean
  readonly sortKey: string
}

/**
 * Selects addresses. It leaves out every address with money on hold, because a permission would cover all of its money (S-8). A
 * transfer that was signed for one amount does not permit what arrives later. What a sweep is already moving is shown by that
 * sweep.
 */
function selection(now: Date, filter: CandidateFilter): RawBuilder<unknown> {
  const { blockchainId, assetId, coinId, vault, projectIds, walletId, addressIds } = filter
  return sql`
    SELECT address.id, address.address, address.path, address.derivation_index, address.family_id, address.wallet_id,
      wallet.name AS wallet_name, (account.debits - account.credits) AS units,
      coalesce(coin.debits - coin.credits, 0) AS coin_units,
      asked.locked_until, asked.batch_id, coalesce(permission.kind, asked.kind) AS kind, permission.state AS permission_state,
      coalesce(asked.top_up_units, 0) AS top_up_units, asked.top_up_send_id IS NOT NULL AS is_sent,
      asked.topped_up_at IS NOT NULL AS is_final,
      CASE
        WHEN EXISTS (SELECT FROM address_sweeps AS sweep WHERE sweep.address_id = address.id AND sweep.asset_id = ${assetId}
          AND sweep.state = 'sweep-initiated') THEN 'sweep-initiated'
        WHEN permission.state IN ('approved', 'used') THEN 'approved'
        WHEN permission.state IN ('signed', 'broadcast') OR asked.state = 'open' THEN 'pending-approval'
        ELSE 'idle'
      END AS state
    FROM accounts AS account
    JOIN addresses AS address ON address.id = split_part(account.owner_key, ':', 2)::bigint
    JOIN wallets AS wallet ON wallet.id = address.wallet_id AND wallet.wallet_type = 'deposit_wallet' AND wallet.wallet_sub_type = 'eoa'
    LEFT JOIN accounts AS coin ON coin.kind = account.kind AND coin.owner_key = account.owner_key AND coin.unit_id = ${coinId}
    LEFT JOIN LATERAL (
      SELECT * FROM sweep_permissions WHERE address_id = address.id AND blockchain_id = ${blockchainId}
        AND (asset_id = ${assetId} OR asset_id IS NULL) AND state <> 'stale' AND NOT (kind = 'transfer_tx' AND state = 'used')
        AND (vault = ${vault} OR kind = 'transfer_tx')
      ORDER BY state IN ('approved', 'used') DESC, id DESC LIMIT 1
    ) AS permission ON true
    LEFT JOIN LATERAL (
      SELECT * FROM sweep_approvals WHERE address_id = address.id AND asset_id = ${assetId}
        AND (id = permission.approval_id OR (state = 'open' AND locked_until > ${now}))
      ORDER BY id DESC LIMIT 1
    ) AS asked ON true
    WHERE account.kind = 'chain:deposit-addresses' AND account.unit_id = ${assetId} AND account.debits > account.credits
      AND ${ofProjects(projectIds)}
      AND (${walletId ?? null}::int IS NULL OR address.wallet_id = ${walletId ?? null})
      AND (${addressIds ? addressIds.map(String) : null}::bigint[] IS NULL
        OR address.id = ANY(${addressIds ? addressIds.map(String) : null}::bigint[]))
      AND NOT EXISTS (SELECT FROM deposits AS deposit WHERE deposit.address_id = address.id AND deposit.asset_id = ${assetId}
        AND deposit.status = 'quarantined')`
}

function ofProjects(projectIds: ProjectScope['projectIds']): RawBuilder<unknown> {
  return projectIds === 'every' ? sql`true` : sql`address.project_id = ANY(${[...projectIds]}::int[])`
}

function inStates({ states }: CandidateFilter): RawBuilder<boolean> {
  return states ? sql<boolean>`state = ANY(${[...states]}::text[])` : sql<boolean>`true`
}

/** Lists a page of addresses and one more, by their balance. */
export async function listCandidates(
  ctx: Context,
  filter: CandidateFilter,
  page: PageRequest<'units'>,
): Promise<(Candidate & { readonly sortKey: string })[]> {
  const keys = { column: sql`candidate.units`, type: 'numeric', id: sql`candidate.id` }
  const { beyond, end } = keysetOf(page, keys)
  const { rows } = await sql<Row>`
    SELECT *, units::text AS units, coin_units::text AS coin_units, top_up_units::text AS top_up_units, units::text AS "sortKey"
    FROM (${selection(ctx.now(), filter)}) AS candidate
    WHERE ${inStates(filter)} AND ${beyond} ${end}`.execute(ctx.db)
  return rows.map((row) => ({ ...fromRow(row), sortKey: row.sortKey }))
}

/** Counts addresses by the state of their permission. */
export async function countCandidates(
  ctx: Context,
  filter: CandidateFilter,
): Promise<ReadonlyMap<AddressSweepState, number>> {
  const { rows } = await sql<{ state: AddressSweepState; count: number }>`
    SELECT state, count(*)::int AS count FROM (${selection(ctx.now(), filter)}) AS candidate
    WHERE ${inStates(filter)} GROUP BY state`.execute(ctx.db)
  return new Map(rows.map(({ state, count }) => [state, count]))
}

/** An address for which a delegation can be signed ahead, whether or not anybody has paid to it. */
export type AheadAddress = {
  readonly id: bigint
  readonly address: string
  readonly path: string
  readonly derivationIndex: number
  readonly familyId: number
  readonly walletId: number
  readonly units: bigint
}

/** The first addresses of a wallet in a family, by index, that signed no delegation to this sweep contract on a blockchain. */
export async function listAhead(
  ctx: Context,
  { walletId, familyId, blockchainId, coinId, vault, limit }: AheadAsk,
): Promise<AheadAddress[]> {
  const { rows } = await sql<Row>`
    SELECT address.*, coalesce(coin.debits - coin.credits, 0)::text AS units FROM addresses AS address
    JOIN wallets AS wallet ON wallet.id = address.wallet_id AND wallet.wallet_type = 'deposit_wallet' AND wallet.wallet_sub_type = 'eoa'
    LEFT JOIN accounts AS coin ON coin.kind = 'chain:deposit-addresses' AND coin.owner_key = 'address:' || address.id AND coin.unit_id = ${coinId}
    WHERE address.wallet_id = ${walletId} AND address.family_id = ${familyId}
      AND NOT EXISTS (SELECT FROM sweep_permissions AS permission WHERE permission.address_id = address.id
        AND permission.blockchain_id = ${blockchainId} AND permission.kind = 'authorization' AND permission.vault = ${vault})
    ORDER BY address.derivation_index LIMIT ${limit}`.execute(ctx.db)
  return rows.map((row) => ({
    ...{ id: row.id, address: row.address, path: row.path, derivationIndex: row.derivation_index },
    ...{ familyId: row.family_id, walletId: row.wallet_id, units: BigInt(row.units) },
  }))
}

export type AheadAsk = {
  readonly walletId: number
  readonly familyId: number
  readonly blockchainId: number
  readonly coinId: number
  readonly vault: string
  readonly limit: number
}

/** Sums the native coin that a hot wallet still has to bring to addresses: promised and not signed yet. */
export async function sumTopUps(ctx: Context, blockchainId: number): Promise<bigint> {
  const { rows } = await sql<{ units: string }>`
    SELECT coalesce(sum(approval.top_up_units + approval.top_up_ceiling), 0)::text AS units
    FROM sweep_approvals AS approval JOIN sweep_batches AS batch ON batch.id = approval.batch_id
    WHERE batch.blockchain_id = ${blockchainId} AND approval.top_up_units > 0 AND approval.top_up_send_id IS NULL
      AND ${NEEDS_GAS}`.execute(ctx.db)
  return BigInt(rows[0]?.units ?? 0)
}

/** Derivation facts of these addresses; those of customers of other projects are absent. */
export async function listAddressFacts(
  ctx: Context,
  ids: readonly bigint[],
  projectIds: ProjectScope['projectIds'],
): Promise<ReadonlyMap<bigint, { readonly address: string; readonly path: string }>> {
  const { rows } = await sql<{ id: bigint; address: string; path: string }>`
    SELECT id, address, path FROM addresses AS address
    WHERE id = ANY(${ids.map(String)}::bigint[]) AND ${ofProjects(projectIds)}`.execute(ctx.db)
  return new Map(rows.map(({ id, address, path }) => [id, { address, path }]))
}

function fromRow(row: Row): Candidate {
  return {
    ...{ id: row.id, address: row.address, path: row.path, derivationIndex: row.derivation_index },
    ...{ familyId: row.family_id, walletId: row.wallet_id, walletName: row.wallet_name },
    ...{ units: BigInt(row.units), coinUnits: BigInt(row.coin_units), state: row.state },
    ...{ lockedUntil: row.locked_until, batchId: row.batch_id, kind: row.kind, permissionState: row.permission_state },
    topUp: { units: BigInt(row.top_up_units), isSent: row.is_sent, isFinal: row.is_final },
  }
}
