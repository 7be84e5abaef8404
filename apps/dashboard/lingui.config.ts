import type { LinguiConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

import { runtimeConfigModule } from './texts-plugin.ts'

const config: LinguiConfig = {
  sourceLocale: 'en',
  locales: ['en'],
  format: formatter({ lineNumbers: false }),
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: ['**/*.test.*', '<rootDir>/src/gallery', '<rootDir>/src/testing'],
    },
  ],
  runtimeConfigModule,
}

/**
 * Which texts the catalogue of the dashboard holds, and where it lies: `npm run texts` writes it for translators.
 * @public Lingui reads it.
 */
// oxlint-disable-next-line import/no-default-export -- Lingui reads its settings from the default export
export default config
