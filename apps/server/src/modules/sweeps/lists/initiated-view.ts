import type { InitiatedSweep } from '@kassa/contract/sweeps/approval-schemas.ts'
import type { Sweep } from '@kassa/contract/sweeps/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type * as z from 'zod/mini'

import type { Context } from '../../../context.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import { coinOf, type PlannedBatch } from '../planner/service.ts'

type Ready = {
  readonly batch: PlannedBatch
  readonly ceiling: bigint
  readonly call: { readonly to: string; readonly data: string; readonly value: bigint }
}

/** A sweep of chosen addresses with the transaction that makes it, for whichever wallet sends it. */
export async function initiatedView(
  ctx: Context,
  { asset, ready, sweep }: { readonly asset: Asset; readonly ready: Ready; readonly sweep: Sweep },
): Promise<z.output<typeof InitiatedSweep>> {
  const coin = await coinOf(ctx, asset)
  const { batch, ceiling, call } = ready
  return {
    sweepID: sweep.id,
    sweep,
    transaction: {
      to: call.to,
      data: call.data,
      value: String(call.value),
      chainId: findBlockchain(asset.blockchainId)?.networks[ctx.config.network].chainId ?? null,
      gasLimit: String(batch.gasLimit),
      maxFee: formatUnits(ceiling, coin.decimals),
    },
    fundCollector: batch.collector,
    expiresAt: sweep.expiresAt ?? ctx.now(),
  }
}
