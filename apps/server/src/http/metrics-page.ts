import { timingSafeEqual } from 'node:crypto'

import { fail } from '@kassa/contract/kit/api-error.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import { hashCredential } from '../credentials.ts'
import { isThisMachine } from './headers.ts'
import { registry } from '../metrics/registry.ts'

/** Serves `/metrics` (api.md M5) to holders of the metrics token; without a token to this machine, on the sandbox only. */
export function mountMetrics(app: FastifyInstance, ctx: Context): void {
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, ctx.config)) fail('UNAUTHORIZED', { details: WITHOUT_TOKEN })
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}

const WITHOUT_TOKEN = 'Set KASSA_METRICS_TOKEN and send it as Bearer.'

function mayRead(request: FastifyRequest, { metricsToken: token, network }: Config): boolean {
  if (token === null) return network === 'sandbox' && isThisMachine(request.socket.remoteAddress ?? '', request.headers)
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  return bearer !== undefined && timingSafeEqual(hashCredential(bearer), hashCredential(token))
}
