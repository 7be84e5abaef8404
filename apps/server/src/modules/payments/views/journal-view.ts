import type { JournalLine } from '@kassa/contract/payments/schemas.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type * as z from 'zod/mini'

import type { StoredEntry } from '../../ledger/service.ts'

/** A journal entry as two rows per line: what was debited, then what was credited. */
export function journalView(entry: StoredEntry): z.output<typeof JournalLine>[] {
  return entry.lines.flatMap(({ debit, credit, units, unit }) => {
    const amount = formatUnits(units, unit.decimals)
    const row = { id: Number(entry.id), at: entry.postedAt, asset: unit.currencyCode }
    return [
      { ...row, account: debit.kind, debit: amount, credit: null },
      { ...row, account: credit.kind, debit: null, credit: amount },
    ]
  })
}
