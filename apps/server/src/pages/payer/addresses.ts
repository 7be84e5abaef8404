/** `/addresses`: independent checks of an address (screens.md 3.46). Each tab is a page with its own policy. */
import type { FastifyReply, FastifyRequest } from 'fastify'

import { pagePolicy } from '../../http/headers.ts'
import type { CheckoutBuild } from '../checkout-build.ts'
import { type Preferences, preferencesOf } from '../preferences.ts'

/** Renders the page for a query, which only the checkout package understands. */
export type AddressesRenderer = (
  query: Readonly<Record<string, unknown>>,
  preferences: Preferences,
  publicKey: string,
  scripts: { readonly checkUrl: string; readonly deriveText: () => string },
) => {
  readonly html: string
  readonly styleHashes: readonly string[]
  /** Hash of the inline script, where the page has one. */
  readonly scriptHashes: readonly string[]
}

type AddressesPage = {
  readonly draw: AddressesRenderer
  readonly build: CheckoutBuild
  /** What proofs are checked with, base64. */
  readonly publicKey: string
}

/** Shows the page; what is pasted there never leaves the browser. */
export function showAddresses(
  { draw, build, publicKey }: AddressesPage,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const scripts = { checkUrl: build.url('check'), deriveText: () => build.text('derive') }
  const query = request.query as Readonly<Record<string, unknown>>
  const { html, styleHashes, scriptHashes } = draw(query, preferencesOf(request), publicKey, scripts)
  const asksServer = scriptHashes.length === 0
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': asksServer
        ? pagePolicy({ styleHashes: styleHashes.map(bare) })
        : sealed(styleHashes, scriptHashes),
    })
    .send(html)
}

/** A page without access to anything: no request, no form, no picture but our icon, no script but its own. */
function sealed(styleHashes: readonly string[], scriptHashes: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${scriptHashes.join(' ') || "'none'"}`,
    `style-src ${styleHashes.join(' ')}`,
    "img-src 'self'",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** `pagePolicy` puts the quotes itself. */
function bare(hash: string): string {
  return hash.replaceAll("'", '')
}
