/** The payer's pages: `/payments`, `/pay` and `/success`, drawn on the server so that they work without a script. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { DepositAddress, PaymentOption, PaymentPublic, ProjectPublic } from '@kassa/contract/payments/schemas.ts'
import { Refusal } from '@kassa/contract/kit/refusal.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Context } from '../context.ts'
import { pagePolicy } from '../http/headers.ts'
import { toRefusal } from '../http/refusals.ts'

const BUILD = join(import.meta.dirname, '../../../checkout/build')

type Theme = 'light' | 'dark' | undefined

/** What a page is drawn from. */
export type CheckoutFacts = {
  readonly payment: PaymentPublic
  readonly project: ProjectPublic
  readonly options: readonly PaymentOption[]
  readonly addresses: readonly DepositAddress[]
  readonly prices: readonly {
    readonly blockchainCode: string
    readonly currencyCode: string
    readonly price: string | null
  }[]
}

export type CheckoutSurroundings = {
  readonly now: Date
  readonly siteUrl: string
  readonly scriptUrl: string
  readonly theme: Theme
  readonly compact: boolean
  readonly refreshEvery: number | undefined
  readonly error: string | undefined
}

type Drawn = { readonly html: string; readonly styleHashes: readonly string[] }
type Drawing = (view: CheckoutFacts & CheckoutSurroundings) => Drawn
type Choice = { readonly blockchain_code: string; readonly currency_code: string }

/** How the pages look; app.ts hands in what the checkout's own package draws. */
export type CheckoutDrawings = {
  readonly checkout: Drawing
  readonly receipt: Drawing
  readonly unknown: (theme: Theme) => Drawn
  readonly fault: (requestId: string, theme: Theme) => Drawn
  readonly hasReceipt: (payment: PaymentPublic) => boolean
  readonly onlyOption: (options: readonly PaymentOption[]) => PaymentOption | null
  readonly readChoice: (form: Readonly<Record<string, string>>) => Choice | null
}

/** What the pages read and do; app.ts hands in the payments' use cases. */
export type CheckoutCalls = {
  /** @throws PAYMENT_REFERENCE_UNKNOWN */
  readonly load: (ctx: Context, reference: string) => Promise<CheckoutFacts>
  /** @throws what choosing an asset may be refused with */
  readonly choose: (ctx: Context, reference: string, choice: Choice) => Promise<void>
  readonly siteUrl: (ctx: Context) => Promise<string | null>
  /** Counts who asks as the routes behind the pages do. @throws RATE_LIMITED */
  readonly limit: (ctx: Context, rate: 'checkout-read' | 'checkout-write', ip: string) => Promise<unknown>
}

type Pages = { readonly ctx: Context; readonly draw: CheckoutDrawings; readonly calls: CheckoutCalls }
/** A key that is sent twice arrives as a list, and means nothing. */
type Query = Readonly<Record<'reference_id' | 'theme' | 'refresh', unknown>>

/** Mounts the payer's pages and their script. */
export async function mountCheckout(
  app: FastifyInstance,
  ctx: Context,
  draw: CheckoutDrawings,
  calls: CheckoutCalls,
): Promise<void> {
  const pages: Pages = { ctx, draw, calls }
  await app.register(async (inner) => {
    await inner.register(fastifyStatic, {
      root: BUILD,
      prefix: '/checkout/',
      decorateReply: false,
      immutable: true,
      maxAge: '365d',
    })
    inner.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    inner.setErrorHandler((thrown, request, reply) => sendFault(pages, thrown, request, reply))
    const read = { onRequest: async ({ ip }: FastifyRequest) => void (await calls.limit(ctx, 'checkout-read', ip)) }
    const write = { onRequest: async ({ ip }: FastifyRequest) => void (await calls.limit(ctx, 'checkout-write', ip)) }
    for (const path of ['/payments', '/pay']) {
      inner.get(path, read, (request, reply) => showPage(pages, request, reply))
      inner.post(path, write, (request, reply) => choose(pages, request, reply))
    }
    inner.get('/success', read, (request, reply) => showReceipt(pages, request, reply))
  })
}

async function showPage(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  error?: string,
): Promise<FastifyReply> {
  const ctx = { ...pages.ctx, requestId: request.id }
  const reference = referenceOf(request)
  const facts = await loadOrNull(pages, ctx, reference)
  if (!facts) return sendUnknown(pages, request, reply)
  const only = error === undefined && isUnpinned(facts) ? pages.draw.onlyOption(facts.options) : null
  if (only) {
    const choice = { blockchain_code: only.blockchainCode, currency_code: only.currencyCode }
    const refused = await chooseOrRefuse(pages, ctx, reference, choice)
    return showPage(pages, request, reply, refused ?? '')
  }
  const surroundings = await surroundingsOf(pages, ctx, request, error)
  return sendPage(reply, pages.draw.checkout({ ...facts, ...surroundings }), surroundings.compact)
}

async function choose(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const ctx = { ...pages.ctx, requestId: request.id }
  const choice = isForm(request.body) ? pages.draw.readChoice(request.body) : null
  const refused = choice
    ? await chooseOrRefuse(pages, ctx, referenceOf(request), choice)
    : 'Choose how you want to pay.'
  if (refused !== null) return showPage(pages, request, reply, refused)
  return reply.redirect(request.url, 303)
}

async function showReceipt(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const ctx = { ...pages.ctx, requestId: request.id }
  const facts = await loadOrNull(pages, ctx, referenceOf(request))
  if (!facts) return sendUnknown(pages, request, reply)
  if (!pages.draw.hasReceipt(facts.payment))
    return reply.redirect(`/payments?reference_id=${facts.payment.referenceID}`, 302)
  const surroundings = await surroundingsOf(pages, ctx, request, undefined)
  return sendPage(reply, pages.draw.receipt({ ...facts, ...surroundings }), false)
}

async function loadOrNull(pages: Pages, ctx: Context, reference: string): Promise<CheckoutFacts | null> {
  try {
    return await pages.calls.load(ctx, reference)
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.code === 'PAYMENT_REFERENCE_UNKNOWN') return null
    throw thrown
  }
}

/** The text of a refusal, or null when the choice stands. */
async function chooseOrRefuse(pages: Pages, ctx: Context, reference: string, choice: Choice): Promise<string | null> {
  try {
    await pages.calls.choose(ctx, reference, choice)
    return null
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.status < 500) return thrown.message
    if (thrown instanceof Refusal && thrown.code === 'RATE_UNAVAILABLE') return thrown.message
    throw thrown
  }
}

async function surroundingsOf(
  pages: Pages,
  ctx: Context,
  request: FastifyRequest,
  error: string | undefined,
): Promise<CheckoutSurroundings> {
  const { refresh } = request.query as Query
  return {
    now: ctx.now(),
    siteUrl: (await pages.calls.siteUrl(ctx)) ?? '',
    scriptUrl: scriptUrl(),
    theme: themeOf(request),
    compact: request.url.startsWith('/pay?') || request.url === '/pay',
    refreshEvery: typeof refresh === 'string' && /^\d{1,4}$/.test(refresh) ? Number(refresh) : undefined,
    error: error || undefined,
  }
}

function sendUnknown(pages: Pages, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.code(404)
  return sendPage(reply, pages.draw.unknown(themeOf(request)), false)
}

/** A payer reads a page, never JSON, whatever went wrong. */
function sendFault({ ctx, draw }: Pages, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(thrown, undefined, request.id)
  if (refusal.status >= 500) ctx.log.error({ err: refusal.cause ?? refusal, requestId: request.id }, 'page fault')
  if (refusal.retryAfter !== undefined) void reply.header('retry-after', refusal.retryAfter)
  void reply.code(refusal.status)
  return sendPage(reply, draw.fault(request.id, themeOf(request)), false)
}

/** A shop that opened the compact page in a window of its own is told of changes, so the two must stay connected. */
function sendPage(reply: FastifyReply, { html, styleHashes }: Drawn, isCompact: boolean): FastifyReply {
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

function isUnpinned({ payment }: CheckoutFacts): boolean {
  return payment.currencySymbol === null && payment.paymentState === 'OPEN'
}

function isForm(body: unknown): body is Readonly<Record<string, string>> {
  return typeof body === 'object' && body !== null
}

function referenceOf(request: FastifyRequest): string {
  const { reference_id: reference } = request.query as Query
  return typeof reference === 'string' ? reference : ''
}

function themeOf(request: FastifyRequest): Theme {
  const { theme } = request.query as Query
  return theme === 'light' || theme === 'dark' ? theme : undefined
}

let script: string | undefined

/** The script's address carries its hash; without a build the page works without it. */
function scriptUrl(): string {
  try {
    script ??= (JSON.parse(readFileSync(join(BUILD, 'manifest.json'), 'utf8')) as { script: string }).script
  } catch {
    return '/checkout/checkout.js'
  }
  return `/checkout/${script}`
}
