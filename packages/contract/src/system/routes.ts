import * as z from 'zod/mini'

import { ts } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'

const Status = z.object({ status: z.enum(['ok', 'degraded', 'error']) })

const Health = z.object({
  status: z.enum(['ok', 'degraded', 'error']),
  db: z.enum(['ok', 'error']),
  version: z.string(),
  workers: z.record(z.string(), z.string()),
  /** Why it is not `ok`, and what to do; a sentence. */
  reason: z.nullable(z.string()),
})

const Version = z.object({
  version: z.string(),
  /** The commit it was built from, with a plus where files differed from it; `source` where the sources run. */
  build: z.string(),
  builtAt: z.nullable(ts),
  image: z.string(),
})
export type Version = z.output<typeof Version>

const shared = { methods: ['GET'], access: { public: true }, rate: 'system', errors: [] } as const

export const systemRoutes = {
  health: route({
    ...shared,
    id: 'M1',
    paths: ['/health', '//health'],
    summary: 'Say how the database and this process are',
    response: Health,
  }),
  live: route({
    ...shared,
    id: 'M2l',
    paths: ['//health/live'],
    summary: 'Say that the process runs',
    response: Status,
  }),
  ready: route({
    ...shared,
    id: 'M2r',
    paths: ['//health/ready'],
    summary: 'Say whether this process takes requests',
    response: Status,
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  version: route({
    ...shared,
    id: 'M3',
    paths: ['/version'],
    summary: 'Say which version runs',
    response: Version,
  }),
  openApi: route({
    ...shared,
    id: 'M4',
    paths: ['/openapi.json'],
    summary: 'The OpenAPI document printed from the contract',
    query: z.object({ subset: z.optional(z.enum(['merchant'], { error: 'Subset must be one of: merchant' })) }),
    response: z.unknown(),
  }),
  errorCatalogue: route({
    ...shared,
    id: 'M6',
    paths: ['/errors.json'],
    summary: 'The error catalogue as data',
    response: z.array(z.object({ code: z.string(), status: z.int(), message: z.string() })),
  }),
}
