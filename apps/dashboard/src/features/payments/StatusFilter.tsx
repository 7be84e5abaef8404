import { useSearchState } from '../../lib/search.ts'
import { STATUS_CHIPS, statusesOf, toggledStatus } from './payment-filter.ts'

const CHIP =
  'inline-flex h-8 shrink-0 items-center rounded-full border px-3 text-dense font-medium whitespace-nowrap transition-colors duration-[120ms] coarse:h-11'
const OFF = 'border-border bg-surface text-strong-muted hover:bg-hover hover:text-ink'
const ON = 'border-accent-text bg-selected text-ink'

/** States to narrow the list to; several of them add up, and they stand in the address. */
export function StatusFilter() {
  const [search, setSearch] = useSearchState()
  const chosen = statusesOf(search.status)
  return (
    <div role="group" aria-label="Filter by status" className="-m-1 flex min-w-0 gap-1.5 overflow-x-auto p-1">
      {STATUS_CHIPS.map(({ value, label }) => {
        const isOn = chosen.includes(value)
        return (
          <button
            key={value}
            type="button"
            aria-pressed={isOn}
            onClick={() => setSearch({ status: toggledStatus(search.status, value), cursor: undefined })}
            className={`${CHIP} ${isOn ? ON : OFF}`}
          >
            {label}
          </button>
        )
      })}
      {chosen.length > 0 && (
        <button
          type="button"
          onClick={() => setSearch({ status: undefined, cursor: undefined })}
          className="h-8 shrink-0 rounded-control px-2 text-dense font-medium text-muted hover:text-ink coarse:h-11"
        >
          Clear all
        </button>
      )}
    </div>
  )
}
