import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import type { SecretRow, VaultTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<VaultTables>()

/** Takes the next secret's id, which its seal is bound to before the row exists. */
export async function nextSecretId(ctx: Context): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`SELECT nextval(pg_get_serial_sequence('secrets', 'id'))::int AS id`.execute(ctx.db)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('The sequence of secrets gave no number')
  return id
}

type NewSecret = Pick<SecretRow, 'id' | 'kind' | 'label' | 'wrapped_key' | 'sealed' | 'version' | 'created_at'>

/** Inserts a secret under its id; returns false when the install already has its one secret of this kind. */
export async function insertSecret(ctx: Context, secret: NewSecret): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO secrets (id, kind, label, wrapped_key, sealed, version, created_at) OVERRIDING SYSTEM VALUE
    VALUES (${secret.id}, ${secret.kind}, ${secret.label}, ${secret.wrapped_key}, ${secret.sealed},
            ${secret.version}, ${secret.created_at})
    ON CONFLICT (kind) WHERE kind = 'address_proof' DO NOTHING`.execute(ctx.db)
  return numAffectedRows === 1n
}

/** Finds a secret by id. */
export async function findSecret(ctx: Context, id: number): Promise<SecretRow | undefined> {
  return tables(ctx).selectFrom('secrets').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds the one secret of a kind that exists once. */
export async function findSecretByKind(ctx: Context, kind: string): Promise<SecretRow | undefined> {
  return tables(ctx).selectFrom('secrets').selectAll().where('kind', '=', kind).executeTakeFirst()
}

/** Removes a secret for good. */
export async function deleteSecret(ctx: Context, id: number): Promise<void> {
  await tables(ctx).deleteFrom('secrets').where('id', '=', id).execute()
}
