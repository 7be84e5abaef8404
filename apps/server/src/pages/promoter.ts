/**
 * `/referral/{token}`: the page of a promoter (screens.md 3.47), rendered on the server so that it can be read without
 * JavaScript. Its script removes the token from the address bar and requests the page again at `/referral`, with a header.
 */
import type { OwnReward, OwnWithdrawalRow, PromoterPage } from '@kassa/contract/referral/schemas.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Context } from '../context.ts'
import { pagePolicy } from '../http/headers.ts'
import { checkoutBuild } from './checkout-build.ts'
import { compressPages } from './compress.ts'
import { replyToFault } from './page-fault.ts'
import { type Preferences, preferencesOf } from './preferences.ts'

/** The data of the page, and the origin that may frame it. */
export type PromoterFacts = {
  readonly page: PromoterPage
  readonly rewards: readonly OwnReward[]
  readonly withdrawals: readonly OwnWithdrawalRow[]
  /** An origin, or null for none. */
  readonly frameOrigin: string | null
}

type Rendered = {
  readonly html: string
  readonly styleHashes: readonly string[]
  readonly scriptHashes: readonly string[]
}

type Drawn = Omit<PromoterFacts, 'frameOrigin'> &
  Preferences & { readonly path: string; readonly now: Date; readonly siteUrl: string; readonly script: string }

/** Renders the page; app.ts passes the functions of the checkout's own package. */
export type PromoterRenderers = {
  readonly promoter: (view: Drawn) => Rendered
  readonly expired: (preferences: Preferences) => Rendered
  readonly fault: (requestId: string, preferences: Preferences) => Rendered
}

/** What the page reads; app.ts passes the use cases of the referral programme. */
export type PromoterCalls = {
  /** Finds the facts of a token's promoter; null when the token is invalid. */
  readonly load: (ctx: Context, token: string | undefined) => Promise<PromoterFacts | null>
  readonly siteUrl: (ctx: Context) => Promise<string | null>
  /** Counts the caller in the same limits as the routes behind the page. @throws RATE_LIMITED */
  readonly limit: (ctx: Context, rate: 'checkout-read', ip: string) => Promise<unknown>
}

/** Mounts the page. */
export async function mountPromoterPage(
  app: FastifyInstance,
  ctx: Context,
  draw: PromoterRenderers,
  calls: PromoterCalls,
): Promise<void> {
  const build = checkoutBuild()
  await app.register(async (scope) => {
    compressPages(scope)
    // A promoter gets a page, never JSON, whatever went wrong.
    scope.setErrorHandler((thrown, request, reply) =>
      send(replyToFault(ctx, thrown, request, reply), draw.fault(request.id, preferencesOf(request)), null),
    )
    const read = { onRequest: async ({ ip }: FastifyRequest) => void (await calls.limit(ctx, 'checkout-read', ip)) }
    const show = async (request: FastifyRequest, reply: FastifyReply, token: string | undefined, path: string) => {
      const callCtx = { ...ctx, requestId: request.id }
      const facts = await calls.load(callCtx, token)
      const preferences = preferencesOf(request)
      if (!facts) return send(reply.code(401), draw.expired(preferences), null)
      const { frameOrigin, ...shown } = facts
      const beside = {
        path,
        now: ctx.now(),
        siteUrl: (await calls.siteUrl(callCtx)) ?? '',
        script: build.text('promoter'),
      }
      return send(reply, draw.promoter({ ...shown, ...preferences, ...beside }), frameOrigin)
    }
    scope.get<{ Params: { token: string } }>('/referral/:token', read, (request, reply) =>
      show(request, reply, request.params.token, `/referral/${encodeURIComponent(request.params.token)}`),
    )
    scope.get('/referral', read, (request, reply) => {
      const token = request.headers['referral-token']
      return show(request, reply, typeof token === 'string' ? token : undefined, '/referral')
    })
  })
}

/** Only this page may be framed, by the shop's own origin. */
function send(
  reply: FastifyReply,
  { html, styleHashes, scriptHashes }: Rendered,
  frameOrigin: string | null,
): FastifyReply {
  const hashes = styleHashes.map((hash) => hash.replaceAll("'", ''))
  if (frameOrigin !== null) void reply.removeHeader('x-frame-options')
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': pagePolicy({
        styleHashes: hashes,
        scripts: scriptHashes.join(' ') || "'none'",
        ...(frameOrigin && { ancestors: frameOrigin }),
      }),
    })
    .send(html)
}
