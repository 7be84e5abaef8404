import type { Context } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { assetName, getAsset } from '../../blockchains/chains/service.ts'
import type { SweepRow } from './tables.ts'

type Failed = Pick<SweepRow, 'id' | 'wallet_id' | 'asset_id'>

/** Raises the alarm that a sweep failed or left addresses out; the next sweep of its wallet and asset may clear it. */
export async function raiseFailed(ctx: Context, sweep: Failed): Promise<void> {
  const { blockchainCode, currencyCode } = await getAsset(ctx, sweep.asset_id)
  const params = { sweepID: Number(sweep.id), walletID: sweep.wallet_id, blockchainCode, currencyCode }
  await raiseAlarm(ctx, { kind: 'sweep_failed', subject: await subjectOf(ctx, sweep), params })
}

/** Clears that alarm: a sweep of the same wallet and asset has arrived completely. */
export async function clearFailed(ctx: Context, sweep: Failed): Promise<void> {
  await clearAlarm(ctx, { kind: 'sweep_failed', subject: await subjectOf(ctx, sweep) })
}

async function subjectOf(ctx: Context, { wallet_id, asset_id }: Failed): Promise<string> {
  return `${assetName(await getAsset(ctx, asset_id))} wallet ${wallet_id}`
}
