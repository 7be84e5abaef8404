import type { Selectable } from 'kysely'

import type { Context } from '../../context.ts'
import type { RealtimeTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<RealtimeTables>()

export type TokenRow = Selectable<RealtimeTables['websocket_tokens']>

/** Stores the hash of a token that opens one socket, once. */
export async function insertToken(
  ctx: Context,
  token: Pick<TokenRow, 'token_hash' | 'session_id' | 'client_id' | 'origin' | 'expires_at'>,
): Promise<TokenRow> {
  return tables(ctx)
    .insertInto('websocket_tokens')
    .values({ ...token, used_at: null, created_at: ctx.now() })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Uses a token up; undefined when it is unknown, used, expired or belongs to another tab. */
export async function moveTokenToUsed(ctx: Context, hash: Buffer, clientId: string): Promise<TokenRow | undefined> {
  return tables(ctx)
    .updateTable('websocket_tokens')
    .set({ used_at: ctx.now() })
    .where('token_hash', '=', hash)
    .where('client_id', '=', clientId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', ctx.now())
    .returningAll()
    .executeTakeFirst()
}

/** Deletes tokens that expired before a time. */
export async function deleteTokensBefore(ctx: Context, time: Date): Promise<void> {
  await tables(ctx).deleteFrom('websocket_tokens').where('expires_at', '<', time).execute()
}
