import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Context } from '../context.ts'
import { refusalOf } from '../http/request.ts'

/** Sets the status and the headers of a failure or a refusal, and logs a fault of the program; the caller draws the page. */
export function replyToFault(
  ctx: Context,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = refusalOf(ctx, request, thrown)
  if (refusal.status >= 500) ctx.log.error({ err: refusal.cause ?? refusal, requestId: request.id }, 'page fault')
  if (refusal.retryAfter !== undefined) void reply.header('retry-after', refusal.retryAfter)
  return reply.code(refusal.status)
}
