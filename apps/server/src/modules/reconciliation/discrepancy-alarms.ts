import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../context.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import type { Asset } from '../blockchains/chains/service.ts'
import { drawnFrom } from '../movements/service.ts'
import type { Discrepancy } from './discrepancy-store.ts'

/** Raises an alarm that names the address, how much it holds too much or too little, and what to do. */
export async function raiseDiscrepancy(ctx: Context, discrepancy: Discrepancy, asset: Asset): Promise<void> {
  const { currencyCode, blockchainCode, decimals } = asset
  const { address, units, height } = discrepancy
  const amount = formatUnits(units < 0n ? -units : units, decimals)
  const subject = subjectOf(discrepancy, asset)
  const facts = { amount, currencyCode, blockchainCode, address, height }
  const drawnIn = units < 0n ? await drawingTransaction(ctx, discrepancy) : null
  const params =
    drawnIn === null
      ? ({ case: units < 0n ? 'missing' : 'surplus', ...facts } as const)
      : ({ case: 'drawn', ...facts, txHash: drawnIn } as const)
  return raiseAlarm(ctx, { kind: 'ledger_imbalance', subject, params })
}

/** The last transaction by which the owner took money from it, where one is known. */
async function drawingTransaction(ctx: Context, { place, assetId }: Discrepancy): Promise<string | null> {
  if (place.role !== 'deposit') return null
  const drawn = await drawnFrom(ctx, { assetId, addressId: place.addressId })
  return drawn.at(-1)?.txId ?? null
}

/** Clears the alarm of a discrepancy that is closed. */
export function clearDiscrepancyAlarm(ctx: Context, discrepancy: Discrepancy, asset: Asset): Promise<void> {
  return clearAlarm(ctx, { kind: 'ledger_imbalance', subject: subjectOf(discrepancy, asset) })
}

function subjectOf({ id }: Discrepancy, { currencyCode, blockchainCode }: Asset): string {
  return `${currencyCode} on ${blockchainCode} (discrepancy ${id})`
}
