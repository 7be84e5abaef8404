import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import { recordset } from '../../db/recordset.ts'
import type { VaultKeyTables, VaultRow } from './keys/tables.ts'
import type { SecretFacts, SecretRow, VaultReads, VaultTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<VaultTables & VaultKeyTables>()

/** A secret, and what is needed to open its vault. */
export type FoundSecret = SecretRow & Pick<VaultRow, 'provider' | 'lock_count'>

/** Takes the next secret's id, which its seal is bound to before the row exists. */
export async function nextSecretId(ctx: Context): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`SELECT nextval(pg_get_serial_sequence('secrets', 'id'))::int AS id`.execute(ctx.db)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('The sequence of secrets gave no number')
  return id
}

type NewSecret = Omit<SecretRow, 'rotated_at' | 'unreadable_since'>

/** Inserts a secret under its id; returns false when the install already has its one secret of this kind. */
export async function insertSecret(ctx: Context, secret: NewSecret): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO secrets (id, kind, label, vault_id, key_version, wrapped_key, sealed, version, created_at)
    OVERRIDING SYSTEM VALUE
    VALUES (${secret.id}, ${secret.kind}, ${secret.label}, ${secret.vault_id}, ${secret.key_version},
            ${secret.wrapped_key}, ${secret.sealed}, ${secret.version}, ${secret.created_at})
    ON CONFLICT (kind) WHERE kind = 'address_proof' DO NOTHING`.execute(ctx.db)
  return numAffectedRows === 1n
}

const secretsWithVault = (ctx: Context) =>
  tables(ctx)
    .selectFrom('secrets')
    .innerJoin('vaults', 'vaults.id', 'secrets.vault_id')
    .selectAll('secrets')
    .select(['vaults.provider', 'vaults.lock_count'])

/** Finds a secret by id. */
export async function findSecret(ctx: Context, id: number): Promise<FoundSecret | undefined> {
  return secretsWithVault(ctx).where('secrets.id', '=', id).executeTakeFirst()
}

/** Finds the one secret of a kind that exists once. */
export async function findSecretByKind(ctx: Context, kind: string): Promise<FoundSecret | undefined> {
  return secretsWithVault(ctx).where('secrets.kind', '=', kind).executeTakeFirst()
}

/** Removes a secret for good. */
export async function deleteSecret(ctx: Context, id: number): Promise<void> {
  await tables(ctx).deleteFrom('secrets').where('id', '=', id).execute()
}

/** Lists the secrets of a vault by id, without what is sealed. */
export async function listSecretFacts(ctx: Context, vaultId: number): Promise<SecretFacts[]> {
  return tables(ctx)
    .$extendTables<VaultReads>()
    .selectFrom('secrets')
    .leftJoin('hot_keys as key', 'key.secret_id', 'secrets.id')
    .select(['id', 'kind', 'label', 'vault_id', 'key_version', 'version', 'key.wallet_id'])
    .select(['created_at', 'rotated_at', 'unreadable_since'])
    .where('vault_id', '=', vaultId)
    .orderBy('id')
    .execute()
}

/** Lists secrets of a vault by id, after one. */
export async function listSecrets(ctx: Context, vaultId: number, after: number, limit: number): Promise<FoundSecret[]> {
  return secretsWithVault(ctx)
    .where('secrets.vault_id', '=', vaultId)
    .where('secrets.id', '>', after)
    .orderBy('secrets.id')
    .limit(limit)
    .execute()
}

/** Lists and locks secrets of a vault that an older key wraps, after one, skipping those that another transaction has locked. */
export async function lockOldSecrets(
  ctx: Context,
  { vaultId, keyVersion, after, limit }: OldSecrets & { readonly after: number; readonly limit: number },
): Promise<SecretRow[]> {
  return tables(ctx)
    .selectFrom('secrets')
    .selectAll()
    .where('vault_id', '=', vaultId)
    .where('key_version', '<', keyVersion)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

type OldSecrets = { readonly vaultId: number; readonly keyVersion: number }

/** Whether an older key of a vault still wraps a secret. */
export async function hasOldSecrets(ctx: Context, { vaultId, keyVersion }: OldSecrets): Promise<boolean> {
  const row = await tables(ctx)
    .selectFrom('secrets')
    .select('id')
    .where('vault_id', '=', vaultId)
    .where('key_version', '<', keyVersion)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type ResealedSecret = Pick<SecretRow, 'id' | 'key_version' | 'version' | 'wrapped_key' | 'sealed'>

/** Writes secrets that were sealed anew. */
export async function updateSealed(ctx: Context, secrets: readonly ResealedSecret[]): Promise<void> {
  const rows = secrets.map(({ wrapped_key, sealed, ...rest }) => ({
    ...rest,
    // PostgreSQL reads bytes in JSON as this text (bytea hex format).
    wrapped_key: `\\x${wrapped_key.toString('hex')}`,
    sealed: `\\x${sealed.toString('hex')}`,
  }))
  await sql`
    UPDATE secrets SET key_version = next.key_version, version = next.version, wrapped_key = next.wrapped_key,
      sealed = next.sealed, rotated_at = ${ctx.now()}, unreadable_since = NULL
    FROM ${recordset('secrets', rows)} AS next WHERE secrets.id = next.id`.execute(ctx.db)
}

/** Stores which of the checked secrets cannot be opened, and since when; the others can. */
export async function updateReadable(
  ctx: Context,
  { checked, unreadable }: { readonly checked: readonly number[]; readonly unreadable: readonly number[] },
): Promise<void> {
  await sql`
    UPDATE secrets SET unreadable_since = CASE WHEN id = ANY (${unreadable}::int[]) THEN ${ctx.now()}::timestamptz END
    WHERE id = ANY (${checked}::int[]) AND (unreadable_since IS NOT NULL) <> (id = ANY (${unreadable}::int[]))`.execute(
    ctx.db,
  )
}

/** A vault with what is counted of its secrets. */
export type CountedVault = VaultRow & {
  readonly secret_count: number
  readonly old_count: number
  readonly unreadable_count: number
}

/** Lists the vaults by id, or finds one. */
export async function listVaults(ctx: Context, id: number | null = null): Promise<CountedVault[]> {
  const { rows } = await sql<CountedVault>`
    SELECT vaults.*, coalesce(count, 0)::int AS secret_count, coalesce(old, 0)::int AS old_count,
      coalesce(unreadable, 0)::int AS unreadable_count
    FROM vaults LEFT JOIN LATERAL (
      SELECT count(*), count(*) FILTER (WHERE secrets.key_version < vaults.key_version) AS old,
        count(*) FILTER (WHERE unreadable_since IS NOT NULL) AS unreadable
      FROM secrets WHERE vault_id = vaults.id
    ) counted ON true
    WHERE ${id}::int IS NULL OR vaults.id = ${id}::int
    ORDER BY vaults.id`.execute(ctx.db)
  return rows
}
