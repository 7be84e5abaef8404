/** What the policy counts of a list of payouts: its sum, and of each asset what is taken before a row and by all of them. */
import { type Usd } from '@kassa/primitives/money/rate.ts'
import { usd } from '@kassa/primitives/money/usd.ts'

import type { ListTotals } from '../payouts/question.ts'

export type CountedRow = { readonly assetId: number; readonly units: bigint; readonly usd: Usd }

/** Returns for each row what the policy counts of its list, in the order of the rows. */
export function listTotalsOf(rows: readonly CountedRow[]): ListTotals[] {
  const amountUsd = usd(rows.reduce((sum, row) => sum + row.usd, 0n))
  const ofAsset = new Map<number, bigint>()
  const before = rows.map(({ assetId, units }) => {
    const taken = ofAsset.get(assetId) ?? 0n
    ofAsset.set(assetId, taken + units)
    return taken
  })
  return rows.map(({ assetId }, at) => ({
    payouts: rows.length,
    amountUsd,
    unitsBefore: before[at] ?? 0n,
    unitsOfAsset: ofAsset.get(assetId) ?? 0n,
  }))
}
