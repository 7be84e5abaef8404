import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'

/** A fifth of what is signed at once (money.md 6.6, S-2): the rest lasts until somebody has fetched the seed. */
const SIGNED_AT_ONCE = 1000
const SHARE = 5

type Supply = {
  readonly wallet_id: number
  readonly blockchain_code: string
  readonly signed: number
  /** On addresses that nobody has been given yet. */
  readonly unused: number
}

/** Warns while few addresses are left for which a delegation was signed ahead, of each wallet and blockchain. */
export async function superviseSupply(ctx: Context): Promise<void> {
  for (const { wallet_id: walletID, blockchain_code: blockchainCode, signed, unused } of await listSupplies(ctx)) {
    const alarm = { kind: 'delegations_low', subject: `${blockchainCode} wallet ${walletID}` } as const
    const isLow = unused * SHARE <= Math.min(signed, SIGNED_AT_ONCE)
    if (isLow) await raiseAlarm(ctx, { ...alarm, params: { walletID, blockchainCode, left: unused, signed } })
    else await clearAlarm(ctx, alarm)
  }
}

async function listSupplies(ctx: Context): Promise<Supply[]> {
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
