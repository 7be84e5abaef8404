import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

type Supply = {
  readonly wallet_id: number
  readonly blockchain_code: string
  readonly signed: number
  /** For addresses that no customer has yet. */
  readonly unused: number
}

/** Counts delegations that were signed ahead, and those of unassigned addresses, by wallet and blockchain. */
export async function listDelegationsLeft(ctx: Context): Promise<Supply[]> {
  const { rows } = await sql<Supply>`
    SELECT address.wallet_id, blockchain.code AS blockchain_code, count(*)::int AS signed,
      count(*) FILTER (WHERE address.status = 'open' AND permission.state IN ('signed', 'approved'))::int AS unused
    FROM sweep_permissions AS permission
    JOIN addresses AS address ON address.id = permission.address_id
    JOIN blockchains AS blockchain ON blockchain.id = permission.blockchain_id
    WHERE permission.kind = 'authorization' AND permission.approval_id IS NULL AND permission.signature IS NOT NULL
    GROUP BY address.wallet_id, blockchain.code ORDER BY 1, 2`.execute(ctx.db)
  return rows
}
