import { timingSafeEqual } from 'node:crypto'

import { fail } from '@kassa/contract/kit/refusal.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Context } from '../context.ts'
import { hashCredential } from '../credentials.ts'
import { isLoopback } from './headers.ts'
import { registry } from '../metrics/registry.ts'

/** Mounts `/metrics` (api.md M5): for loopback, or for whoever has the metrics token. */
export function mountMetrics(app: FastifyInstance, ctx: Context): void {
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, ctx.config.metricsToken))
      fail('UNAUTHORIZED', { details: 'Send the metrics token as Bearer.' })
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}

function mayRead(request: FastifyRequest, token: string | null): boolean {
  const given = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (token !== null && given !== undefined) return timingSafeEqual(hashCredential(given), hashCredential(token))
  const isForwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
  return token === null && !isForwarded && isLoopback(request.socket.remoteAddress ?? '')
}
