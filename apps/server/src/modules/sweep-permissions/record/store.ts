import { sweepPermissionMachine } from '@kassa/contract/sweeps/machine.ts'
import { type Insertable, sql, type Updateable } from 'kysely'

import type { Context } from '../../../context.ts'
import type {
  ApprovalRow,
  ApprovalState,
  BatchRow,
  PermissionRow,
  SweepPermissionReads,
  SweepPermissionTables,
} from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<SweepPermissionTables & SweepPermissionReads>()

type Verb = keyof typeof sweepPermissionMachine.moves

export type NewBatch = Insertable<SweepPermissionTables['sweep_batches']>
export type NewApproval = Insertable<SweepPermissionTables['sweep_approvals']>
export type NewPermission = Insertable<SweepPermissionTables['sweep_permissions']>

/** Inserts a batch. */
export async function insertBatch(ctx: Context, batch: NewBatch): Promise<BatchRow> {
  return tables(ctx).insertInto('sweep_batches').values(batch).returningAll().executeTakeFirstOrThrow()
}

/** Inserts what addresses of a batch are to sign; returns those that were not asked already. */
export async function insertApprovals(ctx: Context, approvals: readonly NewApproval[]): Promise<ApprovalRow[]> {
  if (approvals.length === 0) return []
  return tables(ctx)
    .insertInto('sweep_approvals')
    .values([...approvals])
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute()
}

/** Finds a batch. */
export async function findBatch(ctx: Context, id: bigint): Promise<BatchRow | undefined> {
  return tables(ctx).selectFrom('sweep_batches').selectAll().where('id', '=', id).executeTakeFirst()
}

/** What the addresses of a batch are to sign, in the order they were asked. */
export async function listApprovals(ctx: Context, batchId: bigint): Promise<ApprovalRow[]> {
  return tables(ctx).selectFrom('sweep_approvals').selectAll().where('batch_id', '=', batchId).orderBy('id').execute()
}

/** Finds and locks what one address is to sign, until the transaction ends. */
export async function lockApproval(ctx: Context, id: bigint): Promise<ApprovalRow | undefined> {
  return tables(ctx).selectFrom('sweep_approvals').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Moves an open question to another state; false when it is not open. */
export async function moveApproval(ctx: Context, id: bigint, to: Exclude<ApprovalState, 'open'>): Promise<boolean> {
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('sweep_approvals')
    .set({ state: to })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Releases addresses whose time to sign is over. */
export async function moveLapsed(ctx: Context): Promise<void> {
  await sql`
    UPDATE sweep_approvals SET state = 'lapsed' WHERE state = 'open' AND locked_until <= ${ctx.now()}`.execute(ctx.db)
}

/**
 * A condition on `approval`: its address still needs the gas. One whose signature was released, because gas never came, is asked
 * again with a top-up of its own.
 */
export const NEEDS_GAS = sql<boolean>`(approval.state = 'open' OR (approval.state = 'signed' AND EXISTS (
  SELECT FROM sweep_permissions AS given WHERE given.approval_id = approval.id AND given.state <> 'stale')))`

/** A top-up that is not signed yet, with its receiver. */
export type TopUp = {
  readonly id: bigint
  readonly blockchainId: number
  readonly walletId: number
  readonly address: string
  readonly units: bigint
  readonly ceiling: bigint
}

/** Top-ups that wait for their transaction, oldest first. */
export async function listTopUps(ctx: Context, limit: number): Promise<TopUp[]> {
  const { rows } = await sql<{
    id: bigint
    blockchain_id: number
    gas_wallet_id: number
    address: string
    units: string
    ceiling: string
  }>`
    SELECT approval.id, batch.blockchain_id, batch.gas_wallet_id, address.address,
      approval.top_up_units::text AS units, approval.top_up_ceiling::text AS ceiling
    FROM sweep_approvals AS approval JOIN sweep_batches AS batch ON batch.id = approval.batch_id
    JOIN addresses AS address ON address.id = approval.address_id
    WHERE approval.top_up_units > 0 AND approval.top_up_send_id IS NULL AND ${NEEDS_GAS}
      AND batch.gas_wallet_id IS NOT NULL
    ORDER BY approval.id LIMIT ${limit}`.execute(ctx.db)
  return rows.map((row) => ({
    ...{ id: row.id, blockchainId: row.blockchain_id, walletId: row.gas_wallet_id, address: row.address },
    ...{ units: BigInt(row.units), ceiling: BigInt(row.ceiling) },
  }))
}

/** Stores the send of a top-up; false when the address no longer needs it, or has a send. */
export async function updateTopUpSend(ctx: Context, id: bigint, sendId: bigint): Promise<boolean> {
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('sweep_approvals as approval')
    .set({ top_up_send_id: sendId })
    .where('id', '=', id)
    .where('top_up_send_id', 'is', null)
    .where(NEEDS_GAS)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores the state of a top-up. */
export async function updateToppedUp(
  ctx: Context,
  id: bigint,
  changes: Pick<Updateable<SweepPermissionTables['sweep_approvals']>, 'topped_up_at' | 'top_up_entries' | 'state'>,
): Promise<void> {
  await tables(ctx).updateTable('sweep_approvals').set(changes).where('id', '=', id).execute()
}

/** Inserts a permission; undefined when the same one is stored, or the address has a live one of its kind for that contract. */
export async function insertPermission(ctx: Context, permission: NewPermission): Promise<PermissionRow | undefined> {
  return tables(ctx)
    .insertInto('sweep_permissions')
    .values(permission)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Finds the permission with this digest. */
export async function findByDigest(ctx: Context, digest: Buffer): Promise<PermissionRow | undefined> {
  return tables(ctx).selectFrom('sweep_permissions').selectAll().where('digest', '=', digest).executeTakeFirst()
}

/**
 * Renews a permission that was invalid for a while, for the current request; false when its transaction was in a block, or
 * the address has another live one of its kind for that contract.
 */
export async function renewPermission(
  ctx: Context,
  id: bigint,
  asked: Pick<PermissionRow, 'approval_id' | 'created_at'>,
): Promise<boolean> {
  const { from, to } = sweepPermissionMachine.moves.renew
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('sweep_permissions as own')
    .set({ ...asked, state: to, approved_at: null, checked_at: null })
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .where('height', 'is', null)
    .where(
      sql<boolean>`(own.kind = 'transfer_tx' OR NOT EXISTS (
        SELECT FROM sweep_permissions AS live WHERE live.address_id = own.address_id AND live.blockchain_id = own.blockchain_id
          AND live.asset_id IS NOT DISTINCT FROM own.asset_id AND live.kind = own.kind AND live.vault = own.vault
          AND live.state <> 'stale'))`,
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The permissions that came of a batch. */
export async function listOfBatch(ctx: Context, batchId: bigint): Promise<PermissionRow[]> {
  return tables(ctx)
    .selectFrom('sweep_permissions')
    .selectAll()
    .where('approval_id', 'in', (eb) =>
      eb.selectFrom('sweep_approvals').select('sweep_approvals.id').where('batch_id', '=', batchId),
    )
    .execute()
}

/** Moves a permission by a verb of its machine; undefined when its state does not allow that. */
export async function movePermission(
  ctx: Context,
  id: bigint,
  verb: Verb,
  changes: Updateable<SweepPermissionTables['sweep_permissions']> = {},
): Promise<PermissionRow | undefined> {
  const { from, to } = sweepPermissionMachine.moves[verb]
  return tables(ctx)
    .updateTable('sweep_permissions')
    .set({ ...changes, state: to })
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .returningAll()
    .executeTakeFirst()
}

/** The clocks of processes differ by less: a later time was noted by a clock that has been corrected since. */
const APART_MS = 60_000

const latestCheck = (ctx: Context) => new Date(ctx.now().getTime() + APART_MS)

/** Whether a usable permission was not checked for a while, by clocks that are right. */
function isCheckDue(ctx: Context, checkedBefore: Date) {
  return sql<boolean>`state = 'approved'
    AND coalesce(checked_at, created_at) NOT BETWEEN ${checkedBefore} AND ${latestCheck(ctx)}`
}

/** Lists blockchains with a permission that waits for something. */
export async function listWaitingChains(ctx: Context, checkedBefore: Date): Promise<number[]> {
  const { rows } = await sql<{ blockchain_id: number }>`
    SELECT DISTINCT blockchain_id FROM sweep_permissions WHERE state IN ('signed', 'broadcast')
      OR (${isCheckDue(ctx, checkedBefore)}) ORDER BY 1`.execute(ctx.db)
  return rows.map(({ blockchain_id: id }) => id)
}

/** Counts transactions of deposit addresses on a blockchain that no final block holds yet. */
export async function countBroadcast(ctx: Context, blockchainId: number): Promise<number> {
  const row = await tables(ctx)
    .selectFrom('sweep_permissions')
    .select((eb) => eb.fn.countAll<bigint>().as('open'))
    .where('blockchain_id', '=', blockchainId)
    .where('state', '=', 'broadcast')
    .executeTakeFirstOrThrow()
  return Number(row.open)
}

/** Permissions of a blockchain that wait for a node or a block, after one of them, oldest first. */
export async function listWaiting(
  ctx: Context,
  blockchainId: number,
  { afterId, limit }: { readonly afterId: bigint; readonly limit: number },
): Promise<PermissionRow[]> {
  return tables(ctx)
    .selectFrom('sweep_permissions')
    .selectAll()
    .where('blockchain_id', '=', blockchainId)
    .where('state', 'in', ['signed', 'broadcast'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * Lists usable permissions that were not checked for a while; those checked longest ago first, after those of which nobody knows
 * when: with thousands of them some are always due, and a time ahead would come last.
 */
export async function listToCheck(
  ctx: Context,
  blockchainId: number,
  { checkedBefore, limit }: { readonly checkedBefore: Date; readonly limit: number },
): Promise<PermissionRow[]> {
  const { rows } = await sql<PermissionRow>`
    SELECT * FROM sweep_permissions WHERE blockchain_id = ${blockchainId} AND ${isCheckDue(ctx, checkedBefore)}
    ORDER BY coalesce(checked_at, created_at) <= ${latestCheck(ctx)}, checked_at NULLS FIRST LIMIT ${limit}`.execute(
    ctx.db,
  )
  return rows
}

/** Stores that a permission was checked now. */
export async function updateChecked(ctx: Context, id: bigint): Promise<void> {
  await tables(ctx).updateTable('sweep_permissions').set({ checked_at: ctx.now() }).where('id', '=', id).execute()
}

/** Stores how often the fee of a permission was posted. */
export async function updateEntries(ctx: Context, id: bigint, entries: number): Promise<void> {
  await tables(ctx).updateTable('sweep_permissions').set({ entries }).where('id', '=', id).execute()
}

/** Lists permissions that blocks above a height decided. */
export async function listAbove(ctx: Context, blockchainId: number, height: number): Promise<PermissionRow[]> {
  return tables(ctx)
    .selectFrom('sweep_permissions')
    .selectAll()
    .where('blockchain_id', '=', blockchainId)
    .where('height', '>', BigInt(height))
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** The permissions that sweeps through a vault can use now, with what they need to be used. */
export async function listReady(
  ctx: Context,
  { blockchainId, assetId, addressIds, vault }: ReadyAsk & { readonly vault: string },
): Promise<PermissionRow[]> {
  const { rows } = await sql<PermissionRow>`
    SELECT * FROM sweep_permissions
    WHERE blockchain_id = ${blockchainId} AND address_id = ANY(${addressIds.map(String)}::bigint[]) AND vault = ${vault}
      AND (asset_id = ${assetId} OR asset_id IS NULL) AND state IN ('approved', 'used') AND kind <> 'transfer_tx'
    ORDER BY address_id, id`.execute(ctx.db)
  return rows
}

export type ReadyAsk = {
  readonly blockchainId: number
  readonly assetId: number
  readonly addressIds: readonly bigint[]
}

/** Lists which of these addresses signed something that can no longer be used, and nothing since. */
export async function listStale(ctx: Context, { assetId, blockchainId, addressIds }: ReadyAsk): Promise<bigint[]> {
  const { rows } = await sql<{ address_id: bigint }>`
    SELECT address_id FROM sweep_permissions
    WHERE blockchain_id = ${blockchainId} AND address_id = ANY(${addressIds.map(String)}::bigint[])
      AND (asset_id = ${assetId} OR asset_id IS NULL) AND kind <> 'transfer_tx'
    GROUP BY address_id HAVING bool_and(state = 'stale')`.execute(ctx.db)
  return rows.map((row) => row.address_id)
}

/** The project and the native asset of an address on a blockchain: whose fee it is, and in what. */
export async function findFeeFacts(
  ctx: Context,
  { addressId, blockchainId }: { readonly addressId: bigint; readonly blockchainId: number },
): Promise<{ readonly projectId: number | null; readonly coinId: number }> {
  const { rows } = await sql<{ project_id: number | null; coin_id: number }>`
    SELECT address.project_id, coin.id AS coin_id FROM addresses AS address
    JOIN assets AS coin ON coin.blockchain_id = ${blockchainId} AND coin.standard = 'native'
    WHERE address.id = ${addressId}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error(`Address ${addressId} has no coin on blockchain ${blockchainId}`)
  return { projectId: row.project_id, coinId: row.coin_id }
}

/** Which wallet sent a transaction, and where. */
export async function findSendFacts(
  ctx: Context,
  sendId: bigint,
): Promise<{ readonly walletId: number; readonly blockchainId: number } | undefined> {
  const { rows } = await sql<{ wallet_id: number; blockchain_id: number }>`
    SELECT wallet_id, blockchain_id FROM sends WHERE id = ${sendId}`.execute(ctx.db)
  const [row] = rows
  return row && { walletId: row.wallet_id, blockchainId: row.blockchain_id }
}
