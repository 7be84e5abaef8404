import type { ReactNode } from 'react'

import { useIsNarrow, useIsRoomy } from '../lib/media.ts'
import { ErrorState } from './ErrorState.tsx'
import type { ErrorFacts } from './ErrorState.tsx'
import { LoadingText } from './Skeleton.tsx'
import type { Column } from './table-columns.ts'
import { TableCards, TableCardsLoading } from './TableCards.tsx'
import { TableFoot } from './TableFoot.tsx'
import type { Paging } from './TableFoot.tsx'
import { TableHead, TableLoading, TableRows } from './TableRows.tsx'

export type DataTableProps<Row> = {
  /** The screen's name; read out as the table's caption. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  /** Absent while the first answer is on its way. */
  readonly rows: readonly Row[] | undefined
  readonly rowKey: (row: Row) => string
  /** Where a row leads; usually the same address with `open` set. */
  readonly rowHref?: ((row: Row) => string) | undefined
  readonly error?: ErrorFacts | null | undefined
  readonly onRetry?: () => void
  readonly empty: ReactNode
  /** Older rows are on screen while newer ones are fetched. */
  readonly refreshing?: boolean
  readonly paging?: Paging
  /** Search box, filters, export: above the head, they stay in every face. */
  readonly toolbar?: ReactNode
}

/** Draws every list of the product in its four faces: loading, empty, error, data. Below 640 rows become cards. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, rows, error, onRetry, empty, refreshing = false, paging, toolbar } = props
  const isFirstFailure = rows === undefined && error !== undefined && error !== null
  return (
    <div>
      {toolbar !== undefined && <div className="mb-3 flex flex-wrap items-center gap-2">{toolbar}</div>}
      <div className="relative overflow-hidden rounded-card border border-border bg-surface shadow-card">
        {refreshing && <div aria-hidden className="absolute inset-x-0 top-0 z-10 h-0.5 animate-pulse bg-accent-text" />}
        {isFirstFailure && (
          <ErrorState
            title={`${caption} couldn’t be loaded`}
            error={error}
            {...(onRetry === undefined ? {} : { onRetry })}
          />
        )}
        {rows?.length === 0 && empty}
        {!isFirstFailure && rows?.length !== 0 && <Body {...props} />}
      </div>
      {paging !== undefined && rows !== undefined && rows.length > 0 && (
        <TableFoot paging={paging} shown={rows.length} />
      )}
    </div>
  )
}

function Body<Row>({ caption, columns: all, rows, rowKey, rowHref }: DataTableProps<Row>) {
  const isNarrow = useIsNarrow()
  const isRoomy = useIsRoomy()
  const columns = isNarrow || isRoomy ? all : all.filter(({ needsRoom }) => needsRoom !== true)
  if (isNarrow && rows === undefined) return <TableCardsLoading caption={caption} />
  if (isNarrow && rows !== undefined) {
    return <TableCards caption={caption} columns={columns} rows={rows} rowKey={rowKey} rowHref={rowHref} />
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table scrolls sideways by keyboard
    <div role="region" aria-label={`${caption}, table`} tabIndex={0} className="overflow-x-auto outline-offset-[-2px]">
      <table aria-label={caption} aria-busy={rows === undefined} className="w-full border-collapse text-dense">
        <TableHead columns={columns} />
        {rows === undefined ? (
          <TableLoading columns={columns} />
        ) : (
          <TableRows columns={columns} rows={rows} rowKey={rowKey} rowHref={rowHref} />
        )}
      </table>
      {rows === undefined && <LoadingText text={`Loading ${caption}`} />}
    </div>
  )
}
