import { CHECKOUT_LANGUAGES, CHECKOUT_THEMES } from '@kassa/contract/projects/checkout-options.ts'
import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import type { SelectOption } from '../../../ui/fields/Select.tsx'

const THEMES: Readonly<Record<string, ReturnType<typeof msg>>> = {
  system: msg({ message: 'Colours of their device', comment: 'colours of the payment page' }),
  light: msg({ message: 'Light', comment: 'colours of the payment page' }),
  dark: msg({ message: 'Dark', comment: 'colours of the payment page' }),
}

/** Returns the name of a language of the payment page; without one their browser chooses. */
export function languageName(code: string): string {
  if (code === '') return t`Language of their browser`
  return new Intl.DisplayNames([i18n.locale || 'en'], { type: 'language' }).of(code) ?? code
}

/** Returns the name of the colours of the payment page. */
export function themeName(theme: string): string {
  const name = THEMES[theme]
  return name === undefined ? theme : t(name)
}

/** Returns the languages that can be chosen, by name; their browser's choice first. */
export function languageOptions(): SelectOption[] {
  const options = CHECKOUT_LANGUAGES.map((value) => ({ value, label: languageName(value) }))
  return [{ value: '', label: languageName('') }, ...options.toSorted((a, b) => a.label.localeCompare(b.label))]
}

/** Returns the colours that can be chosen. */
export function themeOptions(): SelectOption[] {
  return CHECKOUT_THEMES.map((value) => ({ value, label: themeName(value) }))
}
