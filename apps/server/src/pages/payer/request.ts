/** Reads a request of the payer's pages: its payment, its form, and what its query and headers ask of the page. */
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import type { FastifyRequest } from 'fastify'

import type { Context } from '../../context.ts'
import { preferencesOf } from '../preferences.ts'
import type { Asked } from './question.ts'
import type { Refused } from './refusal.ts'
import type { CheckoutFacts, PageFacts, Pages } from './types.ts'

/** A key that is sent twice arrives as a list, and means nothing. */
export type Query = Readonly<
  Record<'reference_id' | 'lang' | 'theme' | 'refresh' | 'again' | 'display' | 'mailed', unknown>
>

/** Finds what the page of a payment shows; null where no payment has this reference. */
export async function loadOrNull(pages: Pages, ctx: Context, reference: string): Promise<CheckoutFacts | null> {
  try {
    return await pages.calls.load(ctx, reference)
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === 'PAYMENT_REFERENCE_UNKNOWN') return null
    throw thrown
  }
}

/** Collects what a page is drawn from beside the payment. */
export async function pageFactsOf(
  pages: Pages,
  ctx: Context,
  request: FastifyRequest,
  { error, asked }: { readonly error?: Refused | undefined; readonly asked?: Asked | undefined } = {},
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

/** The fields of a form; none where the body is no form. */
export function formOf({ body }: FastifyRequest): Readonly<Record<string, string>> {
  return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, string>>) : {}
}

/** The reference of the payment; empty where the URL names none. */
export function referenceOf(request: FastifyRequest): string {
  const { reference_id: reference } = request.query as Query
  return typeof reference === 'string' ? reference : ''
}
