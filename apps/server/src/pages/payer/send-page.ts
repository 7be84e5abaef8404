/** Sends the payer's pages with their headers; whatever goes wrong, a payer gets a page and never JSON. */
import type { FastifyReply, FastifyRequest } from 'fastify'

import { pagePolicy } from '../../http/headers.ts'
import { replyToFault } from '../page-fault.ts'
import { preferencesOf } from '../preferences.ts'
import type { CheckoutRenderers, Pages, RenderedPage } from './types.ts'

/** Sends the page of a payment that does not exist. */
export function sendUnknown(pages: Pages, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.code(404)
  return sendPage(reply, pages.draw.unknown(preferencesOf(request)), false)
}

/** Sends that page for a URL that cannot be decoded and so reaches no route; null for other URLs. */
export function answerUnreadable(draw: Pick<CheckoutRenderers, 'unknown'>) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | null =>
    /^\/(payments|pay|success|refund|addresses)\b/.test(request.url)
      ? sendPage(reply.code(404), draw.unknown(preferencesOf(request)), false)
      : null
}

/** Sends the page of a failure or of a refused request. */
export function sendFault(
  { ctx, draw }: Pages,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return sendPage(replyToFault(ctx, thrown, request, reply), draw.fault(request.id, preferencesOf(request)), false)
}

/** A shop that opened the compact page in its own window receives its messages, so the two must stay connected. */
export function sendPage(reply: FastifyReply, { html, styleHashes }: RenderedPage, isCompact: boolean): FastifyReply {
  const hashes = styleHashes.map((hash) => hash.replaceAll("'", ''))
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': pagePolicy({ styleHashes: hashes }),
      'cross-origin-opener-policy': isCompact ? 'unsafe-none' : 'same-origin',
    })
    .send(html)
}
