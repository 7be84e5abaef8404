/** Pseudo-languages made of the catalogue: a text that is not in it stays English and is seen at once. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createCompiledCatalog } from '@lingui/cli/api'
import { formatter } from '@lingui/format-po'
import type { BrowserContext } from 'playwright-core'

const CATALOGUE = join(import.meta.dirname, '../../apps/dashboard/src/locales/en.po')

/** A text of ten letters gets two times two more, and lines may break between them. */
const LONGER = { extend: 0.2, extendCharacter: ' ~' } as const

/** Both have accents and are longer by two fifths; `ar-XB` runs from right to left as well. */
const PSEUDO = {
  'en-XA': LONGER,
  'ar-XB': { ...LONGER, prepend: '\u202e', append: '\u202c' },
} as const

export type PseudoLocale = keyof typeof PSEUDO

/** Shows every page of this window in a pseudo-language. */
export async function speakPseudo(context: BrowserContext, locale: PseudoLocale): Promise<void> {
  const body = await compiledCatalogue(locale)
  await context.route(`**/locales/${locale}.json`, (route) => route.fulfill({ json: body }))
  await context.addInitScript(`localStorage.setItem('locale', '${locale}')`)
}

async function compiledCatalogue(locale: PseudoLocale): Promise<unknown> {
  const text = await readFile(CATALOGUE, 'utf8')
  const parsed = await formatter().parse(text, { locale: 'en', sourceLocale: 'en', filename: CATALOGUE })
  const texts = Object.fromEntries(
    Object.entries(parsed).map(([id, { message, translation }]) => [id, translation || (message ?? id)]),
  )
  const { source, errors } = createCompiledCatalog(locale, texts, {
    namespace: 'json',
    pseudoLocale: locale,
    pseudoLocaleOptions: PSEUDO[locale],
  })
  if (errors.length > 0) throw new Error(`The catalogue has ${errors.length} texts that cannot be read`)
  const compiled = JSON.parse(source) as { messages: unknown }
  return compiled.messages
}
