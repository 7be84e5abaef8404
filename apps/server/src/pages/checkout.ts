/**
 * The payer's pages: `/payments`, `/pay`, `/success`, `/refund` and `/addresses`, rendered on the server so that they work without
 * JavaScript.
 */
import fastifyStatic from '@fastify/static'
import type { Diagnosis } from '@kassa/contract/payments/diagnosis.ts'
import type { RefundClaimState } from '@kassa/contract/refund-claims/schemas.ts'
import type { DepositAddress, PaymentOption, PaymentPublic, ProjectPublic } from '@kassa/contract/payments/schemas.ts'
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Context } from '../context.ts'
import { pagePolicy } from '../http/headers.ts'
import { refusalOf } from '../http/request.ts'
import { type AddressesRenderer, showAddresses } from './addresses.ts'
import { type CheckoutBuild, CHECKOUT_BUILD, checkoutBuild } from './checkout-build.ts'
import { askAbout, type Asked, type Question, readQuestion, type Refused } from './checkout-question.ts'
import { compressPages } from './compress.ts'
import { type Preferences, preferencesOf } from './preferences.ts'
import { type ReceiptRequested, type ReceiptText, requestOrRefuse, typedEmail } from './receipt-form.ts'
import { claimOrRefuse, readClaim, type RefundClaimed, type TypedClaim } from './refund-form.ts'

/** What a payer's page is drawn from. */
export type CheckoutFacts = {
  readonly payment: PaymentPublic
  /** Who pays, as far as everybody with the link may know; empty where the shop gave no e-mail. */
  readonly payerEmail: string
  /** What the payer may claim back, and has claimed. */
  readonly refund: RefundClaimState
  /** Whether the receipt can be mailed. */
  readonly mailsReceipts: boolean
  readonly project: ProjectPublic
  readonly options: readonly PaymentOption[]
  readonly addresses: readonly DepositAddress[]
  readonly prices: readonly {
    readonly blockchainCode: string
    readonly currencyCode: string
    readonly price: string | null
  }[]
  /** Where a transaction of the network that the payment is on can be looked up, with `{tx}` in its place. */
  readonly explorerTransaction: string | null
}

export type PageFacts = Preferences & {
  readonly now: Date
  readonly siteUrl: string
  readonly scriptUrl: string
  readonly walletUrls: Readonly<Record<string, string>>
  readonly networkMode: NetworkMode
  readonly compact: boolean
  readonly display: 'screen' | undefined
  readonly refreshEvery: number | undefined
  readonly error: Refused | undefined
  readonly asked: Asked | undefined
  readonly paysAgain: boolean
}

type RenderedPage = { readonly html: string; readonly styleHashes: readonly string[] }
type RefundRenderer = (view: CheckoutFacts & PageFacts & { readonly typed: TypedClaim | undefined }) => RenderedPage
type PageRenderer = (view: CheckoutFacts & PageFacts) => RenderedPage
type ReceiptRenderer = (view: CheckoutFacts & PageFacts & ReceiptState) => RenderedPage
/** What became of the wish for a mail; `typed` as it was typed when it was refused. */
type ReceiptState = { readonly isMailed?: boolean; readonly typed?: string }
type Choice = { readonly blockchain_code: string; readonly currency_code: string }

/** Renders the pages; app.ts passes the functions of the checkout's own package. */
export type CheckoutRenderers = {
  readonly checkout: PageRenderer
  readonly receipt: ReceiptRenderer
  readonly receiptMail: (view: CheckoutFacts & PageFacts) => ReceiptText
  readonly refund: RefundRenderer
  readonly addresses: AddressesRenderer
  readonly unknown: (preferences: Preferences) => RenderedPage
  readonly fault: (requestId: string, preferences: Preferences) => RenderedPage
  readonly hasReceipt: (payment: PaymentPublic) => boolean
  readonly onlyOption: (options: readonly PaymentOption[]) => PaymentOption | null
  readonly readChoice: (form: Readonly<Record<string, string>>) => Choice | null
}

/** The use cases of payments that the pages call; app.ts passes them. */
export type CheckoutCalls = {
  /** @throws PAYMENT_REFERENCE_UNKNOWN */
  readonly load: (ctx: Context, reference: string) => Promise<CheckoutFacts>
  /** @throws the errors of choosing an asset */
  readonly choose: (ctx: Context, reference: string, choice: Choice) => Promise<void>
  /** @throws VALIDATION_FAILED and BLOCKCHAIN_NOT_FOUND for what the form cannot mean */
  readonly diagnose: (ctx: Context, reference: string, question: Question) => Promise<Diagnosis>
  /** @throws the errors of claiming a refund */
  readonly claim: RefundClaimed
  readonly mailReceipt: ReceiptRequested
  /** On the sandbox only. @throws the errors of paying with test money */
  readonly payWithTestMoney: (ctx: Context, reference: string) => Promise<void>
  readonly siteUrl: (ctx: Context) => Promise<string | null>
  /** The key that address proofs are signed with, base64. */
  readonly proofKey: (ctx: Context) => Promise<string>
  /** Counts the caller, and the payment, in the same limits as the routes behind the pages. @throws RATE_LIMITED */
  readonly limit: (
    ctx: Context,
    rate: 'checkout-read' | 'checkout-write' | 'diagnose' | 'test-payment',
    ip: string,
    reference?: string,
  ) => Promise<unknown>
}

type Pages = {
  readonly ctx: Context
  readonly draw: CheckoutRenderers
  readonly calls: CheckoutCalls
  readonly build: CheckoutBuild
}
/** A key that is sent twice arrives as a list, and means nothing. */
type Query = Readonly<Record<'reference_id' | 'lang' | 'theme' | 'refresh' | 'again' | 'display' | 'mailed', unknown>>

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

type Answers = { readonly error?: Refused | undefined; readonly asked?: Asked; readonly isChosen?: boolean }

async function showPage(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  { error, asked, isChosen }: Answers = {},
): Promise<FastifyReply> {
  const ctx = { ...pages.ctx, requestId: request.id }
  const reference = referenceOf(request)
  const facts = await loadOrNull(pages, ctx, reference)
  if (!facts) return sendUnknown(pages, request, reply)
  const isFresh = error === undefined && asked === undefined && isChosen !== true
  const only = isFresh && isUnpinned(facts) ? pages.draw.onlyOption(facts.options) : null
  if (only) {
    const choice = { blockchain_code: only.blockchainCode, currency_code: only.currencyCode }
    const refused = await chooseOrRefuse(pages, ctx, reference, choice)
    return showPage(pages, request, reply, { error: refused ?? undefined, isChosen: true })
  }
  const page = await pageFactsOf(pages, ctx, request, { error, asked })
  return sendPage(reply, pages.draw.checkout({ ...facts, ...page }), page.compact)
}

/** The page has three forms: how to pay, where a payment is, and on the sandbox to pay with test money. */
async function answerForm(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (pages.ctx.config.network === 'sandbox' && isForm(request.body) && request.body['testMoney'] !== undefined) {
    return payWithTestMoney(pages, request, reply)
  }
  const question = isForm(request.body) ? readQuestion(request.body) : null
  if (!question) return choose(pages, request, reply)
  const { ctx, calls } = pages
  const { status, retryAfter, asked } = await askAbout({ ...ctx, requestId: request.id }, question, {
    limit: (callCtx) => calls.limit(callCtx, 'diagnose', request.ip),
    diagnose: (callCtx, asking) => calls.diagnose(callCtx, referenceOf(request), asking),
  })
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter)
  return showPage(pages, request, reply.code(status), { asked })
}

async function payWithTestMoney(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const ctx = { ...pages.ctx, requestId: request.id }
  const reference = referenceOf(request)
  const refused = await refusedOr(async () => {
    await pages.calls.limit(ctx, 'test-payment', request.ip, reference || undefined)
    await pages.calls.payWithTestMoney(ctx, reference)
  })
  if (refused === null) return reply.redirect(request.url, 303)
  return showPage(pages, request, reply, { error: refused })
}

async function choose(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const ctx = { ...pages.ctx, requestId: request.id }
  const choice = isForm(request.body) ? pages.draw.readChoice(request.body) : null
  const refused = choice
    ? await chooseOrRefuse(pages, ctx, referenceOf(request), choice)
    : { code: 'unchosen', text: 'Choose how you want to pay.' }
  if (refused !== null) return showPage(pages, request, reply, { error: refused })
  return reply.redirect(request.url, 303)
}

async function showReceipt(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  { error, typed }: { readonly error?: Refused; readonly typed?: string } = {},
): Promise<FastifyReply> {
  const ctx = { ...pages.ctx, requestId: request.id }
  const facts = await loadOrNull(pages, ctx, referenceOf(request))
  if (!facts) return sendUnknown(pages, request, reply)
  if (!pages.draw.hasReceipt(facts.payment))
    return reply.redirect(`/payments?reference_id=${facts.payment.referenceID}`, 302)
  const page = await pageFactsOf(pages, ctx, request, { error })
  const isMailed = error === undefined && (request.query as Query).mailed === '1'
  return sendPage(
    reply,
    pages.draw.receipt({ ...facts, ...page, isMailed, ...(typed !== undefined && { typed }) }),
    false,
  )
}

async function answerReceipt(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const ctx = { ...pages.ctx, requestId: request.id }
  const reference = referenceOf(request)
  const facts = await loadOrNull(pages, ctx, reference)
  if (!facts) return sendUnknown(pages, request, reply)
  const typed = typedEmail(isForm(request.body) ? request.body : {})
  const message = pages.draw.receiptMail({ ...facts, ...(await pageFactsOf(pages, ctx, request)) })
  const error = await requestOrRefuse(ctx, { request: pages.calls.mailReceipt, reference, typed, message })
  if (error !== null) return showReceipt(pages, request, reply, { error, typed })
  return reply.redirect(request.url.includes('&mailed=1') ? request.url : `${request.url}&mailed=1`, 303)
}

async function showRefund(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  { error, typed }: { readonly error?: Refused; readonly typed?: TypedClaim } = {},
): Promise<FastifyReply> {
  const ctx = { ...pages.ctx, requestId: request.id }
  const facts = await loadOrNull(pages, ctx, referenceOf(request))
  if (!facts) return sendUnknown(pages, request, reply)
  const page = await pageFactsOf(pages, ctx, request, { error })
  return sendPage(reply, pages.draw.refund({ ...facts, ...page, typed }), false)
}

async function answerRefund(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const ctx = { ...pages.ctx, requestId: request.id }
  const typed = readClaim(isForm(request.body) ? request.body : {})
  const error = await claimOrRefuse(ctx, { claim: pages.calls.claim, reference: referenceOf(request), typed })
  if (error === null) return reply.redirect(request.url, 303)
  return showRefund(pages, request, reply, { error, typed })
}

async function loadOrNull(pages: Pages, ctx: Context, reference: string): Promise<CheckoutFacts | null> {
  try {
    return await pages.calls.load(ctx, reference)
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === 'PAYMENT_REFERENCE_UNKNOWN') return null
    throw thrown
  }
}

/** Makes the choice; returns why it was refused, or null. */
function chooseOrRefuse(pages: Pages, ctx: Context, reference: string, choice: Choice): Promise<Refused | null> {
  return refusedOr(() => pages.calls.choose(ctx, reference, choice))
}

/** Returns why what was tried was refused, or null; a failure is none. */
async function refusedOr(attempt: () => Promise<void>): Promise<Refused | null> {
  try {
    await attempt()
    return null
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    if (thrown.status >= 500 && thrown.code !== 'RATE_UNAVAILABLE') throw thrown
    const { code, message, details, retryAfter: seconds } = thrown
    const text = details === message ? message : `${message} ${details}`
    return { code, text, ...(seconds !== undefined && { seconds }) }
  }
}

async function pageFactsOf(
  pages: Pages,
  ctx: Context,
  request: FastifyRequest,
  { error, asked }: Answers = {},
): Promise<PageFacts> {
  const { refresh, again, display } = request.query as Query
  return {
    ...preferencesOf(request),
    now: ctx.now(),
    siteUrl: (await pages.calls.siteUrl(ctx)) ?? '',
    scriptUrl: pages.build.url('script'),
    walletUrls: {
      ETH_Family: pages.build.url('wallet'),
      TRX_Family: pages.build.url('tronWallet'),
      SOL_Family: pages.build.url('solanaWallet'),
    },
    networkMode: ctx.config.network,
    compact: request.url.startsWith('/pay?') || request.url === '/pay',
    display: display === 'screen' ? 'screen' : undefined,
    refreshEvery: typeof refresh === 'string' && /^\d{1,4}$/.test(refresh) ? Number(refresh) : undefined,
    error,
    asked,
    paysAgain: again === '1',
  }
}

/** The same page for a URL that cannot be decoded and so reaches no route; null for other URLs. */
export function answerUnreadable(draw: Pick<CheckoutRenderers, 'unknown'>) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | null =>
    /^\/(payments|pay|success|refund|addresses)\b/.test(request.url)
      ? sendPage(reply.code(404), draw.unknown(preferencesOf(request)), false)
      : null
}

function sendUnknown(pages: Pages, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.code(404)
  return sendPage(reply, pages.draw.unknown(preferencesOf(request)), false)
}

/** A payer gets a page, never JSON, whatever went wrong. */
function sendFault({ ctx, draw }: Pages, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(ctx, request, thrown)
  if (refusal.status >= 500) ctx.log.error({ err: refusal.cause ?? refusal, requestId: request.id }, 'page fault')
  if (refusal.retryAfter !== undefined) void reply.header('retry-after', refusal.retryAfter)
  void reply.code(refusal.status)
  return sendPage(reply, draw.fault(request.id, preferencesOf(request)), false)
}

/** A shop that opened the compact page in its own window receives its messages, so the two must stay connected. */
function sendPage(reply: FastifyReply, { html, styleHashes }: RenderedPage, isCompact: boolean): FastifyReply {
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
