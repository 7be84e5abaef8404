import { i18n } from '@lingui/core'

/** Returns names in a row, "a, b, c", the way the language of the page lists them. */
export function listText(names: readonly string[]): string {
  return new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(names)
}
