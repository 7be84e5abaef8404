import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { KeyboardEvent, MouseEvent } from 'react'

import { useFollow, useGo } from '../lib/navigate.ts'
import { useSearchState } from '../lib/search.ts'
import { Skeleton } from './Skeleton.tsx'
import type { Column } from './table-columns.ts'

const CELL = 'px-3 first:ps-4 last:pe-4 sm:first:ps-5 sm:last:pe-5'

/** Skeleton rows under the real head while the first answer is on its way. */
const LOADING_ROWS = 8

/** The head: a column the server can sort by cycles descending, ascending, default. */
export function TableHead<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  const [search, setSearch] = useSearchState()
  const sortedBy = search.sortBy
  const direction = search.sortDirection === 'ASC' ? 'ASC' : 'DESC'

  const sort = (key: string) => {
    if (sortedBy !== key) return setSearch({ sortBy: key, sortDirection: 'DESC', cursor: undefined })
    if (direction === 'DESC') return setSearch({ sortDirection: 'ASC', cursor: undefined })
    setSearch({ sortBy: undefined, sortDirection: undefined, cursor: undefined })
  }

  return (
    <thead className="bg-sunken text-start text-caption text-muted">
      <tr>
        {columns.map(({ key, label, sortBy, align }) => {
          const isSorted = sortBy !== undefined && sortBy === sortedBy
          const Icon = isSorted ? (direction === 'ASC' ? ArrowUp : ArrowDown) : ArrowUpDown
          return (
            <th
              key={key}
              scope="col"
              aria-sort={isSorted ? (direction === 'ASC' ? 'ascending' : 'descending') : undefined}
              className={`${CELL} h-9 font-medium ${align === 'end' ? 'text-end' : 'text-start'}`}
            >
              {sortBy === undefined ? (
                label
              ) : (
                <button
                  type="button"
                  onClick={() => sort(sortBy)}
                  className="inline-flex h-6 items-center gap-1 rounded-chip whitespace-nowrap hover:text-ink"
                >
                  {label}
                  <Icon aria-hidden size={12} className={isSorted ? 'text-ink' : 'opacity-50'} />
                </button>
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

type TableRowsProps<Row> = {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly rowHref: ((row: Row) => string) | undefined
}

/** The rows: the first cell is the row's link, a press anywhere else on the row follows it. */
export function TableRows<Row>({ columns, rows, rowKey, rowHref }: TableRowsProps<Row>) {
  const go = useGo()
  const follow = useFollow()
  const press = (event: MouseEvent<HTMLTableRowElement>, href: string) => {
    const isOwn = event.target instanceof Element && event.target.closest('a, button, input, [popover]') !== null
    const isSelecting = (window.getSelection()?.toString() ?? '') !== ''
    if (!isOwn && !isSelecting) go(href)
  }
  return (
    <tbody className="divide-y divide-border">
      {rows.map((row) => {
        const href = rowHref?.(row)
        return (
          <tr
            key={rowKey(row)}
            onClick={href === undefined ? undefined : (event) => press(event, href)}
            className={`h-11 transition-colors duration-[120ms] ${href === undefined ? '' : 'cursor-pointer hover:bg-hover'}`}
          >
            {columns.map(({ key, cell, align }, at) => {
              const look = `${CELL} whitespace-nowrap ${align === 'end' ? 'text-end tabular-nums' : 'text-start'}`
              if (at > 0)
                return (
                  <td key={key} className={look}>
                    {cell(row)}
                  </td>
                )
              return (
                <th key={key} scope="row" className={`${look} font-medium`}>
                  {href === undefined ? (
                    cell(row)
                  ) : (
                    <a href={href} onClick={follow} onKeyDown={moveRow} data-row className="rounded-chip">
                      {cell(row)}
                    </a>
                  )}
                </th>
              )
            })}
          </tr>
        )
      })}
    </tbody>
  )
}

/** Arrows, `j` and `k` go from row to row, `o` opens as Enter does. */
function moveRow(event: KeyboardEvent<HTMLAnchorElement>): void {
  if (event.key === 'o') event.currentTarget.click()
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const links = [...(event.currentTarget.closest('tbody')?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])]
  links[links.indexOf(event.currentTarget) + step]?.focus()
}

/** The first face of a table. */
export function TableLoading<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tbody aria-hidden className="divide-y divide-border">
      {Array.from({ length: LOADING_ROWS }, (_, row) => (
        <tr key={row} className="h-11">
          {columns.map(({ key, align }, at) => (
            <td key={key} className={CELL}>
              <div className={align === 'end' ? 'flex justify-end' : ''}>
                <Skeleton width={at === 0 ? 72 : 96} height={12} />
              </div>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
