import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

type Unproven = { readonly blockchainId: number; readonly code: string; readonly count: number }

/** Counts undecided transactions without a sequence that expired before a time, for every blockchain. */
export async function countUnproven(ctx: Context, expiredBefore: Date): Promise<Unproven[]> {
  const { rows } = await sql<Unproven>`
    SELECT blockchain.id AS "blockchainId", blockchain.code, count(permission.id)::int AS count
    FROM blockchains AS blockchain
    LEFT JOIN sweep_permissions AS permission ON permission.blockchain_id = blockchain.id
      AND permission.state = 'broadcast' AND permission.sequence IS NULL AND permission.valid_until < ${expiredBefore}
    GROUP BY blockchain.id ORDER BY blockchain.id`.execute(ctx.db)
  return rows
}
