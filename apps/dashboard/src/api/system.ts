import { alarmsRoutes } from '@kassa/contract/alarms/routes.ts'
import { systemRoutes } from '@kassa/contract/system/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'

/** Alarms arrive live; this finds those that a lost connection missed. */
const ALARMS_EVERY_MS = 30_000

/** Nothing tells of a loop that stops, so it is asked. */
const HEALTH_EVERY_MS = 15_000

/** What needs a person now, oldest first. */
export const alarmsQuery = queryOptions({
  queryKey: ['alarms'],
  queryFn: ({ signal }) => call(alarmsRoutes.listAlarms, {}, { signal }),
  refetchInterval: ALARMS_EVERY_MS,
})

/** How the database and the loops of the process that answers are. */
export const healthQuery = queryOptions({
  queryKey: ['system', 'health'],
  queryFn: ({ signal }) => call(systemRoutes.health, {}, { signal }),
  refetchInterval: HEALTH_EVERY_MS,
})

/** What runs; it changes with a restart at most. */
export const versionQuery = queryOptions({
  queryKey: ['system', 'version'],
  queryFn: ({ signal }) => call(systemRoutes.version, {}, { signal }),
  staleTime: 10 * 60_000,
})
