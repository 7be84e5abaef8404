import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { VaultAttemptRow, VaultGrantRow, VaultKeyTables, VaultProcessRow, VaultRow } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<VaultKeyTables>()

/** Finds a vault. */
export async function findVault(ctx: Context, id: number): Promise<VaultRow | undefined> {
  return tables(ctx).selectFrom('vaults').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds a vault and locks it until the transaction ends. */
export async function lockVaultRow(ctx: Context, id: number): Promise<VaultRow | undefined> {
  return tables(ctx).selectFrom('vaults').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Finds a vault by name, in capitals or not. */
export async function findVaultByName(ctx: Context, name: string): Promise<VaultRow | undefined> {
  return tables(ctx)
    .selectFrom('vaults')
    .selectAll()
    .where((row) => row.fn<string>('lower', ['name']), '=', name.toLowerCase())
    .executeTakeFirst()
}

/** Finds the vault that new hot keys lie in. */
export async function findDefaultVault(ctx: Context): Promise<VaultRow> {
  return tables(ctx).selectFrom('vaults').selectAll().where('is_default', '=', true).executeTakeFirstOrThrow()
}

/** The columns that change with the passphrase of a vault. */
export type PassphraseColumns = {
  readonly [Column in 'salt' | 'memory_kib' | 'passes' | 'lanes' | 'wrapped_root']: NonNullable<VaultRow[Column]>
}

/** Inserts a vault; undefined when another one has the name. */
export async function insertVault(
  ctx: Context,
  vault: Pick<VaultRow, 'id' | 'name' | 'provider'> & Partial<PassphraseColumns>,
): Promise<VaultRow | undefined> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('vaults')
    .values({ ...vault, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Takes the next vault's id, which its keys are bound to before the row exists. */
export async function nextVaultId(ctx: Context): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`SELECT nextval(pg_get_serial_sequence('vaults', 'id'))::int AS id`.execute(ctx.db)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('The sequence of vaults gave no number')
  return id
}

type VaultFields = Partial<Pick<VaultRow, 'name' | 'key_version'> & PassphraseColumns>

/** Changes columns of a vault. */
export async function updateVault(ctx: Context, id: number, fields: VaultFields): Promise<void> {
  await tables(ctx)
    .updateTable('vaults')
    .set({ ...fields, updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}

/** Makes a vault the default: at no time there are two, or none. */
export async function updateDefaultVault(ctx: Context, id: number): Promise<void> {
  // The index allows one at every moment of a statement.
  await tables(ctx).updateTable('vaults').set({ is_default: false }).where('is_default', '=', true).execute()
  await tables(ctx)
    .updateTable('vaults')
    .set({ is_default: true, updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}

/** Stores where the master key comes from now, for every vault that it opens. */
export async function updateProvider(ctx: Context, provider: 'file' | 'env'): Promise<void> {
  await tables(ctx)
    .updateTable('vaults')
    .set({ provider })
    .where('provider', 'not in', ['passphrase', provider])
    .execute()
}

/** Deletes a vault with its keys. @throws the database's refusal when a secret lies in it */
export async function deleteVaultRow(ctx: Context, id: number): Promise<void> {
  await tables(ctx).deleteFrom('vaults').where('id', '=', id).execute()
}

/** Invalidates what processes hold of a vault: counts the lock, and deletes what is on its way to them. */
export async function updateLocked(ctx: Context, id: number): Promise<void> {
  await tables(ctx)
    .updateTable('vaults')
    .set((row) => ({ lock_count: row('lock_count', '+', 1), updated_at: ctx.now() }))
    .where('id', '=', id)
    .execute()
  await tables(ctx).deleteFrom('vault_grants').where('vault_id', '=', id).execute()
  await sql`UPDATE vault_processes SET open_vaults = array_remove(open_vaults, ${id})
            WHERE ${id} = ANY (open_vaults)`.execute(ctx.db)
}

/** Notes that secrets of these vaults were opened a moment ago. */
export async function updateLastUsed(ctx: Context, ids: readonly number[]): Promise<void> {
  await tables(ctx).updateTable('vaults').set({ last_used_at: ctx.now() }).where('id', 'in', ids).execute()
}

/** The locks counted of these vaults, by id; a deleted vault has none. */
export async function listLockCounts(ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map<never, never>()
  const rows = await tables(ctx).selectFrom('vaults').select(['id', 'lock_count']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row.lock_count]))
}

/** Finds the key of a vault: its bytes under the root key, or null for the master key itself. */
export async function findVaultKey(
  ctx: Context,
  vaultId: number,
  version: number,
): Promise<{ wrapped: Buffer | null } | undefined> {
  return tables(ctx)
    .selectFrom('vault_keys')
    .select('wrapped')
    .where('vault_id', '=', vaultId)
    .where('version', '=', version)
    .executeTakeFirst()
}

/** Inserts a key of a vault. */
export async function insertVaultKey(
  ctx: Context,
  key: { readonly vault_id: number; readonly version: number; readonly wrapped: Buffer },
): Promise<void> {
  await tables(ctx)
    .insertInto('vault_keys')
    .values({ ...key, created_at: ctx.now() })
    .execute()
}

/** Deletes the keys of a vault before a version. @throws the database's refusal while a secret needs one */
export async function deleteVaultKeysBefore(ctx: Context, vaultId: number, version: number): Promise<void> {
  await tables(ctx).deleteFrom('vault_keys').where('vault_id', '=', vaultId).where('version', '<', version).execute()
}

/** Announces a running process, by the database's clock. It no longer counts as holding vaults that were locked meanwhile. */
export async function upsertProcess(
  ctx: Context,
  row: Pick<VaultProcessRow, 'id' | 'public_key' | 'proof'> & {
    readonly leaseSeconds: number
    readonly open: readonly { readonly vaultId: number; readonly lockCount: number }[]
  },
): Promise<void> {
  const { open, leaseSeconds } = row
  const ids = open.map(({ vaultId }) => vaultId)
  const counts = open.map(({ lockCount }) => lockCount)
  await sql`
    INSERT INTO vault_processes (id, public_key, proof, lease_until, open_vaults)
    VALUES (${row.id}, ${row.public_key}, ${row.proof}, now() + make_interval(secs => ${leaseSeconds}),
      (SELECT coalesce(array_agg(vaults.id ORDER BY vaults.id), '{}') FROM vaults
       JOIN unnest(${ids}::int[], ${counts}::int[]) AS held (id, lock_count)
         ON held.id = vaults.id AND held.lock_count = vaults.lock_count))
    ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until, open_vaults = excluded.open_vaults`.execute(
    ctx.db,
  )
}

/** Forgets a process. */
export async function deleteProcess(ctx: Context, id: string): Promise<void> {
  await tables(ctx).deleteFrom('vault_processes').where('id', '=', id).execute()
}

/** Forgets processes whose lease ended long ago. */
export async function deleteLostProcesses(ctx: Context): Promise<void> {
  await tables(ctx)
    .deleteFrom('vault_processes')
    .where('lease_until', '<', sql<Date>`now() - interval '1 hour'`)
    .execute()
}

/** Lists the processes that run. */
export async function listProcesses(ctx: Context): Promise<VaultProcessRow[]> {
  return tables(ctx)
    .selectFrom('vault_processes')
    .selectAll()
    .where('lease_until', '>', sql<Date>`now()`)
    .orderBy('id')
    .execute()
}

/** Lists running processes, and counts by vault how many of them can open it or are about to. */
export async function countOpen(ctx: Context): Promise<{ total: number; open: ReadonlyMap<number, number> }> {
  const { rows } = await sql<{ vault_id: number | null; count: number }>`
    WITH running AS (SELECT id, open_vaults FROM vault_processes WHERE lease_until > now())
    SELECT NULL::int AS vault_id, count(*)::int AS count FROM running
    UNION ALL
    SELECT vault_id, count(DISTINCT id)::int FROM (
      SELECT id, unnest(open_vaults) AS vault_id FROM running
      UNION ALL SELECT running.id, vault_id FROM running JOIN vault_grants ON process_id = running.id
    ) open GROUP BY vault_id`.execute(ctx.db)
  const open = rows.flatMap(({ vault_id, count }) => (vault_id === null ? [] : [[vault_id, count] as const]))
  return { total: rows.find(({ vault_id }) => vault_id === null)?.count ?? 0, open: new Map(open) }
}

/** Sends a root key to a process; one that it has not read yet is replaced. */
export async function upsertGrant(ctx: Context, grant: VaultGrantRow): Promise<void> {
  const { sealed, lock_count } = grant
  await tables(ctx)
    .insertInto('vault_grants')
    .values(grant)
    .onConflict((conflict) => conflict.columns(['process_id', 'vault_id']).doUpdateSet({ sealed, lock_count }))
    .execute()
}

/** Lists what was sent to a process. */
export async function listGrants(ctx: Context, processId: string): Promise<VaultGrantRow[]> {
  return tables(ctx).selectFrom('vault_grants').selectAll().where('process_id', '=', processId).execute()
}

/** Deletes what a process has read. */
export async function deleteGrants(ctx: Context, processId: string, vaultIds: readonly number[]): Promise<void> {
  await tables(ctx)
    .deleteFrom('vault_grants')
    .where('process_id', '=', processId)
    .where('vault_id', 'in', vaultIds)
    .execute()
}

type AttemptKey = { readonly vaultId: number; readonly operatorId: number }

/** Reads an operator's attempts at a vault and locks them until the transaction ends; makes an empty row when there is none. */
export async function lockAttempts(ctx: Context, { vaultId, operatorId }: AttemptKey): Promise<VaultAttemptRow> {
  const now = ctx.now()
  const key = { vault_id: vaultId, operator_id: operatorId }
  return tables(ctx)
    .insertInto('vault_attempts')
    .values({ ...key, failures: 0, wait_until: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['vault_id', 'operator_id']).doUpdateSet({ vault_id: vaultId }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Writes how often an operator failed at a vault and until when the next attempt waits. */
export async function updateAttempts(
  ctx: Context,
  { vaultId, operatorId }: AttemptKey,
  { failures, waitUntil }: { readonly failures: number; readonly waitUntil: Date },
): Promise<void> {
  await tables(ctx)
    .updateTable('vault_attempts')
    .set({ failures, wait_until: waitUntil, updated_at: ctx.now() })
    .where('vault_id', '=', vaultId)
    .where('operator_id', '=', operatorId)
    .execute()
}

/** Undoes one failure and its wait, because its attempt was never tried. */
export async function undoAttempt(ctx: Context, { vaultId, operatorId }: AttemptKey): Promise<void> {
  await tables(ctx)
    .updateTable('vault_attempts')
    .set((row) => ({ failures: row('failures', '-', 1), wait_until: ctx.now() }))
    .where('vault_id', '=', vaultId)
    .where('operator_id', '=', operatorId)
    .where('failures', '>', 0)
    .execute()
}

/** Clears an operator's failures at a vault. */
export async function deleteAttempts(ctx: Context, { vaultId, operatorId }: AttemptKey): Promise<void> {
  await tables(ctx)
    .deleteFrom('vault_attempts')
    .where('vault_id', '=', vaultId)
    .where('operator_id', '=', operatorId)
    .execute()
}
