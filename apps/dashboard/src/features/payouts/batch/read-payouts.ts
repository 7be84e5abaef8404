/** Reads a list of payouts from the text of a CSV file, and makes the file to fill in. */
import { MOST_REQUESTED } from '@kassa/contract/withdrawals/batch-rules.ts'
import { t } from '@lingui/core/macro'

import { csvLine, readCsv } from '../../../lib/csv.ts'
import { listText } from '../../../lib/text/list-text.ts'
import { type ColumnName, COLUMNS, NEEDED_COLUMNS, type PayoutLine } from './payout-rows.ts'

/** More than a hundred lines of the longest texts. */
export const MOST_BYTES = 500_000

export type ReadPayouts = { readonly lines: readonly PayoutLine[] } | { readonly refusal: string }

/** Returns the lines of a file, or what is wrong with one that is not a list of payouts. */
export function readPayouts(text: string): ReadPayouts {
  if (text.trim() === '') return { refusal: t`This list is empty. Start from the example below.` }
  const rows = readCsv(text)
  const head = rows.next()
  const columns = head.done === true ? [] : head.value.cells.map(columnOf)
  const missing = NEEDED_COLUMNS.filter((name) => !columns.includes(name))
  if (missing.length > 0) {
    return { refusal: t`The first line must name the columns. Missing: ${listText(missing)}.` }
  }
  const lines: PayoutLine[] = []
  for (const { line, cells } of rows) {
    if (lines.length === MOST_REQUESTED) {
      return {
        refusal: t`There are more than ${MOST_REQUESTED} lines. Split the file: each part is confirmed by itself.`,
      }
    }
    const cellOf = (name: ColumnName) => (cells[columns.indexOf(name)] ?? '').trim()
    lines.push({
      line,
      values: {
        ...{ recipient: cellOf('recipient'), network: cellOf('network'), currency: cellOf('currency') },
        ...{ amount: cellOf('amount'), reference: cellOf('reference'), note: cellOf('note') },
      },
    })
  }
  return lines.length === 0 ? { refusal: t`There are no payouts below the header row.` } : { lines }
}

const EXAMPLE_LINES: readonly (readonly string[])[] = [
  ['Supplier A', 'BASE', 'USDC', '800.00', 'invoice-1', 'October'],
  ['ann@example.com', '', 'USDC', '120.50', 'salary-10-ann', ''],
]

/** An example of a file. */
export const EXAMPLE = [COLUMNS, ...EXAMPLE_LINES].map((line) => line.join(',')).join('\n')

/** Returns the example as a file; spreadsheets recognise UTF-8 by the byte order mark at the start. */
export function sampleFile(): Blob {
  return new Blob(['\uFEFF', ...[COLUMNS, ...EXAMPLE_LINES].map(csvLine)], { type: 'text/csv' })
}

function columnOf(name: string): ColumnName | undefined {
  const plain = name.trim().toLowerCase()
  return COLUMNS.find((column) => column === plain)
}
