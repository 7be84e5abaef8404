import { t } from '@lingui/core/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { count } from '../../lib/text/format.ts'
import { useSearchState, type SearchPatch } from '../../lib/navigation/search.ts'
import { useShortcuts } from '../../lib/device/shortcuts.ts'
import { Button } from '../actions/Button.tsx'
import { PAGE_SIZE, PAGE_SIZES, pageSizeOf, rememberNeighbours, startOf, type Paging } from '../list/paging.ts'

type TableFootProps = {
  readonly paging: Paging
  readonly shown: number
  /** Another page is on its way. */
  readonly onTurn: () => void
}

/** Which rows these are, how many there are, and the way to newer and older ones; the cursor stands in the address. */
export function TableFoot({ paging, shown, onTurn }: TableFootProps) {
  const [search, setSearch] = useSearchState()
  const { nextCursor, prevCursor, isSized = false } = paging
  const canMove = typeof nextCursor === 'string' || typeof prevCursor === 'string'
  const page = { paging, shown, cursor: search.cursor }
  const turn = (patch: SearchPatch) => {
    rememberNeighbours(page, isSized ? pageSizeOf(search.limit) : shown)
    setSearch(patch)
    onTurn()
  }
  useShortcuts({
    ...(typeof prevCursor === 'string' && { '[': () => turn({ cursor: prevCursor }) }),
    ...(typeof nextCursor === 'string' && { ']': () => turn({ cursor: nextCursor }) }),
  })
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-3 text-dense text-muted">
      <span className="tabular-nums">{rangeText(paging, shown, startOf(page))}</span>
      <span className="flex flex-wrap items-center gap-2">
        {isSized && <PageSize size={pageSizeOf(search.limit)} onTurn={turn} />}
        {canMove && (
          <>
            <PageButton cursor={prevCursor} onTurn={(cursor) => turn({ cursor })} />
            <PageButton isOlder cursor={nextCursor} onTurn={(cursor) => turn({ cursor })} />
          </>
        )}
      </span>
    </div>
  )
}

/** Which rows of how many: "51–100 of 1,204"; without a start only how many are shown. */
function rangeText({ total, totalIsEstimate = false }: Paging, shown: number, start: number | undefined): string {
  const rows = start === undefined ? count(shown) : spanText(start, start + shown - 1)
  if (total === undefined) return rows
  const all = count(total)
  return totalIsEstimate ? t`${rows} of about ${all}` : t`${rows} of ${all}`
}

function spanText(first: number, last: number): string {
  return first === last ? count(first) : `${count(first)}–${count(last)}`
}

function PageSize({ size, onTurn }: { size: number; onTurn: (patch: SearchPatch) => void }) {
  const choose = (value: string) =>
    onTurn({ limit: value === String(PAGE_SIZE) ? undefined : value, cursor: undefined })
  return (
    <label className="flex items-center gap-2">
      {t({ message: 'Rows', comment: 'how many rows a page of the list has' })}
      <select
        value={size}
        onChange={(event) => choose(event.currentTarget.value)}
        className="h-8 rounded-control border border-border-control bg-surface px-2 text-ink coarse:h-11 [&>option]:bg-raised"
      >
        {PAGE_SIZES.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  )
}

type PageButtonProps = { isOlder?: boolean; cursor: string | null | undefined; onTurn: (cursor: string) => void }

function PageButton({ isOlder = false, cursor, onTurn }: PageButtonProps) {
  const hasMore = typeof cursor === 'string'
  return (
    <Button
      size="small"
      disabled={!hasMore}
      title={hasMore ? undefined : isOlder ? t`These are the oldest.` : t`These are the newest.`}
      onClick={() => hasMore && onTurn(cursor)}
    >
      {!isOlder && <ChevronLeft aria-hidden size={14} className="rtl:-scale-x-100" />}
      {isOlder
        ? t({ message: 'Older', comment: 'the page of older rows' })
        : t({ message: 'Newer', comment: 'the page of newer rows' })}
      {isOlder && <ChevronRight aria-hidden size={14} className="rtl:-scale-x-100" />}
    </Button>
  )
}
