import type { MouseEvent } from 'react'
import type { Density } from '../../lib/display/density.ts'
import { useFollow, useGo } from '../../lib/navigation/navigate.ts'
import { Skeleton } from '../feedback/Skeleton.tsx'
import type { Column } from '../list/columns.ts'
import { CELL, frozen, GROWS, MENU, PICK } from './cell-classes.ts'
import { RowCheckbox } from './RowCheckbox.tsx'
import { RowMenuButton } from './RowMenuButton.tsx'
import { menuLabel, selectLabel, type RowsProps } from './row-props.ts'
import { focusRow, onRowKey } from './useRowKeys.ts'

/** Skeleton rows under the real head while the first answer is on its way. */
const LOADING_ROWS = 8

/** The row the keys are on. */
const AT = 'not-aria-selected:has-[a[data-row]:focus-visible]:bg-hover'

type TableRowsProps<Row> = RowsProps<Row> & {
  readonly density: Density
  /** Rows that are not seen yet and give the columns their widths: nothing moves once they are. */
  readonly sizers: readonly Row[]
}

/** The rows: the first cell is the row's link, a press anywhere else on the row follows it. */
export function TableRows<Row>(props: TableRowsProps<Row>) {
  const { columns, rows, rowKey, rowHref, rowPage, rowName, selection, menu, density } = props
  const go = useGo()
  const follow = useFollow()
  const press = (event: MouseEvent<HTMLTableRowElement>, href: string) => {
    const isSelecting = (window.getSelection()?.toString() ?? '') !== ''
    if (isOwn(event) || isSelecting) return
    focusRow(event.currentTarget)
    go(href)
  }
  const pressMiddle = (event: MouseEvent<HTMLTableRowElement>, page: string) => {
    if (event.button === 1 && !isOwn(event)) window.open(page, '_blank', 'noreferrer')
  }
  const height = density === 'compact' ? 'h-9 coarse:h-11' : 'h-11 [&>*]:py-1'
  return (
    <tbody className="divide-y divide-border">
      {rows.map((row) => {
        const key = rowKey(row)
        const href = rowHref?.(row)
        const page = rowPage?.(row)
        const isSelected = selection?.has(key) === true
        return (
          <tr
            key={key}
            onClick={href === undefined ? undefined : (event) => press(event, href)}
            onAuxClick={page === undefined ? undefined : (event) => pressMiddle(event, page)}
            onKeyDown={(event) => onRowKey(event, key, selection)}
            aria-selected={selection === undefined ? undefined : isSelected}
            className={`transition-colors duration-[120ms] ${height} ${tint(isSelected, href !== undefined)} ${AT}`}
          >
            {selection !== undefined && (
              <td className={PICK}>
                <RowCheckbox
                  label={selectLabel(rowName?.(row))}
                  checked={isSelected}
                  onToggle={(isExtended) => selection.toggle(key, isExtended)}
                />
              </td>
            )}
            {columns.map(({ key: column, cell, align, grows }, at) => {
              const look = rowClasses(align, grows)
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
              <td className={MENU}>
                <RowMenuButton label={menuLabel(rowName?.(row))} menuId={menu.id} onOpen={() => menu.onOpen(key)} />
              </td>
            )}
          </tr>
        )
      })}
      <Sizers {...props} />
    </tbody>
  )
}

/** Rows of no height, as wide as any. */
function Sizers<Row>({ sizers, columns, rowKey, selection, menu }: TableRowsProps<Row>) {
  return sizers.map((row) => (
    <tr key={`sizer ${rowKey(row)}`} aria-hidden className="collapse">
      {selection !== undefined && (
        <td className={PICK}>
          <Skeleton width={16} />
        </td>
      )}
      {columns.map(({ key, cell, align, grows }, at) => (
        <td key={key} className={`${rowClasses(align, grows)} ${at === 0 ? 'font-medium' : ''}`}>
          {cell(row)}
        </td>
      ))}
      {menu !== undefined && (
        <td className={MENU}>
          <Skeleton width={16} />
        </td>
      )}
    </tr>
  ))
}

function rowClasses(align: 'start' | 'end' = 'start', grows = false): string {
  return `${CELL} whitespace-nowrap ${align === 'end' ? 'text-end tabular-nums' : 'text-start'} ${grows ? GROWS : ''}`
}

/** A row that is picked stays so to the eye under the pointer. */
function tint(isSelected: boolean, isLink: boolean): string {
  const look = isLink ? 'cursor-pointer' : ''
  if (isSelected) return `bg-selected ${look}`
  return `bg-surface ${look} ${isLink ? 'hover:bg-hover' : ''}`
}

/** What can be pressed inside a row acts for itself. */
function isOwn({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('a, button, input, label, [popover]') !== null
}

type TableLoadingProps<Row> = {
  readonly columns: readonly Column<Row>[]
  readonly hasBoxes: boolean
  readonly hasMenu: boolean
}

/** A table before its first rows. */
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
            <td className={MENU}>
              <Skeleton width={16} height={4} />
            </td>
          )}
        </tr>
      ))}
    </tbody>
  )
}
