import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../context.ts'
import { getAsset } from '../blockchains/service.ts'
import type { Deposit } from '../deposits/service.ts'
import type { Payment } from './payment.ts'

/** Writes into the timeline of a payment what a person decided, and why; who it was the event knows. */
export async function tellResolution(
  ctx: Context,
  { reference, project }: Payment,
  { action, note, deposit }: { action: string; note: string; deposit: Deposit | null },
): Promise<void> {
  const asset = deposit && (await getAsset(ctx, deposit.assetId))
  await ctx.events.emit(ctx, {
    type: 'payment.resolved',
    projectId: project.id,
    referenceId: reference,
    payload: {
      reference_id: reference,
      action,
      note,
      deposit_id: deposit && Number(deposit.id),
      amount: deposit && asset && formatUnits(deposit.units, asset.decimals),
      currency: asset?.currencyCode ?? null,
      network: asset?.blockchainCode ?? null,
      transaction_hash: deposit?.txId ?? null,
    },
  })
}
