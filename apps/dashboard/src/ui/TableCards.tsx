import { useFollow } from '../lib/navigate.ts'
import { Skeleton } from './Skeleton.tsx'
import type { CardPlace, Column } from './table-columns.ts'

type TableCardsProps<Row> = {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly rowHref: ((row: Row) => string) | undefined
}

/** Rows as cards for narrow screens: title and badge, then the lines, then the foot. */
export function TableCards<Row>({ caption, columns, rows, rowKey, rowHref }: TableCardsProps<Row>) {
  const follow = useFollow()
  return (
    <ul aria-label={caption} className="divide-y divide-border">
      {rows.map((row) => {
        const href = rowHref?.(row)
        const title = at(columns, 'title', row)
        return (
          <li key={rowKey(row)} className="relative px-4 py-3.5 text-dense">
            <div className="flex items-center justify-between gap-3">
              <span className="text-body font-semibold">
                {href === undefined ? (
                  title
                ) : (
                  <a href={href} onClick={follow} className="rounded-chip after:absolute after:inset-0">
                    {title}
                  </a>
                )}
              </span>
              <span className="relative flex items-center gap-1.5">{at(columns, 'badge', row)}</span>
            </div>
            <div className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 break-words">{at(columns, 'line', row)}</div>
            <div className="mt-1 flex flex-wrap gap-x-3 text-muted">{at(columns, 'foot', row)}</div>
          </li>
        )
      })}
    </ul>
  )
}

/** The first face of a list on a narrow screen. */
export function TableCardsLoading() {
  return (
    <div aria-hidden className="divide-y divide-border">
      {[0, 1, 2, 3, 4].map((card) => (
        <div key={card} className="flex flex-col gap-2.5 px-4 py-4">
          <Skeleton width="45%" />
          <Skeleton width="75%" height={12} />
        </div>
      ))}
    </div>
  )
}

function at<Row>(columns: readonly Column<Row>[], place: CardPlace, row: Row) {
  return columns
    .filter(({ card = 'line' }) => card === place)
    .map(({ key, cell }) => <span key={key}>{cell(row)}</span>)
}
