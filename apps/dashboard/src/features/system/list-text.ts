import { i18n } from '@lingui/core'

/** Returns names or rows as a list in a sentence, parted the way the language does it. */
export function listText(names: readonly string[]): string {
  return new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(names)
}
