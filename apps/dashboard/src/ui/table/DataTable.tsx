import { t } from '@lingui/core/macro'
import { ArrowUp } from 'lucide-react'
import { useDeferredValue, useId, useRef, useState, type ReactNode } from 'react'
import { useDensity, type Density } from '../../lib/display/density.ts'
import { useIsNarrow } from '../../lib/device/media.ts'
import { Button } from '../actions/Button.tsx'
import { ErrorState, type ErrorFacts } from '../places/ErrorState.tsx'
import { Menu } from '../actions/Menu.tsx'
import { LoadingText } from '../feedback/Skeleton.tsx'
import type { Paging } from '../list/paging.ts'
import { menuLabel, type RowMenu, type RowsProps } from './row-props.ts'
import { TableBox } from './TableBox.tsx'
import { TableHead } from './TableHead.tsx'
import { useVisibleColumns, widestRows } from './useVisibleColumns.ts'
import { rememberRow, useRowKeys } from './useRowKeys.ts'
import { TableCards, TableCardsLoading } from './TableCards.tsx'
import { TableFoot } from './TableFoot.tsx'
import { TableLoading, TableRows } from './TableRows.tsx'

/** What a row takes while it is not drawn yet. */
const ROW_PX = 44

/** A card takes less: the place Back goes to must be there before the cards are. */
const CARD_REM = 15

/** The content above a table leaves it about this share of the window. */
const SHARE_OF_WINDOW = 2 / 3

/** Rows that came meanwhile and wait to be shown; none of them at first. */
export type News = { readonly arrived: number; readonly text: string; readonly onShow: () => void }

export type DataTableProps<Row> = Omit<RowsProps<Row>, 'rows' | 'menu'> & {
  /** The screen's name; read out as the table's caption. */
  readonly caption: string
  /** Absent while the first answer is on its way. */
  readonly rows: readonly Row[] | undefined
  readonly error?: ErrorFacts | null | undefined
  readonly onRetry?: () => void
  readonly empty: ReactNode
  /** Older rows are on screen while newer ones are fetched. */
  readonly refreshing?: boolean
  readonly paging?: Paging
  /** Search box, filters, export: above the head, they stay in every state. */
  readonly toolbar?: ReactNode
  /** As on the whole device unless this table is set otherwise. */
  readonly density?: Density | undefined
  readonly menu?: ((row: Row) => RowMenu) | undefined
  readonly news?: News | undefined
}

/** Draws every list of the product in its four states: loading, empty, error, data. Below 640 rows become cards. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, rows, error, onRetry, empty, refreshing = false, paging, toolbar, news } = props
  const head = useRef<HTMLDivElement>(null)
  const isFirstFailure = rows === undefined && error !== undefined && error !== null
  useRowKeys(head, props.rowHref !== undefined && (rows?.length ?? 0) > 0)
  // Another page is read from its top.
  const toHead = () => {
    if ((head.current?.getBoundingClientRect().top ?? 0) < 0) head.current?.scrollIntoView()
    head.current?.querySelector('[data-wide]')?.scrollTo({ top: 0 })
  }
  return (
    <div>
      {toolbar !== undefined && (
        <div className="mb-3 flex flex-wrap items-start gap-2 *:min-h-9 coarse:*:min-h-11">{toolbar}</div>
      )}
      <div
        ref={head}
        onFocus={(event) => rememberRow(head.current, event.target)}
        className="relative overflow-clip rounded-card border border-border bg-surface shadow-card has-[[data-wide]:focus-visible]:outline-2 has-[[data-wide]:focus-visible]:outline-offset-2 has-[[data-wide]:focus-visible]:outline-focus"
      >
        {refreshing && <div aria-hidden className="absolute inset-x-0 top-0 z-10 h-0.5 animate-pulse bg-accent-text" />}
        {isFirstFailure && (
          <ErrorState
            title={t`${caption} couldn’t be loaded`}
            error={error}
            {...(onRetry === undefined ? {} : { onRetry })}
          />
        )}
        {rows?.length === 0 && empty}
        {!isFirstFailure && rows?.length !== 0 && <Body {...props} />}
      </div>
      {news !== undefined && <Arrived news={news} onShown={toHead} />}
      {paging !== undefined && rows !== undefined && rows.length > 0 && (
        <TableFoot paging={paging} shown={rows.length} onTurn={toHead} />
      )}
    </div>
  )
}

function Body<Row>({ rows, menu, density: own, ...props }: DataTableProps<Row>) {
  const { caption, columns: all, rowKey, selection } = props
  const chosen = useDensity()
  const density = own ?? chosen
  const isNarrow = useIsNarrow()
  const box = useRef<HTMLDivElement>(null)
  const fit = useVisibleColumns(box, all, rows === undefined)
  const columns = isNarrow ? all : fit.columns
  const menuId = useId()
  const [menuKey, setMenuKey] = useState<string>()
  const opened = rows?.find((row) => rowKey(row) === menuKey)
  const opener = menu && { id: menuId, onOpen: setMenuKey }
  const rest = { ...props, columns, menu: opener }
  const isWhole = useDeferredValue(rows !== undefined, false)
  const drawn = isWhole ? rows : rows?.slice(0, rowsInSight())
  // A change of screen with all its rows at hand must be seen at once; what they cost to measure would be felt.
  const [isVisible] = useState(rows !== undefined)
  const unseen = isWhole || isVisible ? [] : (rows?.slice(rowsInSight()) ?? [])
  const missing = (rows?.length ?? 0) - (drawn?.length ?? 0)
  const placeholder = missing > 0 && (
    <div aria-hidden style={{ blockSize: isNarrow ? `${missing * CARD_REM}rem` : missing * ROW_PX }} />
  )
  if (isNarrow && rows === undefined) return <TableCardsLoading caption={caption} />
  return (
    <>
      {isNarrow && drawn !== undefined ? (
        <>
          <TableCards {...rest} rows={drawn} />
          {placeholder}
        </>
      ) : (
        <TableBox caption={caption} box={box} isWider={fit.isWider}>
          <table aria-label={caption} aria-busy={rows === undefined} className="w-full border-collapse text-dense">
            <TableHead columns={columns} selection={selection} shown={rows?.length ?? 0} hasMenu={menu !== undefined} />
            {drawn === undefined ? (
              <TableLoading columns={columns} hasBoxes={selection !== undefined} hasMenu={menu !== undefined} />
            ) : (
              <TableRows {...rest} rows={drawn} sizers={widestRows(unseen, columns)} density={density} />
            )}
          </table>
          {placeholder}
          {rows === undefined && <LoadingText text={t`Loading ${caption}`} />}
        </TableBox>
      )}
      {menu !== undefined && (
        <Menu
          id={menuId}
          label={opened === undefined ? t`Actions` : menuLabel(props.rowName?.(opened))}
          items={opened === undefined ? [] : menu(opened)}
          atEnd
        />
      )}
    </>
  )
}

/** Those below are drawn right after, so that a change of screen is seen at once. */
function rowsInSight(): number {
  return Math.ceil((window.innerHeight * SHARE_OF_WINDOW) / ROW_PX)
}

/** New rows push nothing away: a pill below them says how many there are, and is read out. */
function Arrived({ news, onShown }: { news: News; onShown: () => void }) {
  const show = () => {
    news.onShow()
    onShown()
  }
  return (
    <div role="status" className="sticky bottom-[calc(1rem+var(--page-end,0px))] z-10 flex justify-center">
      {news.arrived > 0 && (
        <div className="mt-3 rounded-control shadow-menu">
          <Button kind="primary" size="small" icon={<ArrowUp strokeWidth={2} />} onClick={show}>
            {news.text}
          </Button>
        </div>
      )}
    </div>
  )
}
