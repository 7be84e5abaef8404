import { i18n } from '@lingui/core'

/** Returns what makes a format for the language of the page, once: while modules load, the language is not known. */
function perLocale<Made>(make: (locale: string) => Made): () => Made {
  let last: { readonly locale: string; readonly made: Made } | undefined
  return () => {
    if (last?.locale !== i18n.locale) last = { locale: i18n.locale, made: make(i18n.locale) }
    return last.made
  }
}

/** Whole numbers, grouped. */
export const countFormat = perLocale((locale) => new Intl.NumberFormat(locale))

/** Counts as short as can be: 12.4K. */
export const compactFormat = perLocale(
  (locale) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }),
)

/** Shares with one decimal, so that those of a column line up: 61.2%, 2.0%. */
export const percentFormat = perLocale(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
)

/** A day as lists write it, 12 Nov 2026, of what the clock shows as if it were UTC; English puts the day first. */
export const dayFormat = perLocale(
  (locale) =>
    new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    }),
)

/** The same without its year, for axes that span less than one: 12 Nov. */
export const shortDayFormat = perLocale(
  (locale) =>
    new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
)
