import { useState } from 'react'

export type BufferedRows<Row> = {
  readonly rows: readonly Row[] | undefined
  /** How many rows came meanwhile and are not shown. */
  readonly arrived: number
  readonly show: () => void
}

export type BufferedRowsOptions<Row> = {
  /** The newest answer; absent while there is none. */
  readonly fetched: readonly Row[] | undefined
  readonly rowKey: (row: Row) => string
  /** Which list, order and page this is: another one is shown as it comes. */
  readonly scope: string
  /** Whether the answer is this list's own, and not an older one shown until it comes. */
  readonly isOwn: boolean
}

/** Returns the rows to show: those on screen change in place, new ones wait until the operator asks for them. */
export function useBufferedRows<Row>({ fetched, rowKey, scope, isOwn }: BufferedRowsOptions<Row>): BufferedRows<Row> {
  const [buffered, setBuffered] = useState<{ readonly scope: string; readonly rows: readonly Row[] }>()
  // An empty list has no rows that could be pushed.
  const isBuffered = buffered !== undefined && buffered.scope === scope && buffered.rows.length > 0
  if (fetched === undefined || !isOwn) return { rows: fetched, arrived: 0, show: () => undefined }
  if (!isBuffered && fetched.length > 0) setBuffered({ scope, rows: fetched })
  const { rows, arrived } = isBuffered ? bufferNew(buffered.rows, fetched, rowKey) : { rows: fetched, arrived: 0 }
  return { rows, arrived: arrived, show: () => setBuffered({ scope, rows: fetched }) }
}

/**
 * Returns what of a new answer is shown in place of the rows before it. Rows that stand before or between known ones are
 * new and wait; the known ones they pushed off the page's end stay as they were; what follows the last known one fills up.
 */
export function bufferNew<Row>(
  shown: readonly Row[],
  fetched: readonly Row[],
  rowKey: (row: Row) => string,
): { rows: readonly Row[]; arrived: number } {
  const known = new Set(shown.map(rowKey))
  const isKnown = (row: Row) => known.has(rowKey(row))
  const lastKnown = fetched.findLastIndex(isKnown)
  const arrived = fetched.slice(0, lastKnown < 0 ? fetched.length : lastKnown).filter((row) => !isKnown(row)).length
  const present = new Set(fetched.map(rowKey))
  const lastPresent = shown.findLastIndex((row) => present.has(rowKey(row)))
  const pushedOff = shown.slice(lastPresent + 1, lastPresent + 1 + arrived)
  const after = lastKnown < 0 ? [] : fetched.slice(lastKnown + 1)
  return { rows: [...fetched.filter(isKnown), ...pushedOff, ...after], arrived: arrived }
}
