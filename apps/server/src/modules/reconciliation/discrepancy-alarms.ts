import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../context.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import type { Asset } from '../blockchains/chains/service.ts'
import type { Discrepancy } from './discrepancy-store.ts'

/** Raises an alarm: which address holds how much too much or too little, and what to do. */
export function raiseDiscrepancy(ctx: Context, discrepancy: Discrepancy, asset: Asset): Promise<void> {
  const { currencyCode, blockchainCode: code, decimals } = asset
  const { address, units, height } = discrepancy
  const amount = formatUnits(units < 0n ? -units : units, decimals)
  const what = `${amount} ${currencyCode} on ${code}, address ${address}, block ${height}`
  const text =
    units < 0n
      ? `CRITICAL: ${what}: the address holds this much less than the books. The money left without Kassa: somebody else may hold the key. Stop taking payments with this wallet, and find the transaction in an explorer.`
      : `${what}: the address holds this much more than the books, and no transaction of it was found. It may be a block reward, or money that arrived before Kassa followed the chain. Find out, then book it: npm run book-discrepancy -- --chain ${code} --address ${address} --asset ${currencyCode} --amount ${amount} --note "…"`
  return raiseAlarm(ctx, { kind: 'ledger_imbalance', subject: subjectOf(discrepancy, asset), text })
}

/** Clears the alarm of a discrepancy that is closed. */
export function clearDiscrepancyAlarm(ctx: Context, discrepancy: Discrepancy, asset: Asset): Promise<void> {
  return clearAlarm(ctx, { kind: 'ledger_imbalance', subject: subjectOf(discrepancy, asset) })
}

function subjectOf({ id }: Discrepancy, { currencyCode, blockchainCode }: Asset): string {
  return `${currencyCode} on ${blockchainCode} (discrepancy ${id})`
}
