import type { JournalLine } from '@kassa/contract/payments/schemas.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type * as z from 'zod/mini'

import type { Asset } from '../../blockchains/chains/service.ts'
import type { StoredEntry } from '../../ledger/service.ts'

/** A journal entry as two rows per line: what was debited, then what was credited. */
export function journalView(entry: StoredEntry, assets: readonly Asset[]): z.output<typeof JournalLine>[] {
  return entry.lines.flatMap(({ debit, credit, units }) => {
    const asset = assets.find(({ id }) => id === debit.assetId)
    const amount = formatUnits(units, asset?.decimals ?? 0)
    const row = { id: Number(entry.id), at: entry.at, asset: asset?.currencyCode ?? '' }
    return [
      { ...row, account: debit.kind, debit: amount, credit: null },
      { ...row, account: credit.kind, debit: null, credit: amount },
    ]
  })
}
