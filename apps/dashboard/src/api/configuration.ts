import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'

/** What every signed-in screen needs to know about the install; it changes with a restart at most. */
export const configurationQuery = queryOptions({
  queryKey: ['configuration', 'default'],
  queryFn: ({ signal }) => call(settingsRoutes.getDefaultConfiguration, {}, { signal }),
  staleTime: 10 * 60_000,
})
