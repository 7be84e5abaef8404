import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../context.ts'
import { getAsset } from '../blockchains/service.ts'
import type { Deposit } from '../deposits/service.ts'
import type { Payment } from './payment.ts'

type Decision<D> = { readonly action: string; readonly note: string; readonly deposit: D }

/** Writes into the timeline of a payment what a person decided, and why; who it was the event knows. */
export async function tellResolution(
  ctx: Context,
  { reference, project }: Payment,
  decision: Decision<Deposit | null>,
): Promise<void> {
  await tell(ctx, { projectId: project.id, reference }, decision)
}

/** The same for money that was for no payment: there is no timeline, but the decision is on record. */
export async function tellRelease(ctx: Context, decision: Decision<Deposit>): Promise<void> {
  await tell(ctx, { projectId: decision.deposit.projectId, reference: null }, decision)
}

async function tell(
  ctx: Context,
  { projectId, reference }: { projectId: number; reference: string | null },
  { action, note, deposit }: Decision<Deposit | null>,
): Promise<void> {
  const asset = deposit && (await getAsset(ctx, deposit.assetId))
  await ctx.events.emit(ctx, {
    type: 'payment.resolved',
    projectId,
    ...(reference !== null && { referenceId: reference }),
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
