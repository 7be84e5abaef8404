import type { LinguiConfig } from '@lingui/conf'

/** Which texts the catalogue of the dashboard holds and where it lies. Its folder can be another for a comparison. */
export const lingui: LinguiConfig = {
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [
    {
      path: `${process.env.KASSA_CATALOGUE_FOLDER ?? '<rootDir>/src/locales'}/{locale}`,
      include: ['<rootDir>/src'],
      exclude: ['**/*.test.*', '<rootDir>/src/gallery', '<rootDir>/src/testing'],
    },
  ],
  // The locale never changes while a page is open, so that no component needs a provider.
  runtimeConfigModule: { Trans: ['#Trans', 'Trans'] },
}

// oxlint-disable-next-line import/no-default-export -- Lingui reads its settings from the default export
export default lingui
