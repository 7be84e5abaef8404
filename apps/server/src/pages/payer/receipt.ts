/** `/success`: the receipt of a payment, and the form that mails it, also without JavaScript. */
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { email } from '@kassa/contract/kit/fields.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Context } from '../../context.ts'
import type { Refused } from './refusal.ts'
import { formOf, loadOrNull, pageFactsOf, type Query, referenceOf } from './request.ts'
import { sendPage, sendUnknown } from './send-page.ts'
import type { Pages, RequestReceipt, ReceiptText } from './types.ts'

export async function showReceipt(
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

export async function answerReceipt(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const ctx = { ...pages.ctx, requestId: request.id }
  const reference = referenceOf(request)
  const facts = await loadOrNull(pages, ctx, reference)
  if (!facts) return sendUnknown(pages, request, reply)
  const typed = typedEmail(formOf(request))
  const message = pages.draw.receiptMail({ ...facts, ...(await pageFactsOf(pages, ctx, request)) })
  const error = await requestOrRefuse(ctx, { request: pages.calls.mailReceipt, reference, typed, message })
  if (error !== null) return showReceipt(pages, request, reply, { error, typed })
  return reply.redirect(request.url.includes('&mailed=1') ? request.url : `${request.url}&mailed=1`, 303)
}

/** The address that was typed; empty for the customer's own. */
function typedEmail({ email: typed }: Readonly<Record<string, string>>): string {
  return (typed ?? '').trim()
}

/** Asks for the mail; returns why it was refused, or null. @throws what no sentence in the form can help with */
async function requestOrRefuse(
  ctx: Context,
  {
    request,
    reference,
    typed,
    message,
  }: {
    readonly request: RequestReceipt
    readonly reference: string
    readonly typed: string
    readonly message: ReceiptText
  },
): Promise<Refused | null> {
  const address = typed === '' ? '' : email().safeParse(typed).data
  if (address === undefined) return NO_EMAIL
  try {
    const outcome = await request(ctx, reference, { address, message })
    if (outcome === 'limited') return OFTEN
    return outcome === 'no_address' ? NO_EMAIL : null
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code !== 'SMTP_NOT_CONFIGURED') throw thrown
    return { code: thrown.code, text: thrown.message }
  }
}

const NO_EMAIL: Refused = { code: 'email', text: 'This is not a valid e-mail address.' }
const OFTEN: Refused = {
  code: 'receiptOften',
  text: 'This receipt cannot be e-mailed again today. Print it instead.',
}
