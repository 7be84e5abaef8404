import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react'

import { Button } from '../actions/Button.tsx'
import { Checkbox } from '../fields/Checkbox.tsx'
import { IconButton } from '../actions/IconButton.tsx'
import { Popover } from '../overlays/Popover.tsx'

export type ColumnChoice = { readonly key: string; readonly label: string }

export type ColumnChooserProps = {
  /** Every column there is, in the order of those that are not shown. */
  readonly columns: readonly ColumnChoice[]
  /** The keys of those shown, in the order of the table. */
  readonly shown: readonly string[]
  /** Whether the choice differs from the table's defaults. */
  readonly isOwn: boolean
  /** Told the new order; `undefined` is the table's own. */
  readonly onChange: (shown: readonly string[] | undefined) => void
}

/** Which columns a table shows and in what order; a change is seen at once. The first one stays in view. */
export function ColumnChooser({ columns, shown, isOwn, onChange }: ColumnChooserProps) {
  return (
    <Popover
      label={t`Columns`}
      atEnd
      button={(opener) => (
        <IconButton label={t`Columns`} icon={<Columns3 aria-hidden strokeWidth={1.75} />} {...opener} />
      )}
    >
      {() => (
        <>
          <div className="mb-1 flex items-center justify-between gap-3">
            <p className="font-semibold">
              <Trans>Columns</Trans>
            </p>
            <Button kind="quiet" size="small" disabled={!isOwn} onClick={() => onChange(undefined)}>
              <Trans>Reset</Trans>
            </Button>
          </div>
          <ol aria-label={t`Columns in order`}>
            {inOrder(columns, shown).map((column) => (
              <Line key={column.key} column={column} shown={shown} onChange={onChange} />
            ))}
          </ol>
        </>
      )}
    </Popover>
  )
}

/** Those shown first, as the table has them. */
function inOrder(columns: readonly ColumnChoice[], shown: readonly string[]): readonly ColumnChoice[] {
  const listed = shown.flatMap((key) => columns.filter((column) => column.key === key))
  return [...listed, ...columns.filter((column) => !listed.includes(column))]
}

type LineProps = Pick<ColumnChooserProps, 'shown' | 'onChange'> & { readonly column: ColumnChoice }

function Line({ column: { key, label }, shown, onChange }: LineProps) {
  const at = shown.indexOf(key)
  const isShown = at >= 0
  const isOnly = isShown && shown.length === 1
  const toggle = (isOn: boolean) => {
    if (isOn) onChange([...shown, key])
    else if (!isOnly) onChange(shown.filter((one) => one !== key))
  }
  const move = (by: -1 | 1) => onChange(shown.with(at, shown[at + by] ?? key).with(at + by, key))
  return (
    <li className="flex min-h-9 items-center justify-between gap-2">
      <Checkbox label={label} checked={isShown} onChange={toggle} />
      {isShown && (
        <span className="flex shrink-0">
          {at > 0 && <IconButton label={t`Move ${label} up`} icon={<ArrowUp aria-hidden />} onClick={() => move(-1)} />}
          {at < shown.length - 1 && (
            <IconButton label={t`Move ${label} down`} icon={<ArrowDown aria-hidden />} onClick={() => move(1)} />
          )}
        </span>
      )}
    </li>
  )
}
