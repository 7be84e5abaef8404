import type { Context } from '../../../context.ts'
import type { AuthenticatorRow, FactorTables, PasskeyRow } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<FactorTables>()

/** Finds the authenticator app of an operator, confirmed or not. */
export async function findAuthenticator(ctx: Context, operatorId: number): Promise<AuthenticatorRow | undefined> {
  return tables(ctx).selectFrom('authenticators').selectAll().where('operator_id', '=', operatorId).executeTakeFirst()
}

/** Keeps the secret of an app that is not confirmed yet, in place of another such one. */
export async function upsertAuthenticator(
  ctx: Context,
  pending: Pick<AuthenticatorRow, 'operator_id' | 'secret_id' | 'expires_at' | 'created_at'>,
): Promise<void> {
  await tables(ctx)
    .insertInto('authenticators')
    .values(pending)
    .onConflict((conflict) => conflict.column('operator_id').doUpdateSet({ ...pending, last_step: 0n }))
    .execute()
}

/** Confirms the app whose secret was checked, at the step of its code; false when it is another one by now. */
export async function moveToConfirmed(
  ctx: Context,
  { operator_id: operatorId, secret_id: secretId }: AuthenticatorRow,
  step: bigint,
): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('authenticators')
    .set({ confirmed_at: ctx.now(), last_step: step })
    .where('operator_id', '=', operatorId)
    .where('secret_id', '=', secretId)
    .where('confirmed_at', 'is', null)
    .where('expires_at', '>', ctx.now())
    .returning('operator_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Uses a step of a confirmed app; false when it or a newer one was used: of two simultaneous calls, one gets it. */
export async function takeStep(
  ctx: Context,
  { operator_id: operatorId, secret_id: secretId }: AuthenticatorRow,
  step: bigint,
): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('authenticators')
    .set({ last_step: step })
    .where('operator_id', '=', operatorId)
    .where('secret_id', '=', secretId)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .returning('operator_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Removes the app of an operator; returns the id of its secret, which nothing refers to any more. */
export async function deleteAuthenticator(ctx: Context, operatorId: number): Promise<number | undefined> {
  const row = await tables(ctx)
    .deleteFrom('authenticators')
    .where('operator_id', '=', operatorId)
    .returning('secret_id')
    .executeTakeFirst()
  return row?.secret_id
}

/** Lists the passkeys of an operator, oldest first. */
export async function listPasskeys(ctx: Context, operatorId: number): Promise<PasskeyRow[]> {
  return tables(ctx).selectFrom('passkeys').selectAll().where('operator_id', '=', operatorId).orderBy('id').execute()
}

/** Finds the passkey of a credential. */
export async function findPasskey(ctx: Context, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  return tables(ctx).selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
}

/** Inserts a passkey; undefined when it is registered already. */
export async function insertPasskey(
  ctx: Context,
  passkey: Omit<PasskeyRow, 'id' | 'last_used_at'>,
): Promise<PasskeyRow | undefined> {
  return tables(ctx)
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/**
 * Moves the counter of a passkey that answered; false when it did not rise, which suggests a copy. Passkeys without a counter
 * always send 0.
 */
export async function moveCounter(ctx: Context, id: number, counter: bigint): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('passkeys')
    .set({ counter, last_used_at: ctx.now() })
    .where('id', '=', id)
    .where((passkey) =>
      passkey.or([
        passkey('counter', '<', counter),
        passkey.and([passkey('counter', '=', 0n), passkey.val(counter === 0n)]),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

type OwnPasskey = { readonly operatorId: number; readonly id: number }

/** Renames a passkey of an operator; false when there is none. */
export async function updatePasskeyName(ctx: Context, { operatorId, id }: OwnPasskey, name: string): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Removes a passkey of an operator; false when there is none. */
export async function deletePasskey(ctx: Context, { operatorId, id }: OwnPasskey): Promise<boolean> {
  const row = await tables(ctx)
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Counts the backup codes of an operator that were not used. */
export async function countBackupCodes(ctx: Context, operatorId: number): Promise<number> {
  const { count } = await tables(ctx)
    .selectFrom('backup_codes')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('operator_id', '=', operatorId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Gives an operator these backup codes in place of all former ones. */
export async function replaceBackupCodes(ctx: Context, operatorId: number, hashes: readonly Buffer[]): Promise<void> {
  await tables(ctx).deleteFrom('backup_codes').where('operator_id', '=', operatorId).execute()
  if (hashes.length === 0) return
  await tables(ctx)
    .insertInto('backup_codes')
    .values(hashes.map((hash) => ({ operator_id: operatorId, code_hash: hash, used_at: null })))
    .execute()
}

/** Uses a backup code up; false when it is none or was used: of two calls at once, one gets it. */
export async function moveToUsed(ctx: Context, operatorId: number, hash: Buffer): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('backup_codes')
    .set({ used_at: ctx.now() })
    .where('operator_id', '=', operatorId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('operator_id')
    .executeTakeFirst()
  return row !== undefined
}
