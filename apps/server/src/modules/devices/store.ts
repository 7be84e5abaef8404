import { type Selectable, sql } from 'kysely'

import type { Context } from '../../context.ts'
import type { DeviceTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<DeviceTables>()

export type PairingRow = Selectable<DeviceTables['device_pairings']>
type DeviceRow = Selectable<DeviceTables['devices']>
export type ShownDevice = DeviceRow & { readonly pairer_name: string; readonly pairer_email: string }

/** Wrong codes that one pairing allows. */
const MOST_TRIES = 5

/** Returns the operator's open pairing, or creates a new one when the last has ended. */
export async function openPairing(
  ctx: Context,
  pairing: { readonly operatorId: number; readonly nonce: Buffer; readonly expiresAt: Date },
): Promise<PairingRow> {
  const { operatorId, nonce, expiresAt } = pairing
  const { rows } = await sql<PairingRow>`
    INSERT INTO device_pairings AS pairing (operator_id, nonce, expires_at) VALUES (${operatorId}, ${nonce}, ${expiresAt})
    ON CONFLICT (operator_id) WHERE used_at IS NULL DO UPDATE SET
      nonce = CASE WHEN ${isOver(ctx)} THEN excluded.nonce ELSE pairing.nonce END,
      expires_at = CASE WHEN ${isOver(ctx)} THEN excluded.expires_at ELSE pairing.expires_at END,
      tries = CASE WHEN ${isOver(ctx)} THEN 0 ELSE pairing.tries END
    RETURNING *`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('The pairing was not written')
  return row
}

function isOver(ctx: Context) {
  return sql`(pairing.expires_at <= ${ctx.now()} OR pairing.tries >= ${MOST_TRIES})`
}

/** Locks the pairings that a code may belong to, so that no other attempt runs meanwhile. */
export async function lockPairings(ctx: Context): Promise<PairingRow[]> {
  return tables(ctx)
    .selectFrom('device_pairings')
    .selectAll()
    .where('used_at', 'is', null)
    .where('expires_at', '>', ctx.now())
    .where('tries', '<', MOST_TRIES)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Counts a wrong code in each open pairing, because it is unknown which one it was meant for. */
export async function countTry(ctx: Context, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await tables(ctx)
    .updateTable('device_pairings')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', 'in', [...ids])
    .execute()
}

/** Ends a pairing: its code pairs one device. */
export async function usePairing(ctx: Context, id: number): Promise<void> {
  await tables(ctx).updateTable('device_pairings').set({ used_at: ctx.now() }).where('id', '=', id).execute()
}

/** Stores a device in place of what was paired with the same public key. */
export async function insertDevice(
  ctx: Context,
  device: Pick<DeviceRow, 'name' | 'public_key' | 'key_hash' | 'paired_by'>,
): Promise<DeviceRow> {
  await tables(ctx)
    .updateTable('devices')
    .set({ unpaired_at: ctx.now() })
    .where('public_key', '=', device.public_key)
    .where('unpaired_at', 'is', null)
    .execute()
  return tables(ctx)
    .insertInto('devices')
    .values({ ...device, paired_at: ctx.now(), last_used_at: null, unpaired_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Finds the paired device of a credential; stores its use once a minute. */
export async function findByKey(
  ctx: Context,
  keyHash: Buffer,
): Promise<Pick<DeviceRow, 'id' | 'name' | 'paired_by'> | undefined> {
  const row = await tables(ctx)
    .selectFrom('devices')
    .select(['id', 'name', 'paired_by', 'last_used_at'])
    .where('key_hash', '=', keyHash)
    .where('unpaired_at', 'is', null)
    .executeTakeFirst()
  const staleFrom = ctx.now().getTime() - 60_000
  if (row && (row.last_used_at === null || row.last_used_at.getTime() < staleFrom)) {
    await tables(ctx).updateTable('devices').set({ last_used_at: ctx.now() }).where('id', '=', row.id).execute()
  }
  return row
}

/** Who paired a device that still is paired; locks it until the transaction ends. */
export async function lockPaired(ctx: Context, id: number): Promise<number | undefined> {
  const row = await tables(ctx)
    .selectFrom('devices')
    .select('paired_by')
    .where('id', '=', id)
    .where('unpaired_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row?.paired_by
}

/** The devices that are paired, newest first. */
export async function listPaired(ctx: Context): Promise<ShownDevice[]> {
  const { rows } = await sql<ShownDevice>`
    SELECT device.*, operator.name AS pairer_name, operator.email AS pairer_email
    FROM devices AS device JOIN operators AS operator ON operator.id = device.paired_by
    WHERE device.unpaired_at IS NULL ORDER BY device.id DESC`.execute(ctx.db)
  return rows
}

/** Unpairs a device; its name, or undefined where none of this id is paired. */
export async function updateUnpaired(ctx: Context, id: number): Promise<string | undefined> {
  const row = await tables(ctx)
    .updateTable('devices')
    .set({ unpaired_at: ctx.now() })
    .where('id', '=', id)
    .where('unpaired_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

/** Unpairs every device and ends every code; returns how many devices. */
export async function updateAllUnpaired(ctx: Context): Promise<number> {
  const now = ctx.now()
  await tables(ctx).updateTable('device_pairings').set({ used_at: now }).where('used_at', 'is', null).execute()
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('devices')
    .set({ unpaired_at: now })
    .where('unpaired_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
