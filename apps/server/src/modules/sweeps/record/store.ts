import { addressSweepMachine, OPEN_SWEEPS, sweepItemMachine, sweepMachine } from '@kassa/contract/sweeps/machine.ts'
import type { SweepCause } from '@kassa/contract/sweeps/reasons.ts'
import { type Insertable, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { recordset } from '../../../db/recordset.ts'
import type { ItemRow, SweepChanges, SweepRow, SweepTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<SweepTables>()

type Verb = keyof typeof sweepMachine.moves

export type NewSweep = Omit<Insertable<SweepTables['sweeps']>, 'id' | 'status' | 'created_at' | 'updated_at' | 'due_at'>
export type NewItem = {
  readonly addressId: bigint
  readonly projectId: number | null
  readonly itemId: bigint
  readonly units: bigint
}

/** Inserts a sweep as `planned`, with its items. */
export async function insertSweep(ctx: Context, sweep: NewSweep, items: readonly NewItem[]): Promise<SweepRow> {
  const now = ctx.now()
  const row = await tables(ctx)
    .insertInto('sweeps')
    .values({ ...sweep, status: sweepMachine.initial, due_at: now, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertItems(ctx, row, items)
  return row
}

/** Adds items to a sweep, open or in the state given. */
export async function insertItems(
  ctx: Context,
  { id, asset_id }: Pick<SweepRow, 'id' | 'asset_id'>,
  items: readonly (NewItem & { readonly movementId?: bigint })[],
): Promise<void> {
  await tables(ctx)
    .insertInto('sweep_items')
    .values(
      items.map((item) => ({
        sweep_id: id,
        address_id: item.addressId,
        asset_id,
        project_id: item.projectId,
        item_id: String(item.itemId),
        units: item.units,
        ...(item.movementId !== undefined && { state: 'swept' as const, movement_id: item.movementId }),
      })),
    )
    .execute()
}

/** Inserts a sweep that a third party started through our contract, as completed. */
export async function insertForeign(
  ctx: Context,
  sweep: Omit<NewSweep, 'sent_by' | 'trigger' | 'started_by'>,
): Promise<SweepRow> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('sweeps')
    .values({
      ...sweep,
      sent_by: 'stranger',
      trigger: 'foreign',
      started_by: null,
      status: 'completed',
      due_at: now,
      created_at: now,
      updated_at: now,
      ended_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Finds a sweep. */
export async function findSweep(ctx: Context, id: bigint): Promise<SweepRow | undefined> {
  return tables(ctx).selectFrom('sweeps').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds a sweep and locks it until the transaction ends. */
export async function lockSweep(ctx: Context, id: bigint): Promise<SweepRow | undefined> {
  return tables(ctx).selectFrom('sweeps').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Locks sweeps in the order of their ids. */
export async function lockSweeps(ctx: Context, ids: readonly bigint[]): Promise<SweepRow[]> {
  if (ids.length === 0) return []
  return tables(ctx)
    .selectFrom('sweeps')
    .selectAll()
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Moves a sweep by a verb of its machine and counts the event of the move; undefined when its state does not allow that. */
export async function moveSweep(
  ctx: Context,
  id: bigint,
  verb: Verb,
  changes: SweepChanges = {},
): Promise<SweepRow | undefined> {
  const { from, to } = sweepMachine.moves[verb]
  return tables(ctx)
    .updateTable('sweeps')
    .set((eb) => ({ ...changes, status: to, sequence: eb('sequence', '+', 1), updated_at: ctx.now() }))
    .where('id', '=', id)
    .where('status', 'in', [...from])
    .returningAll()
    .executeTakeFirst()
}

/** Changes columns of a sweep other than its state. */
export async function updateSweep(ctx: Context, id: bigint, changes: SweepChanges): Promise<void> {
  await tables(ctx)
    .updateTable('sweeps')
    .set({ ...changes, updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}

/** Stores why a sweep waits, and when it is tried again; true when the reason is new. */
export async function updateWait(ctx: Context, id: bigint, wait: SweepCause | null, dueAt: Date): Promise<boolean> {
  const params = wait && JSON.stringify(wait.params)
  const { rows } = await sql<{ changed: boolean }>`
    UPDATE sweeps AS sweep SET wait_code = ${wait?.code ?? null}, wait_params = ${params}::jsonb, due_at = ${dueAt}
    FROM (SELECT id, wait_code, wait_params FROM sweeps WHERE id = ${id} FOR UPDATE) AS before
    WHERE sweep.id = before.id
    RETURNING (before.wait_code, before.wait_params) IS DISTINCT FROM (sweep.wait_code, sweep.wait_params) AS changed`.execute(
    ctx.db,
  )
  return rows[0]?.changed ?? false
}

/** The items of sweeps, in the order of their addresses. */
export async function listItems(ctx: Context, sweepIds: readonly bigint[]): Promise<ItemRow[]> {
  if (sweepIds.length === 0) return []
  return tables(ctx)
    .selectFrom('sweep_items')
    .selectAll()
    .where('sweep_id', 'in', [...sweepIds])
    .orderBy('sweep_id')
    .orderBy('address_id')
    .execute()
}

/** The open items of an address and asset in sweeps that are under way. */
export async function listOpenItemsOf(ctx: Context, addressId: bigint, assetId: number): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    SELECT item.* FROM sweep_items AS item JOIN sweeps AS sweep ON sweep.id = item.sweep_id
    WHERE item.address_id = ${addressId} AND item.asset_id = ${assetId} AND item.state = 'open'
      AND sweep.status IN ('sweep-initiated', 'broadcast') ORDER BY item.sweep_id`.execute(ctx.db)
  return rows
}

type ItemVerb = keyof typeof sweepItemMachine.moves
type ItemKey = {
  readonly sweepId: bigint
  readonly addressId: bigint
  readonly movementId?: bigint
  readonly cause?: SweepCause | null
}

/** Moves items by a verb of their machine, with the reason, and counts the entry that goes with it. Returns those that moved. */
export async function moveItems(ctx: Context, keys: readonly ItemKey[], verb: ItemVerb): Promise<ItemRow[]> {
  if (keys.length === 0) return []
  const { from, to } = sweepItemMachine.moves[verb]
  const rows = keys.map(({ sweepId, addressId, movementId, cause }) => ({
    sweep_id: sweepId,
    address_id: addressId,
    movement_id: movementId ?? null,
    reason_code: cause?.code ?? null,
    reason_params: cause?.params ?? null,
  }))
  const found = await sql<ItemRow>`
    UPDATE sweep_items AS item SET
      state = ${to}, entries = item.entries + 1, movement_id = given.movement_id,
      reason_code = given.reason_code, reason_params = given.reason_params
    FROM ${recordset('sweep_items', rows)} AS given
    WHERE item.sweep_id = given.sweep_id AND item.address_id = given.address_id AND item.state = ANY(${[...from]}::text[])
    RETURNING item.*`.execute(ctx.db)
  return found.rows.toSorted((a, b) => Number(a.sweep_id - b.sweep_id) || Number(a.address_id - b.address_id))
}

/** The texts of addresses, by id. */
export async function listAddressTexts(ctx: Context, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
  const { rows } = await sql<{ id: bigint; address: string }>`
    SELECT id, address FROM addresses WHERE id = ANY(${ids.map(String)}::bigint[])`.execute(ctx.db)
  return new Map(rows.map(({ id, address }) => [id, address]))
}

/** Counts one more entry of items; returns them as they are now. */
export async function countEntry(ctx: Context, keys: readonly ItemKey[]): Promise<ItemRow[]> {
  const rows = keys.map(({ sweepId, addressId }) => ({ sweep_id: sweepId, address_id: addressId }))
  const found = await sql<ItemRow>`
    UPDATE sweep_items AS item SET entries = item.entries + 1
    FROM ${recordset('sweep_items', rows)} AS given
    WHERE item.sweep_id = given.sweep_id AND item.address_id = given.address_id
    RETURNING item.*`.execute(ctx.db)
  return found.rows
}

/** Reserves addresses for a sweep, each in one compare-and-set. Returns the ids of those it got; another sweep has the others. */
export async function lockAddresses(
  ctx: Context,
  sweep: Pick<SweepRow, 'id' | 'asset_id'>,
  { addressIds, until }: { readonly addressIds: readonly bigint[]; readonly until: Date },
): Promise<bigint[]> {
  const { from, to } = addressSweepMachine.moves.initiate
  const { rows } = await sql<{ address_id: bigint }>`
    INSERT INTO address_sweeps AS locked (address_id, asset_id, state, sweep_id, locked_until, updated_at)
    SELECT id, ${sweep.asset_id}, ${to}, ${sweep.id}, ${until}, ${ctx.now()}
    FROM unnest(${addressIds.map(String)}::bigint[]) AS given (id) ORDER BY id
    ON CONFLICT (address_id, asset_id) DO UPDATE SET
      state = excluded.state, sweep_id = excluded.sweep_id, locked_until = excluded.locked_until, updated_at = excluded.updated_at
    WHERE locked.state = ANY(${[...from]}::text[])
    RETURNING address_id`.execute(ctx.db)
  return rows.map((row) => row.address_id)
}

/** When the first of these addresses is free again; null when no sweep has any of them. */
export async function findLockedUntil(
  ctx: Context,
  assetId: number,
  addressIds: readonly bigint[],
): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    SELECT max(locked_until) AS until FROM address_sweeps
    WHERE asset_id = ${assetId} AND address_id = ANY(${addressIds.map(String)}::bigint[])
      AND state = 'sweep-initiated'`.execute(ctx.db)
  return rows[0]?.until ?? null
}

/** Releases addresses of a sweep for other sweeps. */
export async function freeAddresses(
  ctx: Context,
  sweep: Pick<SweepRow, 'id' | 'asset_id'>,
  addressIds: readonly bigint[] | 'all',
): Promise<void> {
  const { from, to } = addressSweepMachine.moves.release
  await sql`
    UPDATE address_sweeps SET state = ${to}, sweep_id = NULL, locked_until = NULL, updated_at = ${ctx.now()}
    WHERE sweep_id = ${sweep.id} AND asset_id = ${sweep.asset_id} AND state = ANY(${[...from]}::text[])
      AND ${addressIds === 'all' ? sql`true` : sql`address_id = ANY(${addressIds.map(String)}::bigint[])`}`.execute(
    ctx.db,
  )
}

/** Marks addresses as swept; one that another sweep has by now stays with that sweep. */
export async function noteSwept(
  ctx: Context,
  sweep: Pick<SweepRow, 'id' | 'asset_id'>,
  addressIds: readonly bigint[],
): Promise<void> {
  const { from, to } = addressSweepMachine.moves.settle
  const now = ctx.now()
  await sql`
    INSERT INTO address_sweeps AS swept (address_id, asset_id, state, swept_at, updated_at)
    SELECT id, ${sweep.asset_id}, ${to}, ${now}, ${now} FROM unnest(${addressIds.map(String)}::bigint[]) AS given (id) ORDER BY id
    ON CONFLICT (address_id, asset_id) DO UPDATE SET
      state = ${to}, sweep_id = NULL, locked_until = NULL, swept_at = ${now}, updated_at = ${now}
    WHERE swept.state = ANY(${[...from]}::text[]) AND (swept.sweep_id IS NULL OR swept.sweep_id = ${sweep.id})`.execute(
    ctx.db,
  )
}

/** Returns addresses to a sweep whose block was reverted, except those that another sweep has by now. */
export async function relockAddresses(
  ctx: Context,
  sweep: Pick<SweepRow, 'id' | 'asset_id'>,
  addressIds: readonly bigint[],
): Promise<void> {
  const { from, to } = addressSweepMachine.moves.reopen
  await sql`
    UPDATE address_sweeps SET state = ${to}, sweep_id = ${sweep.id}, swept_at = NULL, updated_at = ${ctx.now()}
    WHERE asset_id = ${sweep.asset_id} AND address_id = ANY(${addressIds.map(String)}::bigint[])
      AND state = ANY(${[...from]}::text[])`.execute(ctx.db)
}

/** Stores an error; the same error of the same sweep and address again in a row is stored once a day. */
export async function insertError(
  ctx: Context,
  error: {
    readonly sweepId: bigint | null
    readonly walletId: number
    readonly assetId: number
    readonly cause: SweepCause
    readonly address?: string | null
    readonly txId?: string | null
  },
): Promise<void> {
  const { sweepId, walletId, assetId, cause, address = null, txId = null } = error
  const params = JSON.stringify(cause.params)
  await sql`
    INSERT INTO sweep_errors (sweep_id, wallet_id, asset_id, code, params, address, tx_id, at)
    SELECT ${sweepId}, ${walletId}, ${assetId}, ${cause.code}, ${params}::jsonb, ${address}, ${txId}, ${ctx.now()}
    WHERE NOT EXISTS (
      SELECT FROM (
        SELECT code, at FROM sweep_errors WHERE wallet_id = ${walletId} AND asset_id = ${assetId}
          AND sweep_id IS NOT DISTINCT FROM ${sweepId}::bigint AND address IS NOT DISTINCT FROM ${address}::text
        ORDER BY id DESC LIMIT 1
      ) AS last
      WHERE last.code = ${cause.code} AND last.at > ${ctx.now()}::timestamptz - interval '1 day')`.execute(ctx.db)
}

/** Whether there are open sweeps; with a project, those that move its money. */
export async function hasOpenSweeps(ctx: Context, projectId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM sweeps AS sweep JOIN sweep_items AS item ON item.sweep_id = sweep.id
    WHERE sweep.status = ANY(${[...OPEN_SWEEPS]}::text[]) AND item.project_id = ${projectId} LIMIT 1`.execute(ctx.db)
  return rows.length > 0
}
