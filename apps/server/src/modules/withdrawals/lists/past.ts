import { usdOf } from '@kassa/primitives/money/usd.ts'

import type { Context } from '../../../context.ts'
import { listAssets } from '../../blockchains/chains/service.ts'
import type { PastPayouts, PastRange } from '../policy/service.ts'
import { listPast } from './store.ts'

/** The newest payouts of a project that were requested since a time, as the policy saw them; oldest first. */
export async function pastPayouts(ctx: Context, projectId: number, range: PastRange): Promise<PastPayouts> {
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  const rows = await listPast(ctx, projectId, range)
  const payouts = rows.flatMap((row) => {
    const asset = assets.get(row.asset_id)
    if (!asset) return []
    return [
      {
        id: Number(row.id),
        createdAt: row.created_at,
        usd: usdOf(row.amount_usd),
        address: row.to_address,
        addressProblem: null,
        knownSince: row.known_since,
        asset: {
          isPayable: asset.withdrawalEnabled,
          decimals: asset.decimals,
          minUnits: asset.limits.minWithdrawAmount,
          maxUnits: null,
        },
        units: BigInt(row.units),
        alwaysByPeople: row.type === 'withdrawal',
      },
    ]
  })
  return { payouts, isCut: rows.length === range.most }
}
