/** `/refund`: the payer names where money of a payment should return to (Y32), also without JavaScript. */
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { NewRefundClaim } from '@kassa/contract/refund-claims/schemas.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Context } from '../../context.ts'
import type { Refused } from './refusal.ts'
import { formOf, loadOrNull, pageFactsOf, referenceOf } from './request.ts'
import { sendPage, sendUnknown } from './send-page.ts'
import type { Pages, ClaimRefund, TypedClaim } from './types.ts'

export async function showRefund(
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

export async function answerRefund(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const ctx = { ...pages.ctx, requestId: request.id }
  const typed = readClaim(formOf(request))
  const error = await claimOrRefuse(ctx, { claim: pages.calls.claim, reference: referenceOf(request), typed })
  if (error === null) return reply.redirect(request.url, 303)
  return showRefund(pages, request, reply, { error, typed })
}

/** Reads the form; what is missing is empty. */
function readClaim({ blockchainCode, address }: Readonly<Record<string, string>>): TypedClaim {
  return { blockchainCode: blockchainCode ?? '', address: (address ?? '').trim() }
}

/** Makes the claim; returns why it was refused, or null. @throws what no sentence in the form can help with */
async function claimOrRefuse(
  ctx: Context,
  { claim, reference, typed }: { readonly claim: ClaimRefund; readonly reference: string; readonly typed: TypedClaim },
): Promise<Refused | null> {
  if (!NewRefundClaim.safeParse(typed).success) {
    return { code: 'ADDRESS_INVALID', text: 'This is not a valid address on this network.' }
  }
  try {
    await claim(ctx, reference, typed)
    return null
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.status >= 500) throw thrown
    return { code: thrown.code, text: thrown.message }
  }
}
