import { t } from '@lingui/core/macro'
import type { MenuItem } from '../actions/Menu.tsx'
import type { Column } from '../list/columns.ts'
import type { Selection } from '../list/useSelection.ts'

/** What one may do about a row. */
export type RowMenu = readonly MenuItem[]

/** What rows and cards are drawn from. */
export type RowsProps<Row> = {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** Where a row leads; usually the same address with `open` set. */
  readonly rowHref?: ((row: Row) => string) | undefined
  /** The row's own page, where it has one: for a middle click, a new tab and a copied link. */
  readonly rowPage?: ((row: Row) => string) | undefined
  /** What a row is called, as in "Actions for payment …7ea01b". */
  readonly rowName?: ((row: Row) => string) | undefined
  readonly selection?: Selection | undefined
  /** Told of the card a finger rests on; a button must offer the same. */
  readonly onLongPress?: ((key: string) => void) | undefined
  /** The menu of all rows, and the callback with the row it is opened for. */
  readonly menu?: { readonly id: string; readonly onOpen: (key: string) => void } | undefined
}

/** What the box that picks a row is called. */
export function selectLabel(row: string | undefined): string {
  return row === undefined ? t`Select row` : t`Select ${row}`
}

/** What a row's menu is called. */
export function menuLabel(row: string | undefined): string {
  return row === undefined ? t`Actions for this row` : t`Actions for ${row}`
}
