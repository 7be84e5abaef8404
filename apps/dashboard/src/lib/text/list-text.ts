import { i18n } from '@lingui/core'

/** Returns names as a list in a sentence, parted the way the language does it: "a, b, c", or "a, b, and c". */
export function listText(names: readonly string[], type: 'unit' | 'conjunction' = 'unit'): string {
  return new Intl.ListFormat(i18n.locale, { type }).format(names)
}
