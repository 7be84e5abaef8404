/** Emits the events of payouts (api.md 6.1), in the transaction of the change. */
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { getAsset } from '../../blockchains/chains/service.ts'
import type { WithdrawalRow } from './tables.ts'

/** How deep the transaction of a payout is. */
export type Depth = { readonly current: number; readonly required: number }

/** Emits `payout.<state>` with the sequence that the change counted. */
export async function announcePayout(ctx: Context, row: WithdrawalRow, depth?: Depth): Promise<void> {
  const asset = await getAsset(ctx, row.asset_id)
  const type = `payout.${row.status}` as const
  await ctx.events.emit(ctx, {
    type,
    projectId: row.project_id,
    orderKey: `payout:${row.id}`,
    sequence: row.sequence,
    payload: {
      event_type: type,
      payout_id: Number(row.id),
      network: asset.blockchainCode,
      token: asset.currencyCode,
      amount: formatUnits(BigInt(row.units), asset.decimals),
      tx_hash: row.tx_id,
      status: row.status,
      address: row.to_address,
      from_address: row.from_address,
      failure_reason: row.failure_reason,
      timestamp: Math.floor(ctx.now().getTime() / 1000),
      amount_in_usd: trimmed(row.amount_usd),
      type: row.type,
      client_reference: row.client_reference,
      project_id: row.project_id,
      confirmation_current: depth?.current ?? 0,
      confirmation_required: depth?.required ?? asset.minConfirmations,
    },
  })
}

/** Decimal text of the database without trailing zeros; dollars keep two decimals at least. */
export function trimmed(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}
