import type { Column } from '../table-columns.ts'

/** Returns the rows that make every column as wide as all of them do: of each the one that says most. */
export function widestRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): readonly Row[] {
  const widest = columns.flatMap(({ text }) => (text === undefined ? [] : longest(rows, text)))
  return [...new Set(widest)]
}

function longest<Row>(rows: readonly Row[], text: (row: Row) => string): readonly Row[] {
  let [found, most] = [rows[0], 0]
  for (const row of rows) {
    const { length } = text(row)
    if (length > most) [found, most] = [row, length]
  }
  return found === undefined ? [] : [found]
}
