import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ChevronDown, SlidersHorizontal } from 'lucide-react'
import { useMemo, useState } from 'react'

import { useSearchState } from '../../lib/navigation/search.ts'
import { useShortcuts } from '../../lib/device/shortcuts.ts'
import { Button } from '../actions/Button.tsx'
import { Dialog } from '../overlays/Dialog.tsx'
import { Select } from '../fields/Select.tsx'
import { filterText, isSet } from './filter-fields.ts'
import type { FilterField } from './filter-fields.ts'
import { FilterEditor } from './FilterEditor.tsx'

/** A column as far as sorting goes. */
export type Sortable = { readonly label: string; readonly sortBy?: string | undefined }

export type FilterSheetProps = {
  readonly fields: readonly FilterField[]
  readonly columns: readonly Sortable[]
  readonly onApply: (key: string, value: string | undefined) => void
}

/** Filters and order of a list on a narrow screen, where neither chips nor a table's head have room. */
export function FilterSheet({ fields, columns, onApply }: FilterSheetProps) {
  const [isOpen, setIsOpen] = useState(false)
  useShortcuts(useMemo(() => ({ f: () => setIsOpen(true) }), []))
  const close = () => setIsOpen(false)
  return (
    <>
      <Button size="small" icon={<SlidersHorizontal strokeWidth={1.75} />} onClick={() => setIsOpen(true)}>
        <Trans>Filter and sort</Trans>
      </Button>
      {isOpen && (
        <Dialog
          title={t`Filter and sort`}
          onClose={close}
          foot={
            <Button kind="primary" onClick={close}>
              <Trans>Done</Trans>
            </Button>
          }
        >
          <Order columns={columns} />
          <ul aria-label={t`Filters`} className="mt-5 divide-y divide-border border-y border-border">
            {fields.map((field) => (
              <Line key={field.key} field={field} onApply={onApply} />
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}

/** One field at a time is open: the platform closes the others of the same name. */
function Line({ field, onApply }: { field: FilterField } & Pick<FilterSheetProps, 'onApply'>) {
  const [search] = useSearchState()
  const [isOpen, setIsOpen] = useState(false)
  const value = search[field.key]
  return (
    <li>
      <details name="filter" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="flex min-h-12 list-none items-center justify-between gap-3">
          <span className="font-medium">{field.label}</span>
          <span className="flex min-w-0 items-center gap-2 text-muted">
            <span className="truncate">
              {isSet(field, value)
                ? filterText(field, value)
                : t({ message: 'Any', comment: 'a field that narrows nothing' })}
            </span>
            <ChevronDown aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
          </span>
        </summary>
        {isOpen && (
          <div className="pb-4">
            <FilterEditor
              field={field}
              value={value}
              onApply={(next) => {
                setIsOpen(false)
                onApply(field.key, next)
              }}
            />
          </div>
        )}
      </details>
    </li>
  )
}

const BY_ITSELF = ''

/** Every order the columns offer, both ways. */
function Order({ columns }: Pick<FilterSheetProps, 'columns'>) {
  const [{ sortBy, sortDirection }, setSearch] = useSearchState()
  const sorts = columns.flatMap(({ label, sortBy: key }) => (key === undefined ? [] : [{ label, key }]))
  const options = sorts.flatMap(({ label, key }) => [
    { value: `${key} DESC`, label: t`${label}, descending` },
    { value: `${key} ASC`, label: t`${label}, ascending` },
  ])
  const choose = (value: string) => {
    const [key, direction] = value.split(' ')
    setSearch({ sortBy: key, sortDirection: direction, cursor: undefined })
  }
  return (
    <Select
      label={t`Sort by`}
      value={sortBy === undefined ? BY_ITSELF : `${sortBy} ${sortDirection === 'ASC' ? 'ASC' : 'DESC'}`}
      options={[{ value: BY_ITSELF, label: t`Newest first` }, ...options]}
      onChange={choose}
    />
  )
}
