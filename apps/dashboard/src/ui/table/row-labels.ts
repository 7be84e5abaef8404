import { t } from '@lingui/core/macro'

/** What the box that picks a row is called. */
export function pickLabel(row: string | undefined): string {
  return row === undefined ? t`Select row` : t`Select ${row}`
}

/** What a row's menu is called. */
export function menuLabel(row: string | undefined): string {
  return row === undefined ? t`Actions for this row` : t`Actions for ${row}`
}
