import { t } from '@lingui/core/macro'
import { useFollow } from '../../lib/navigation/navigate.ts'
import { LoadingText, Skeleton } from '../feedback/Skeleton.tsx'
import type { CardPlace, Column } from '../list/columns.ts'
import { RowCheckbox } from './RowCheckbox.tsx'
import { RowMenuButton } from './RowMenuButton.tsx'
import { menuLabel, selectLabel, type RowsProps } from './row-props.ts'
import { useLongPress } from './useLongPress.ts'

/** What can be pressed on a card stands above the link that covers it. */
const LINE = 'flex flex-wrap items-center gap-x-3 [&_:is(a,button)]:relative'

/** Rows as cards for narrow screens: title and badge, then the lines, then the foot. */
export function TableCards<Row>(props: RowsProps<Row>) {
  const { caption, columns, rows, rowKey, rowHref, rowPage, rowName, selection, onLongPress, menu } = props
  const follow = useFollow()
  const longPress = useLongPress(onLongPress)
  const touch = onLongPress === undefined ? '' : 'coarse:select-none [-webkit-touch-callout:none]'
  return (
    <ul aria-label={caption} className="divide-y divide-border">
      {rows.map((row) => {
        const key = rowKey(row)
        const href = rowHref?.(row)
        const title = at(columns, 'title', row)
        const isSelected = selection?.has(key) === true
        return (
          <li
            key={key}
            {...longPress(key)}
            className={`relative px-edge py-3.5 text-dense ${touch} ${isSelected ? 'bg-selected' : ''}`}
          >
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <span className="flex items-center text-body font-semibold">
                {selection !== undefined && (
                  <span className="relative z-[1] -my-2 -ms-2.5">
                    <RowCheckbox
                      label={selectLabel(rowName?.(row))}
                      checked={isSelected}
                      onToggle={(isExtended) => selection.toggle(key, isExtended)}
                    />
                  </span>
                )}
                {href === undefined ? (
                  title
                ) : (
                  <a
                    href={rowPage?.(row) ?? href}
                    onClick={(event) => follow(event, href)}
                    data-row={key}
                    className="rounded-chip after:absolute after:inset-0"
                  >
                    {title}
                  </a>
                )}
              </span>
              <span className="ms-auto flex items-center justify-end gap-1.5 text-end [&_:is(a,button)]:relative">
                {at(columns, 'badge', row)}
                {menu !== undefined && (
                  <span className="-my-2 -me-2">
                    <RowMenuButton label={menuLabel(rowName?.(row))} menuId={menu.id} onOpen={() => menu.onOpen(key)} />
                  </span>
                )}
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

/** A list on a narrow screen before its first rows. */
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
      <LoadingText text={t`Loading ${caption}`} />
    </>
  )
}

function at<Row>(columns: readonly Column<Row>[], place: CardPlace, row: Row) {
  return columns
    .filter(({ card = 'line' }) => card === place)
    .map(({ key, label, cell, cardLabel }) => (
      <span key={key} className="max-w-full min-w-0">
        {cardLabel === true && <span className="text-muted">{label} </span>}
        {cell(row)}
      </span>
    ))
}
