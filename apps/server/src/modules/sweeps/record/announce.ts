/** Emits the events of sweeps (api.md 6.1), in the transaction of the change; once for each project whose money it is. */
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { sweepsTotal } from '../../../metrics/registry.ts'
import { getAsset } from '../../blockchains/chains/service.ts'
import { listItems } from './store.ts'
import type { SweepRow } from './tables.ts'

/** The states with an event of their own. A sweep that is only planned is published to open pages alone. */
type Announced = 'initiated' | 'broadcast' | 'cancelled' | 'completed' | 'failed'

/** Emits `sweep.<what>` with the sequence that the change counted. */
export async function announceSweep(ctx: Context, row: SweepRow, what: Announced): Promise<void> {
  sweepsTotal.inc({ event: what })
  const asset = await getAsset(ctx, row.asset_id)
  const items = await listItems(ctx, [row.id])
  const type = `sweep.${what}` as const
  const amountOf = (some: typeof items) =>
    formatUnits(
      some.reduce((sum, { units }) => sum + BigInt(units), 0n),
      asset.decimals,
    )
  const byProject = Map.groupBy(items, ({ project_id }) => project_id)
  await ctx.events.emitAll(
    ctx,
    [...byProject].map(([projectId, own]) => ({
      type,
      projectId,
      orderKey: `sweep:${row.id}:${projectId ?? 0}`,
      sequence: row.sequence,
      payload: {
        event_type: type,
        sequence: row.sequence,
        timestamp: Math.floor(ctx.now().getTime() / 1000),
        project_id: projectId,
        data: {
          id: Number(row.id),
          createdAt: row.created_at.toISOString(),
          updatedAt: row.updated_at.toISOString(),
          walletID: row.wallet_id,
          blockchainCode: asset.blockchainCode,
          currencyCode: asset.currencyCode,
          currencyAddress: asset.standard === 'native' ? null : asset.address,
          amount: amountOf(own),
          sweptAmount: amountOf(own.filter(({ state }) => state === 'swept')),
          addressCount: own.length,
          sweptCount: own.filter(({ state }) => state === 'swept').length,
          failedCount: own.filter(({ state }) => state === 'failed').length,
          fundCollectorAddress: row.collector,
          status: row.status,
          txHash: row.tx_id,
          trigger: row.trigger,
          path: row.method === 'psbt' ? 'device' : row.method === 'sweep' ? 'contract' : 'permission',
          sentBy: row.sent_by,
          externalPlatformIDs: projectId === null ? [] : [projectId],
        },
      },
    })),
  )
}

/** Notifies open pages that a sweep has changed. */
export function hintSweep(ctx: Context, id: bigint): void {
  ctx.events.announce(ctx, { name: 'sweep.changed', projectId: null, data: { id: Number(id) } })
}
