import type { FastifyRequest } from 'fastify'

/** The reader's preferences of language and theme; a key that is sent twice arrives as a list and is ignored. */
export type Preferences = {
  readonly lang: string | undefined
  readonly acceptLanguage: string | undefined
  /** `system`: as the device is set, whatever the project chose. */
  readonly theme: 'light' | 'dark' | 'system' | undefined
}

/** Reads the preferences of a request; an address that cannot be decoded has no query. */
export function preferencesOf({ query, headers }: FastifyRequest): Preferences {
  const { theme, lang } = (query ?? {}) as Readonly<Record<'theme' | 'lang', unknown>>
  return {
    lang: typeof lang === 'string' ? lang : undefined,
    acceptLanguage: headers['accept-language'],
    theme: theme === 'light' || theme === 'dark' || theme === 'system' ? theme : undefined,
  }
}
