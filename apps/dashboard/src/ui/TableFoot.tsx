import { ChevronLeft, ChevronRight } from 'lucide-react'

import { count } from '../lib/format.ts'
import { useSearchState } from '../lib/search.ts'
import { Button } from './Button.tsx'

export type Paging = {
  readonly nextCursor?: string | null
  readonly prevCursor?: string | null
  readonly total?: number | undefined
  readonly totalIsEstimate?: boolean | undefined
}

/** How many rows there are, and the way to newer and older ones; the cursor stands in the address. */
export function TableFoot({ paging, shown }: { paging: Paging; shown: number }) {
  const [, setSearch] = useSearchState()
  const { nextCursor, prevCursor, total, totalIsEstimate = false } = paging
  const canMove = typeof nextCursor === 'string' || typeof prevCursor === 'string'
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-3 text-dense text-muted">
      <span className="tabular-nums">
        {count(shown)}
        {total !== undefined && ` of ${totalIsEstimate ? 'about ' : ''}${count(total)}`}
      </span>
      {canMove && (
        <span className="flex gap-2">
          <Turn word="Newer" cursor={prevCursor} onTurn={(cursor) => setSearch({ cursor })} />
          <Turn word="Older" cursor={nextCursor} onTurn={(cursor) => setSearch({ cursor })} />
        </span>
      )}
    </div>
  )
}

type TurnProps = { word: 'Newer' | 'Older'; cursor: string | null | undefined; onTurn: (cursor: string) => void }

function Turn({ word, cursor, onTurn }: TurnProps) {
  const isOlder = word === 'Older'
  const hasMore = typeof cursor === 'string'
  return (
    <Button
      size="small"
      disabled={!hasMore}
      title={hasMore ? undefined : isOlder ? 'These are the oldest.' : 'These are the newest.'}
      onClick={() => hasMore && onTurn(cursor)}
    >
      {!isOlder && <ChevronLeft aria-hidden size={14} className="rtl:-scale-x-100" />}
      {word}
      {isOlder && <ChevronRight aria-hidden size={14} className="rtl:-scale-x-100" />}
    </Button>
  )
}
