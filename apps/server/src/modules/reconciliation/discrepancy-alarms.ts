import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../context.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import type { Asset } from '../blockchains/chains/service.ts'
import type { Discrepancy } from './discrepancy-store.ts'

/** Says which address holds how much of what too much or too little, and what to do. */
export function raiseDiscrepancy(ctx: Context, finding: Discrepancy, asset: Asset): Promise<void> {
  const { currencyCode, blockchainCode: code, decimals } = asset
  const { address, units, height } = finding
  const amount = formatUnits(units < 0n ? -units : units, decimals)
  const what = `${amount} ${currencyCode} on ${code}, address ${address}, block ${height}`
  const text =
    units < 0n
      ? `CRITICAL: ${what}: so much less is there than the books say. Money left without Kassa's doing: somebody else may hold the key. Stop taking payments with this wallet, and find the transaction in an explorer.`
      : `${what}: so much more is there than the books say, and no transaction of it was found. It may be a block reward, or money that came before Kassa watched. Find out, then book it: npm run book-found -- --chain ${code} --address ${address} --asset ${currencyCode} --amount ${amount} --note "…"`
  return raiseAlarm(ctx, { kind: 'books_broken', subject: subjectOf(finding, asset), text })
}

/** The chain and the books agree about it again. */
export function endFindingAlarm(ctx: Context, finding: Discrepancy, asset: Asset): Promise<void> {
  return clearAlarm(ctx, { kind: 'books_broken', subject: subjectOf(finding, asset) })
}

function subjectOf({ id }: Discrepancy, { currencyCode, blockchainCode }: Asset): string {
  return `${currencyCode} on ${blockchainCode} (finding ${id})`
}
