import { t } from '@lingui/core/macro'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { KeyboardEvent, MouseEvent } from 'react'

import type { Density } from '../lib/density.ts'
import { useFollow, useGo } from '../lib/navigate.ts'
import { useSearchState } from '../lib/search.ts'
import { Skeleton } from './Skeleton.tsx'
import type { Column } from './table-columns.ts'
import { RowCheckbox } from './table/RowCheckbox.tsx'
import { RowMenuButton } from './table/RowMenuButton.tsx'
import { menuLabel, pickLabel } from './table/row-labels.ts'
import type { RowsProps } from './table/row-props.ts'
import type { Selection } from './use-selection.ts'

const CELL = 'px-3 first:ps-4 last:pe-4 sm:first:ps-5 sm:last:pe-5'

/** The column of boxes stays in view, and so does the first column beside it. */
const PICK = 'sticky start-0 z-[1] w-12 bg-inherit ps-2 sm:ps-3'

function frozen(selection: Selection | undefined): string {
  return `sticky z-[1] bg-inherit ${selection === undefined ? 'start-0' : 'start-12'}`
}

/** Skeleton rows under the real head while the first answer is on its way. */
const LOADING_ROWS = 8

type TableHeadProps<Row> = {
  readonly columns: readonly Column<Row>[]
  readonly selection?: Selection | undefined
  /** How many rows stand below; none while they are on their way. */
  readonly shown: number
  readonly hasMenu: boolean
}

/** The head stays in view: below the top bar of the page, or at the top of what else scrolls. */
const HEAD =
  'sticky top-14 z-[2] bg-sunken text-start text-caption text-muted in-[dialog]:top-0 group-data-wide/box:top-0'

/** The head: a column the server can sort by cycles descending, ascending, default. */
export function TableHead<Row>({ columns, selection, shown, hasMenu }: TableHeadProps<Row>) {
  const [search, setSearch] = useSearchState()
  const sortedBy = search.sortBy
  const direction = search.sortDirection === 'ASC' ? 'ASC' : 'DESC'

  const sort = (key: string) => {
    if (sortedBy !== key) return setSearch({ sortBy: key, sortDirection: 'DESC', cursor: undefined })
    if (direction === 'DESC') return setSearch({ sortDirection: 'ASC', cursor: undefined })
    setSearch({ sortBy: undefined, sortDirection: undefined, cursor: undefined })
  }

  return (
    <thead className={HEAD}>
      <tr className="bg-sunken">
        {selection !== undefined && (
          <td className={PICK}>{shown > 0 && <PickAll selection={selection} shown={shown} />}</td>
        )}
        {columns.map(({ key, label, sortBy, align }, at) => {
          const isSorted = sortBy !== undefined && sortBy === sortedBy
          const Icon = isSorted ? (direction === 'ASC' ? ArrowUp : ArrowDown) : ArrowUpDown
          return (
            <th
              key={key}
              scope="col"
              aria-sort={isSorted ? (direction === 'ASC' ? 'ascending' : 'descending') : undefined}
              className={`${CELL} h-9 font-medium whitespace-nowrap ${align === 'end' ? 'text-end' : 'text-start'} ${at === 0 ? frozen(selection) : ''}`}
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
        {hasMenu && (
          <td className="w-12">
            <span className="sr-only">{t`Actions`}</span>
          </td>
        )}
      </tr>
    </thead>
  )
}

function PickAll({ selection, shown }: { selection: Selection; shown: number }) {
  const isAll = selection.count === shown
  return (
    <RowCheckbox
      label={t`Select all ${shown} on this page`}
      checked={isAll}
      partly={!isAll && selection.count > 0}
      onToggle={isAll ? selection.clear : selection.pickAll}
    />
  )
}

/** The rows: the first cell is the row's link, a press anywhere else on the row follows it. */
export function TableRows<Row>(props: RowsProps<Row> & { readonly density: Density }) {
  const { columns, rows, rowKey, rowHref, rowPage, rowName, selection, menu, density } = props
  const go = useGo()
  const follow = useFollow()
  const press = (event: MouseEvent<HTMLTableRowElement>, href: string) => {
    const isSelecting = (window.getSelection()?.toString() ?? '') !== ''
    if (!isOwn(event) && !isSelecting) go(href)
  }
  const pressMiddle = (event: MouseEvent<HTMLTableRowElement>, page: string) => {
    if (event.button === 1 && !isOwn(event)) window.open(page, '_blank', 'noreferrer')
  }
  const height = density === 'compact' ? 'h-9 coarse:h-11' : 'h-11'
  return (
    <tbody className="divide-y divide-border">
      {rows.map((row) => {
        const key = rowKey(row)
        const href = rowHref?.(row)
        const page = rowPage?.(row)
        const isPicked = selection?.has(key) === true
        return (
          <tr
            key={key}
            onClick={href === undefined ? undefined : (event) => press(event, href)}
            onAuxClick={page === undefined ? undefined : (event) => pressMiddle(event, page)}
            aria-selected={selection === undefined ? undefined : isPicked}
            className={`transition-colors duration-[120ms] ${height} ${isPicked ? 'bg-selected' : 'bg-surface'} ${href === undefined ? '' : 'cursor-pointer hover:bg-hover'}`}
          >
            {selection !== undefined && (
              <td className={PICK}>
                <RowCheckbox
                  label={pickLabel(rowName?.(row))}
                  checked={isPicked}
                  onToggle={(isExtended) => selection.toggle(key, isExtended)}
                />
              </td>
            )}
            {columns.map(({ key: column, cell, align }, at) => {
              const look = `${CELL} whitespace-nowrap ${align === 'end' ? 'text-end tabular-nums' : 'text-start'}`
              if (at > 0)
                return (
                  <td key={column} className={look}>
                    {cell(row)}
                  </td>
                )
              return (
                <th key={column} scope="row" className={`${look} font-medium ${frozen(selection)}`}>
                  {href === undefined ? (
                    cell(row)
                  ) : (
                    <a
                      href={page ?? href}
                      onClick={(event) => follow(event, href)}
                      onKeyDown={(event) => onRowKey(event, key, selection)}
                      data-row={key}
                      className="rounded-chip"
                    >
                      {cell(row)}
                    </a>
                  )}
                </th>
              )
            })}
            {menu !== undefined && (
              <td className="w-12 pe-3 text-end">
                <RowMenuButton label={menuLabel(rowName?.(row))} menuId={menu.id} onOpen={() => menu.onOpen(key)} />
              </td>
            )}
          </tr>
        )
      })}
    </tbody>
  )
}

/** What can be pressed inside a row acts for itself. */
function isOwn({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('a, button, input, label, [popover]') !== null
}

/** Arrows, `j` and `k` go from row to row, `o` opens as Enter does; `x` picks the row, Shift and an arrow the next one too. */
function onRowKey(event: KeyboardEvent<HTMLAnchorElement>, key: string, selection: Selection | undefined): void {
  if (event.key === 'o') event.currentTarget.click()
  if (event.key === 'x') selection?.toggle(key)
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const links = [...(event.currentTarget.closest('tbody')?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])]
  const next = links[links.indexOf(event.currentTarget) + step]
  next?.focus()
  if (event.shiftKey && next !== undefined) selection?.pick([key, next.dataset.row ?? key])
}

type TableLoadingProps<Row> = {
  readonly columns: readonly Column<Row>[]
  readonly hasBoxes: boolean
  readonly hasMenu: boolean
}

/** The first face of a table. */
export function TableLoading<Row>({ columns, hasBoxes, hasMenu }: TableLoadingProps<Row>) {
  return (
    <tbody aria-hidden className="divide-y divide-border">
      {Array.from({ length: LOADING_ROWS }, (_, row) => (
        <tr key={row} className="h-11">
          {hasBoxes && (
            <td className={PICK}>
              <Skeleton width={16} />
            </td>
          )}
          {columns.map(({ key, align }, at) => (
            <td key={key} className={CELL}>
              <div className={align === 'end' ? 'flex justify-end' : ''}>
                <Skeleton width={at === 0 ? 72 : 96} height={12} />
              </div>
            </td>
          ))}
          {hasMenu && (
            <td className="w-12">
              <Skeleton width={16} height={4} />
            </td>
          )}
        </tr>
      ))}
    </tbody>
  )
}
