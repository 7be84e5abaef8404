import { formatUnits } from '@kassa/primitives/money/units.ts'
import type { Context } from '../../context.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import { type Asset, listAssets } from '../blockchains/chains/service.ts'
import type { Movement } from './movement.ts'
import { listUnacknowledged } from './store.ts'

/** Raises an alarm for each wallet of a blockchain that was spent from without our intent; it names the newest of these spends. */
export async function raiseSpentOutside(ctx: Context, blockchainId: number): Promise<void> {
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  for (const movement of await listUnacknowledged(ctx, blockchainId, null)) {
    const asset = assets.get(movement.assetId)
    const subject = subjectOf(movement, asset)
    if (!asset || subject === null) continue
    const params = {
      blockchainCode: asset.blockchainCode,
      address: movement.fromAddress ?? '',
      amount: formatUnits(movement.units, asset.decimals),
      currencyCode: asset.currencyCode,
      to: movement.toAddress,
      txHash: movement.txId,
    }
    await raiseAlarm(ctx, { kind: 'hot_spent_outside', subject, params })
  }
}

/** Clears the alarms of wallets that have no such spend any more. */
export async function clearSpentOutside(
  ctx: Context,
  blockchainId: number,
  movements: readonly Movement[],
): Promise<void> {
  const spends = movements.filter(({ kind }) => kind === 'spent-outside')
  if (spends.length === 0) return
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  const open = new Set((await listUnacknowledged(ctx, blockchainId, null)).map(({ from }) => from?.walletId))
  for (const movement of spends) {
    const subject = subjectOf(movement, assets.get(movement.assetId))
    if (subject !== null && !open.has(movement.from?.walletId))
      await clearAlarm(ctx, { kind: 'hot_spent_outside', subject })
  }
}

function subjectOf({ from }: Movement, asset: Asset | undefined): string | null {
  return from?.walletId && asset ? `${asset.blockchainCode} wallet ${from.walletId}` : null
}
