import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ChevronLeft, Plus, X } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useIsNarrow } from '../../lib/device/media.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { useShortcuts } from '../../lib/device/shortcuts.ts'
import { Button } from '../actions/Button.tsx'
import { Popover } from '../overlays/Popover.tsx'
import { FilterEditor } from './FilterEditor.tsx'
import { FilterSheet } from './FilterSheet.tsx'
import type { Sortable } from './FilterSheet.tsx'
import { filterText, isSet, without } from './filter-fields.ts'
import type { FilterField } from './filter-fields.ts'

/** As high as the search box beside it. */
const LINE = 'flex min-h-9 items-center gap-1.5 coarse:min-h-11'

const CHIP =
  'inline-flex h-8 max-w-[min(100%,24rem)] items-center rounded-full border border-accent-text bg-selected text-dense coarse:h-11'

export type FilterBarProps = {
  readonly fields: readonly FilterField[]
  /** What the list can be sorted by, for narrow screens, where cards have no head to press. */
  readonly columns: readonly Sortable[]
}

/**
 * What a list is narrowed by: the way to another part, which stays beside the search, then a chip per field that is set,
 * each with its editor. They take a line more only where there are too many.
 */
export function FilterBar({ fields, columns }: FilterBarProps) {
  const [search, setSearch] = useSearchState()
  const set = fields.filter((field) => isSet(field, search[field.key]))
  const unset = fields.filter((field) => !set.includes(field))
  const isNarrow = useIsNarrow()
  const apply = (key: string, value: string | undefined) => setSearch({ [key]: value, cursor: undefined })
  return (
    <div role="group" aria-label={t`Filters`} className="contents">
      <div className={LINE}>
        {isNarrow && <FilterSheet fields={fields} columns={columns} onApply={apply} />}
        {!isNarrow && unset.length > 0 && <AddFilter fields={unset} onApply={apply} />}
      </div>
      {set.length > 0 && (
        <div className={`${LINE} min-w-0 flex-wrap max-lg:order-last max-lg:basis-full lg:flex-1 lg:basis-72`}>
          {set.map((field) => (
            <Chip key={field.key} field={field} value={search[field.key]} onApply={apply} />
          ))}
          <Button kind="quiet" size="small" onClick={() => setSearch(without(set))}>
            <Trans>Clear all</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}

type Apply = (key: string, value: string | undefined) => void

function Chip({ field, value, onApply }: { field: FilterField; value: string | undefined; onApply: Apply }) {
  const { label } = field
  const text = filterText(field, value)
  return (
    <div className={CHIP}>
      <Popover
        label={t`Filter by ${label}`}
        button={(opener) => (
          <button type="button" {...opener} title={text} className="h-full min-w-0 truncate rounded-s-full ps-3 pe-1">
            <Trans>
              <span className="text-muted">{label}:</span> <span className="font-medium">{text}</span>
            </Trans>
          </button>
        )}
      >
        {(close) => (
          <FilterEditor
            field={field}
            value={value}
            onApply={(next) => {
              close()
              onApply(field.key, next)
            }}
          />
        )}
      </Popover>
      <button
        type="button"
        aria-label={t`Remove ${label}: ${text}`}
        onClick={() => onApply(field.key, undefined)}
        className="inline-flex h-full shrink-0 items-center rounded-e-full ps-1 pe-2.5 text-muted hover:text-ink coarse:min-w-11 coarse:justify-center"
      >
        <X aria-hidden size={14} />
      </button>
    </div>
  )
}

/** Two steps in one panel: which field, then its value. `f` opens it. */
function AddFilter({ fields, onApply }: { fields: readonly FilterField[]; onApply: Apply }) {
  const button = useRef<HTMLButtonElement>(null)
  useShortcuts(useMemo(() => ({ f: () => button.current?.click() }), []))
  return (
    <Popover
      label={t`Add filter`}
      button={(opener) => (
        <Button ref={button} size="small" icon={<Plus strokeWidth={1.75} />} {...opener}>
          <Trans>Add filter</Trans>
        </Button>
      )}
    >
      {(close) => (
        <NewFilter
          fields={fields}
          onApply={(key, value) => {
            close()
            onApply(key, value)
          }}
        />
      )}
    </Popover>
  )
}

function NewFilter({ fields, onApply }: { fields: readonly FilterField[]; onApply: Apply }) {
  const [field, setField] = useState<FilterField>()
  if (field !== undefined) {
    return (
      <>
        <Button kind="quiet" size="small" onClick={() => setField(undefined)}>
          <ChevronLeft aria-hidden size={14} className="rtl:-scale-x-100" />
          <Trans>All fields</Trans>
        </Button>
        <FilterEditor field={field} value={undefined} onApply={(value) => onApply(field.key, value)} />
      </>
    )
  }
  return (
    <ul aria-label={t`Fields`} className="-m-2.5">
      {fields.map((one) => (
        <li key={one.key}>
          <button
            type="button"
            onClick={() => setField(one)}
            className="w-full rounded-control px-2.5 py-2 text-start text-body outline-offset-[-2px] hover:bg-hover coarse:min-h-11"
          >
            {one.label}
          </button>
        </li>
      ))}
    </ul>
  )
}
