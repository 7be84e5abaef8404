import { readAddresses, readTransactionIds } from '@kassa/chains/identifiers.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'
import { beginsWith } from '../../../db/lists/begins-with.ts'
import type { WithdrawalRow } from '../record/tables.ts'

/** In each place so many payouts are looked at for the newest. */
const MOST_LOOKED_AT = 200

/**
 * Lists the newest payouts of an id, an address or a transaction, or whose recipient or client reference begins with a text; of
 * a text that begins very many, the newest of some. Each place has an index of its own.
 */
export async function listByPrefix(
  ctx: Context,
  { projectIds, query, limit }: { projectIds: ProjectScope['projectIds']; query: string; limit: number },
): Promise<WithdrawalRow[]> {
  const inScope = projectIds === 'every' ? sql`true` : sql`project_id = ANY (${[...projectIds]}::int[])`
  const places = conditionsOf(query).map(
    (condition) => sql`(SELECT id FROM withdrawals WHERE ${condition} AND ${inScope} LIMIT ${MOST_LOOKED_AT})`,
  )
  const { rows } = await sql<WithdrawalRow>`
    SELECT payout.* FROM (${sql.join(places, sql` UNION `)}) AS place JOIN withdrawals AS payout USING (id)
    ORDER BY payout.created_at DESC, payout.id DESC LIMIT ${limit}`.execute(ctx.db)
  return rows
}

function conditionsOf(query: string): RawBuilder<unknown>[] {
  const start = query.toLowerCase()
  const txIds = readTransactionIds(query).map(({ txId }) => txId)
  const addresses = readAddresses(query)
  return [
    beginsWith(sql`lower(recipient_email)`, start),
    beginsWith(sql`lower(recipient_name)`, start),
    beginsWith(sql`lower(client_reference)`, start),
    ...(txIds.length > 0 ? [sql`tx_id = ANY (${txIds}::text[])`] : []),
    ...(addresses.length > 0 ? [sql`to_address = ANY (${addresses}::text[])`] : []),
    ...(/^[1-9]\d{0,17}$/.test(query) ? [sql`id = ${query}::bigint`] : []),
  ]
}
