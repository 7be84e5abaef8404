import { INACTIVE_REASONS } from '@kassa/contract/blockchains/inactive-reasons.ts'
import {
  NETWORK_NOTICES,
  type NoticeCause,
  STOP_REASONS,
  type StopCause,
} from '@kassa/contract/blockchains/reading-reasons.ts'
import { readCause } from '@kassa/contract/kit/reason.ts'
import type { Asset as SeededAsset } from '@kassa/primitives/chains/assets.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Context } from '../../../context.ts'
import {
  type Asset,
  ASSET_LIMITS,
  type AssetLimits,
  type BlockchainRow,
  type InactiveCause,
  SWITCHED_OFF,
} from './rows.ts'
import type { BlockchainTables } from './tables.ts'

/** How far a blockchain was read: columns of `watch`, joined for lists only. */
export type CursorColumns = {
  chain_cursors: {
    blockchain_id: number
    height: bigint
    head_height: bigint
    block_time: Date
    state: 'running' | 'behind' | 'halted'
    stop_cause: StopCause | null
    notice_cause: NoticeCause | null
  }
}

/** What projects accept: a table of `projects`, joined for lists only. */
type AcceptedColumns = { project_assets: { project_id: number; asset_id: number } }

const tables = (ctx: Context) => ctx.db.$extendTables<BlockchainTables & CursorColumns & AcceptedColumns>()

/** Lists every blockchain with how far it was read, by id; or the one with this id. */
export async function listBlockchainRows(ctx: Context, id?: number): Promise<BlockchainRow[]> {
  const rows = await tables(ctx)
    .selectFrom('blockchains as chain')
    .leftJoin('chain_cursors as cursor', 'cursor.blockchain_id', 'chain.id')
    .selectAll('chain')
    .select([
      'cursor.height',
      'cursor.head_height',
      'cursor.block_time',
      'cursor.state',
      'cursor.stop_cause',
      'cursor.notice_cause',
    ])
    .$if(id !== undefined, (query) => query.where('chain.id', '=', id ?? 0))
    .orderBy('chain.id')
    .execute()
  return rows.flatMap((row) => {
    const definition = findBlockchain(row.id)
    if (!definition) return []
    const { height, head_height: head, block_time: blockTime, state, inactive_cause: inactive } = row
    const isRead = height !== null && head !== null && blockTime !== null && state !== null
    return [
      {
        id: row.id,
        code: row.code,
        status: row.status,
        name: row.name ?? definition.name,
        explorerAddress: row.explorer_address,
        explorerTransaction: row.explorer_transaction,
        inactive: inactive && readCause(INACTIVE_REASONS, inactive.code, inactive.params),
        stopped: row.stop_cause && readStop(row.stop_cause),
        minConfirmations: row.min_confirmations,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        definition,
        cursor: isRead ? { height: Number(height), headHeight: Number(head), blockTime, state } : null,
        notice: row.notice_cause && readNotice(row.notice_cause),
      },
    ]
  })
}

/** Reads why a blockchain is not read: a cause that only another version knows must not look as if it were. */
function readStop({ code, params }: StopCause): StopCause {
  return readCause(STOP_REASONS, code, params) ?? { code: 'read_failed', params: { error: code } }
}

function readNotice({ code, params }: NoticeCause): NoticeCause {
  return readCause(NETWORK_NOTICES, code, params) ?? { code: 'unknown_notice', params: { text: code } }
}

/** Lists the templates of explorers that operators chose themselves, by blockchain code. */
export async function listOwnExplorers(ctx: Context): Promise<ReadonlyMap<string, string>> {
  const rows = await tables(ctx)
    .selectFrom('blockchains')
    .select(['code', 'explorer_transaction'])
    .where('explorer_transaction', 'is not', null)
    .execute()
  return new Map(rows.map((row) => [row.code, row.explorer_transaction ?? '']))
}

/** Changes columns of a blockchain. */
export async function updateBlockchain(
  ctx: Context,
  id: number,
  values: Updateable<BlockchainTables['blockchains']>,
): Promise<void> {
  await tables(ctx)
    .updateTable('blockchains')
    .set({ ...values, updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}

/** Activates a blockchain unless an operator switched it off; an active one stays unchanged. */
export async function activateBlockchain(ctx: Context, id: number): Promise<void> {
  await tables(ctx)
    .updateTable('blockchains')
    .set({ status: 'active', inactive_cause: null, updated_at: ctx.now() })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('status', '<>', 'active'), eb('inactive_cause', 'is not', null)]))
    .where(sql`inactive_cause ->> 'code'`, 'is distinct from', SWITCHED_OFF.code)
    .execute()
}

/** Locks a blockchain until the transaction ends, so that two changes of its nodes cannot overlap. */
export async function lockBlockchain(ctx: Context, id: number): Promise<void> {
  await tables(ctx).selectFrom('blockchains').select('id').where('id', '=', id).forUpdate().execute()
}

type NewBlockchain = {
  id: number
  code: string
  status: 'active' | 'inactive'
  inactive: InactiveCause | null
  minConfirmations: number
}

/** Inserts a blockchain that does not exist yet; an existing one keeps its operators' settings. */
export async function insertBlockchain(ctx: Context, chain: NewBlockchain): Promise<void> {
  const { minConfirmations, inactive, ...rest } = chain
  await tables(ctx)
    .insertInto('blockchains')
    .values({ ...rest, inactive_cause: inactive && JSON.stringify(inactive), min_confirmations: minConfirmations })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Inserts a listed asset that does not exist yet; its identity never changes afterwards. */
export async function insertAsset(
  ctx: Context,
  asset: SeededAsset & {
    readonly address: string
    readonly blockchainId: number
    readonly currencyId: number
    readonly minDepositUnits: bigint
    /** Whether Kassa can send it. */
    readonly isPayable: boolean
  },
): Promise<void> {
  await tables(ctx)
    .insertInto('assets')
    .values({
      id: asset.id,
      blockchain_id: asset.blockchainId,
      currency_id: asset.currencyId,
      currency_code: asset.currency,
      address: asset.address,
      standard: asset.standard,
      decimals: asset.decimals,
      is_stable: asset.isStable,
      min_deposit_units: asset.minDepositUnits,
      visible: true,
      deposit_enabled: true,
      withdrawal_enabled: asset.isPayable,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Lists every asset, by id. */
export async function listAssetRows(ctx: Context): Promise<Asset[]> {
  const rows = await selectAssets(ctx).execute()
  return rows.map(assetFromRow)
}

/** Finds an asset by its id. */
export async function findAssetRow(ctx: Context, id: number): Promise<Asset | undefined> {
  const row = await selectAssets(ctx).where('asset.id', '=', id).executeTakeFirst()
  return row && assetFromRow(row)
}

/** Changes columns of an asset. */
export async function updateAsset(
  ctx: Context,
  id: number,
  values: Updateable<BlockchainTables['assets']>,
): Promise<void> {
  await tables(ctx)
    .updateTable('assets')
    .set({ ...values, updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}

/** Lists what a project accepts and what can be paid now: enabled, on an active blockchain; by id. */
export async function listAcceptedAssets(ctx: Context, projectId: number): Promise<Asset[]> {
  const rows = await selectAssets(ctx)
    .innerJoin('project_assets as accepted', 'accepted.asset_id', 'asset.id')
    .where('accepted.project_id', '=', projectId)
    .where('asset.deposit_enabled', '=', true)
    .where('asset.visible', '=', true)
    .where('chain.status', '=', 'active')
    .execute()
  return rows.map(assetFromRow)
}

function selectAssets(ctx: Context) {
  return tables(ctx)
    .selectFrom('assets as asset')
    .innerJoin('blockchains as chain', 'chain.id', 'asset.blockchain_id')
    .selectAll('asset')
    .select(['chain.code as blockchain_code', 'chain.min_confirmations'])
    .orderBy('asset.id')
}

type AssetRow = Selectable<BlockchainTables['assets']> & { blockchain_code: string; min_confirmations: number }

function assetFromRow(row: AssetRow): Asset {
  return {
    id: row.id,
    blockchainId: row.blockchain_id,
    blockchainCode: row.blockchain_code,
    currencyId: row.currency_id,
    currencyCode: row.currency_code,
    address: row.address,
    standard: row.standard,
    decimals: row.decimals,
    isStable: row.is_stable,
    minConfirmations: row.min_confirmations,
    minDepositUnits: BigInt(row.min_deposit_units),
    visible: row.visible,
    depositEnabled: row.deposit_enabled,
    withdrawalEnabled: row.withdrawal_enabled,
    disabledBecause: row.disabled_because,
    limits: limitsFromRow(row),
    sweepLockMinutes: row.sweep_lock_minutes,
    sweepBatchSize: row.sweep_batch_size,
    sweepApprovalBatchSize: row.sweep_approval_batch_size,
    sweepMaxWaitMinutes: row.sweep_max_wait_minutes,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function limitsFromRow(row: Selectable<BlockchainTables['assets']>): AssetLimits {
  const entries = Object.entries(ASSET_LIMITS).map(([name, { column }]) => {
    const units = row[column]
    return [name, units === null ? null : BigInt(units)]
  })
  return Object.fromEntries(entries) as AssetLimits
}
