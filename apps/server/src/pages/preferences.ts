import type { FastifyRequest } from 'fastify'

/** How whoever reads a page wants it; a key that is sent twice arrives as a list, and means nothing. */
export type Preferences = {
  readonly lang: string | undefined
  readonly acceptLanguage: string | undefined
  readonly theme: 'light' | 'dark' | undefined
}

/** Reads the wishes of a request; an address that no decoder reads has no query. */
export function preferencesOf({ query, headers }: FastifyRequest): Preferences {
  const { theme, lang } = (query ?? {}) as Readonly<Record<'theme' | 'lang', unknown>>
  return {
    lang: typeof lang === 'string' ? lang : undefined,
    acceptLanguage: headers['accept-language'],
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
  }
}
