import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import { beginsWith } from '../../db/lists/begins-with.ts'
import type { ApiKeyRow } from './tables.ts'

/** Lists the newest keys whose name begins with a text, that end with it, or that have it for their id; no revoked ones. */
export async function listByPrefix(
  ctx: Context,
  { projectIds, start, limit }: { projectIds: readonly number[] | 'every'; start: string; limit: number },
): Promise<Pick<ApiKeyRow, 'id' | 'project_id' | 'name' | 'last4'>[]> {
  const keyId = /^[1-9]\d{0,8}$/.test(start) ? Number(start) : null
  const { rows } = await sql<Pick<ApiKeyRow, 'id' | 'project_id' | 'name' | 'last4'>>`
    SELECT id, project_id, name, last4 FROM api_keys
    WHERE status <> 'revoked' AND (${beginsWith(sql`lower(name)`, start)} OR lower(last4) = ${start} OR id = ${keyId}::int)
      AND ${projectIds === 'every' ? sql`true` : sql`project_id = ANY (${[...projectIds]}::int[])`}
    ORDER BY id DESC LIMIT ${limit}`.execute(ctx.db)
  return rows
}
