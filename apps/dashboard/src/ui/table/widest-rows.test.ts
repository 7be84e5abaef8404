import { expect, it } from 'vitest'

import { widestRows } from './useVisibleColumns.ts'

type Row = { readonly state: string; readonly amount: string }

const column = (key: keyof Row) => ({ key, label: key, cell: (row: Row) => row[key], text: (row: Row) => row[key] })
const rows = [
  { state: 'Open', amount: '$1.00' },
  { state: 'Overpaid by $125.00', amount: '$5.00' },
  { state: 'Paid', amount: '$1,234,567.00' },
]

it('takes of each column the row that says most, each once', () => {
  expect(widestRows(rows, [column('state'), column('amount')])).toEqual([rows[1], rows[2]])
  expect(widestRows(rows.slice(0, 2), [column('state'), column('state')])).toEqual([rows[1]])
})

it('takes none where there are none, nor for a column that does not tell', () => {
  expect(widestRows([], [column('state')])).toEqual([])
  expect(widestRows(rows, [{ ...column('state'), text: undefined }])).toEqual([])
})
