import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../context.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import type { Asset } from '../blockchains/chains/service.ts'
import type { Discrepancy } from './discrepancy-store.ts'

/** Raises an alarm: which address holds how much too much or too little, and what to do. */
export function raiseDiscrepancy(ctx: Context, discrepancy: Discrepancy, asset: Asset): Promise<void> {
  const { currencyCode, blockchainCode, decimals } = asset
  const { address, units, height } = discrepancy
  const amount = formatUnits(units < 0n ? -units : units, decimals)
  const params = {
    case: units < 0n ? 'missing' : 'surplus',
    amount,
    currencyCode,
    blockchainCode,
    address,
    height,
  } as const
  return raiseAlarm(ctx, { kind: 'ledger_imbalance', subject: subjectOf(discrepancy, asset), params })
}

/** Clears the alarm of a discrepancy that is closed. */
export function clearDiscrepancyAlarm(ctx: Context, discrepancy: Discrepancy, asset: Asset): Promise<void> {
  return clearAlarm(ctx, { kind: 'ledger_imbalance', subject: subjectOf(discrepancy, asset) })
}

function subjectOf({ id }: Discrepancy, { currencyCode, blockchainCode }: Asset): string {
  return `${currencyCode} on ${blockchainCode} (discrepancy ${id})`
}
