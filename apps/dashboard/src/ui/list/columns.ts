import type { ReactNode } from 'react'

/** Where a column stands on a card, which a row becomes on a narrow screen. */
export type CardPlace = 'title' | 'badge' | 'line' | 'foot' | 'none'

export type Column<Row> = {
  readonly key: string
  readonly label: string
  readonly cell: (row: Row) => ReactNode
  /** The name the server sorts by; absent means this column cannot be sorted. */
  readonly sortBy?: string | undefined
  readonly align?: 'start' | 'end'
  readonly card?: CardPlace
  /** Names the value on a card, where it would say nothing alone. */
  readonly cardLabel?: boolean
  /** Left out where the table would scroll sideways otherwise: 1 goes first. Absent means it always stays. */
  readonly shrink?: number | undefined
  /** Takes the width the others leave; what does not fit into that is cut by the cell itself. */
  readonly grows?: boolean
  /** What the cell says, where that differs in length from row to row. */
  readonly text?: (row: Row) => string
}

/** A column as the server names it. */
export type Attribute = { readonly displayName: string; readonly key: string; readonly sortBy?: string | undefined }

/** How the client draws a column it knows; `key` and `label` come from the server. */
export type Cell<Row> = Pick<Column<Row>, 'cell' | 'align' | 'card' | 'cardLabel' | 'shrink' | 'grows' | 'text'>

/**
 * Returns the columns the server names, in its order, drawn by the client's cells; a key without a cell shows its text.
 * `shown` picks and orders a part of them.
 */
export function columnsFrom<Row extends object>(
  attributes: readonly Attribute[],
  cells: Readonly<Record<string, Cell<Row>>>,
  shown?: readonly string[],
): Column<Row>[] {
  const columns = attributes.map(({ displayName, key, sortBy }) => {
    const known = cells[key] ?? { cell: (row: Row) => plainText(row, key), cardLabel: true }
    return { ...known, key, label: displayName, sortBy }
  })
  if (shown === undefined) return columns
  return shown.flatMap((key) => columns.filter((column) => column.key === key))
}

function plainText(row: object, key: string): string {
  const value: unknown = Object.entries(row).find(([name]) => name === key)?.[1]
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return value instanceof Date ? value.toISOString() : JSON.stringify(value)
}
