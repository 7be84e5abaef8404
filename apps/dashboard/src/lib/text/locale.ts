import type { Messages } from '@lingui/core'
import { i18n } from '@lingui/core'

import { readStored, writeStored } from '../device/stored.ts'

/** The entry of this device that names another language than English. No language is offered before it is complete. */
const ENTRY = 'locale'
const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur'])

/** A language tag of BCP 47 as far as a catalogue is named after one: `de`, `pt-BR`, `en-XA`. */
const TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/** A page without words for longer than this is worse than one in English. */
const TIMEOUT_MS = 5_000

/**
 * Makes the texts ready before anything is drawn. English travels with the program; the catalogue of another language
 * is `/locales/{locale}.json`, texts by id as Lingui compiles them, and English stays when it cannot be had.
 */
export async function startLocale(): Promise<void> {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  const locale = chosenLocale()
  if (locale === undefined) return
  const messages = await fetchCatalogue(locale)
  if (messages === undefined) return
  i18n.loadAndActivate({ locale, messages })
  document.documentElement.lang = locale
  document.documentElement.dir = RIGHT_TO_LEFT.has(locale.split('-', 1)[0] ?? '') ? 'rtl' : 'ltr'
}

/** Keeps the language that an account names on this device, where the next start finds it; an account without one changes nothing. */
export function keepLocale(locale: string | null): void {
  if (locale === null || !TAG.test(locale) || locale === chosenLocale()) return
  try {
    writeStored(ENTRY, locale)
  } catch {
    // Storage is switched off: the language of the program stands.
  }
}

function chosenLocale(): string | undefined {
  try {
    const locale = readStored(ENTRY)
    return locale !== undefined && TAG.test(locale) ? locale : undefined
  } catch {
    // Storage is switched off: the language of the program stands.
    return undefined
  }
}

async function fetchCatalogue(locale: string): Promise<Messages | undefined> {
  try {
    const response = await fetch(`/locales/${locale}.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return response.ok ? ((await response.json()) as Messages) : undefined
  } catch {
    return undefined
  }
}
