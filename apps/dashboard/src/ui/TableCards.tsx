import { useFollow } from '../lib/navigate.ts'
import { LoadingText, Skeleton } from './Skeleton.tsx'
import type { CardPlace, Column } from './table-columns.ts'

type TableCardsProps<Row> = {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly rowHref: ((row: Row) => string) | undefined
}

/** What can be pressed on a card stands above the link that covers it. */
const LINE = 'flex flex-wrap items-center gap-x-3 [&_:is(a,button)]:relative'

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
              <span className="relative flex items-center justify-end gap-1.5 text-end">
                {at(columns, 'badge', row)}
              </span>
            </div>
            <div className={`mt-1.5 gap-y-1 break-words ${LINE}`}>{at(columns, 'line', row)}</div>
            <div className={`mt-1 justify-between text-muted ${LINE}`}>{at(columns, 'foot', row)}</div>
          </li>
        )
      })}
    </ul>
  )
}

/** The first face of a list on a narrow screen. */
export function TableCardsLoading({ caption }: { caption: string }) {
  return (
    <>
      <div aria-hidden className="divide-y divide-border">
        {[0, 1, 2, 3, 4].map((card) => (
          <div key={card} className="flex flex-col gap-2.5 px-4 py-4">
            <Skeleton width="45%" />
            <Skeleton width="75%" height={12} />
          </div>
        ))}
      </div>
      <LoadingText text={`Loading ${caption}`} />
    </>
  )
}

function at<Row>(columns: readonly Column<Row>[], place: CardPlace, row: Row) {
  return columns
    .filter(({ card = 'line' }) => card === place)
    .map(({ key, label, cell, cardLabel }) => (
      <span key={key}>
        {cardLabel === true && <span className="text-muted">{label} </span>}
        {cell(row)}
      </span>
    ))
}
