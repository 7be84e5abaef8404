import { t } from '@lingui/core/macro'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'

import { useSearchState } from '../../lib/navigation/search.ts'
import type { Column } from '../list/columns.ts'
import type { Selection } from '../list/useSelection.ts'
import { CELL, frozen, GROWS, MENU, PICK } from './cell-classes.ts'
import { RowCheckbox } from './RowCheckbox.tsx'

type TableHeadProps<Row> = {
  readonly columns: readonly Column<Row>[]
  readonly selection?: Selection | undefined
  /** How many rows stand below; none while they are on their way. */
  readonly shown: number
  readonly hasMenu: boolean
}

/** The head stays in view: below the top bar of the page, or at the top of what else scrolls. */
const HEAD = 'sticky top-14 z-[2] bg-sunken text-start text-caption text-muted in-[dialog]:top-0 in-data-wide:top-0'

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
          <td className={PICK}>{shown > 0 && <SelectAll selection={selection} shown={shown} />}</td>
        )}
        {columns.map(({ key, label, sortBy, align, grows }, at) => {
          const isSorted = sortBy !== undefined && sortBy === sortedBy
          const Icon = isSorted ? (direction === 'ASC' ? ArrowUp : ArrowDown) : ArrowUpDown
          return (
            <th
              key={key}
              scope="col"
              aria-sort={isSorted ? (direction === 'ASC' ? 'ascending' : 'descending') : undefined}
              className={`${CELL} h-9 font-medium whitespace-nowrap ${align === 'end' ? 'text-end' : 'text-start'} ${at === 0 ? frozen(selection) : ''} ${grows === true ? GROWS : ''}`}
            >
              {sortBy === undefined ? (
                label
              ) : (
                <button
                  type="button"
                  onClick={() => sort(sortBy)}
                  // Of figures the label ends where they end, so the arrow stands before it.
                  className={`inline-flex h-6 items-center gap-1 rounded-chip whitespace-nowrap hover:text-ink ${align === 'end' ? 'flex-row-reverse' : ''}`}
                >
                  {label}
                  <Icon aria-hidden size={12} className={isSorted ? 'text-ink' : 'opacity-50'} />
                </button>
              )}
            </th>
          )
        })}
        {hasMenu && (
          <td className={MENU}>
            <span className="sr-only">{t`Actions`}</span>
          </td>
        )}
      </tr>
    </thead>
  )
}

function SelectAll({ selection, shown }: { selection: Selection; shown: number }) {
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
