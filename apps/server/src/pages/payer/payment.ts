/** `/payments` and `/pay`: how to pay, where a payment is, and on the sandbox to pay with test money. */
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Context } from '../../context.ts'
import { type Asked, askAbout, readQuestion } from './question.ts'
import { type Refused, refusedOr } from './refusal.ts'
import { formOf, loadOrNull, pageFactsOf, referenceOf } from './request.ts'
import { sendPage, sendUnknown } from './send-page.ts'
import type { CheckoutFacts, Choice, Pages } from './types.ts'

type Answers = { readonly error?: Refused | undefined; readonly asked?: Asked; readonly isChosen?: boolean }

export async function showPage(
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
export async function answerForm(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (pages.ctx.config.network === 'sandbox' && formOf(request)['testMoney'] !== undefined) {
    return payWithTestMoney(pages, request, reply)
  }
  const question = readQuestion(formOf(request))
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
  const choice = pages.draw.readChoice(formOf(request))
  const refused = choice
    ? await chooseOrRefuse(pages, ctx, referenceOf(request), choice)
    : { code: 'unchosen', text: 'Choose how you want to pay.' }
  if (refused !== null) return showPage(pages, request, reply, { error: refused })
  return reply.redirect(request.url, 303)
}

/** Makes the choice; returns why it was refused, or null. */
function chooseOrRefuse(pages: Pages, ctx: Context, reference: string, choice: Choice): Promise<Refused | null> {
  return refusedOr(() => pages.calls.choose(ctx, reference, choice))
}

function isUnpinned({ payment }: CheckoutFacts): boolean {
  return payment.currencySymbol === null && payment.paymentState === 'OPEN'
}
