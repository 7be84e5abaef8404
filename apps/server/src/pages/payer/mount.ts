/**
 * The payer's pages: `/payments`, `/pay`, `/success`, `/refund` and `/addresses`, rendered on the server so that they work without
 * JavaScript. The room is entered here.
 */
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Context } from '../../context.ts'
import { CHECKOUT_BUILD, checkoutBuild } from '../checkout-build.ts'
import { compressPages } from '../compress.ts'
import { showAddresses } from './addresses.ts'
import { answerForm, showPage } from './payment.ts'
import { answerReceipt, showReceipt } from './receipt.ts'
import { answerRefund, showRefund } from './refund.ts'
import { referenceOf } from './request.ts'
import { sendFault } from './send-page.ts'
import type { CheckoutCalls, CheckoutRenderers, Pages } from './types.ts'

export { answerUnreadable } from './send-page.ts'
export type { CheckoutFacts, CheckoutRenderers } from './types.ts'

/** Mounts the payer's pages and their script. */
export async function mountCheckout(
  app: FastifyInstance,
  ctx: Context,
  draw: CheckoutRenderers,
  calls: CheckoutCalls,
): Promise<void> {
  const pages: Pages = { ctx, draw, calls, build: checkoutBuild() }
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: CHECKOUT_BUILD,
      prefix: '/checkout/',
      decorateReply: false,
      immutable: true,
      maxAge: '365d',
      preCompressed: true,
    })
    compressPages(scope)
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.setErrorHandler((thrown, request, reply) => sendFault(pages, thrown, request, reply))
    const read = { onRequest: async ({ ip }: FastifyRequest) => void (await calls.limit(ctx, 'checkout-read', ip)) }
    const write = {
      onRequest: async (request: FastifyRequest) =>
        void (await calls.limit(ctx, 'checkout-write', request.ip, referenceOf(request) || undefined)),
    }
    for (const path of ['/payments', '/pay']) {
      scope.get(path, read, (request, reply) => showPage(pages, request, reply))
      scope.post(path, write, (request, reply) => answerForm(pages, request, reply))
    }
    scope.get('/success', read, (request, reply) => showReceipt(pages, request, reply))
    scope.post('/success', write, (request, reply) => answerReceipt(pages, request, reply))
    scope.get('/refund', read, (request, reply) => showRefund(pages, request, reply))
    scope.post('/refund', write, (request, reply) => answerRefund(pages, request, reply))
    scope.get('/addresses', read, async (request, reply) =>
      showAddresses({ draw: draw.addresses, build: pages.build, publicKey: await calls.proofKey(ctx) }, request, reply),
    )
  })
}
