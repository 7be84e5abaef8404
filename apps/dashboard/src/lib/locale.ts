import type { Messages } from '@lingui/core'
import { i18n } from '@lingui/core'

import { readStored } from './stored.ts'

/** The entry of this device that names another language than English. No language is offered before it is complete. */
const ENTRY = 'locale'
const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur'])

/**
 * Makes the texts ready before anything is drawn. English travels with the program; the catalogue of another language
 * is `/locales/{locale}.json`, texts by id as Lingui compiles them, and English stays when it cannot be had.
 */
export async function startLocale(): Promise<void> {
  const locale = readStored(ENTRY)
  const messages = locale === undefined ? undefined : await fetchCatalogue(locale)
  if (locale === undefined || messages === undefined) return i18n.loadAndActivate({ locale: 'en', messages: {} })
  i18n.loadAndActivate({ locale, messages })
  document.documentElement.lang = locale
  document.documentElement.dir = RIGHT_TO_LEFT.has(new Intl.Locale(locale).language) ? 'rtl' : 'ltr'
}

async function fetchCatalogue(locale: string): Promise<Messages | undefined> {
  try {
    const response = await fetch(`/locales/${locale}.json`)
    return response.ok ? ((await response.json()) as Messages) : undefined
  } catch {
    return undefined
  }
}
