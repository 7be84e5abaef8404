/** What a person confirms about several payouts at once: their sums, each of them, and the digest over all. */
import { formatUnits } from '@kassa/primitives/money/units.ts'

import { type Context, inTransaction, type ProjectScope } from '../../../context.ts'
import type { Description } from '../../../http/handlers.ts'
import { getAsset } from '../../blockchains/chains/service.ts'
import { descriptionOf } from '../payouts/describe.ts'
import { payloadOf, type WithdrawalRow, wordsOf } from '../record/service.ts'
import { lockList } from './approve-list.ts'
import { sumsOf } from './sums.ts'

/** Says what approving a list will do: the bytes of each payout, as the sender signs them, and the digest over all of them. */
export async function describeList(
  ctx: Context,
  scope: Pick<ProjectScope, 'projectIds'>,
  ids: readonly number[],
): Promise<Description> {
  return inTransaction(ctx, async (tx) => {
    const { rows, list } = await lockList(tx, scope, ids)
    const each: Description['lines'][number][] = []
    for (const row of rows) {
      const { lines } = await descriptionOf(tx, row)
      each.push(...lines.filter(({ code }) => code !== 'payout_words'))
    }
    return {
      lines: [
        { code: 'payout_list', params: { count: rows.length } },
        ...(await totalLines(tx, rows)),
        ...each,
        { code: 'payout_list_words', params: { words: wordsOf(list.digest) } },
      ],
      happens: { list: list.digest.toString('hex'), payouts: rows.map(payloadOf) },
    }
  })
}

/** What payouts pay together, a line for each asset. */
export async function totalLines(
  tx: Context,
  rows: readonly Pick<WithdrawalRow, 'asset_id' | 'units'>[],
): Promise<Description['lines']> {
  const lines: Description['lines'][number][] = []
  for (const { assetId, units, count } of sumsOf(rows)) {
    const { decimals, currencyCode: currency, blockchainCode: chain } = await getAsset(tx, assetId)
    lines.push({ code: 'payout_list_total', params: { amount: formatUnits(units, decimals), currency, chain, count } })
  }
  return lines
}
