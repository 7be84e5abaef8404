/** `/addresses`: a second opinion on an address (screens.md 3.46). Each tab is a page with a policy of its own. */
import type { FastifyReply, FastifyRequest } from 'fastify'

import { pagePolicy } from '../http/headers.ts'
import { builtText, builtUrl } from './checkout-build.ts'
import { type Wishes, wishesOf } from './wishes.ts'

export type AddressesView = Wishes & {
  readonly tab: 'real' | 'derive'
  readonly link: string
  readonly address: string
  readonly publicKey: string
  readonly scriptUrl: string
  readonly deriveScript: string
}

export type AddressesDrawing = (view: AddressesView) => {
  readonly html: string
  readonly styleHashes: readonly string[]
  readonly scriptHashes: readonly string[]
}

type Query = Readonly<Record<'tabId' | 'reference_id' | 'address', unknown>>

/** Shows the page; what is pasted there never leaves the browser. `publicKey` (base64) is what proofs are checked with. */
export function showAddresses(
  draw: AddressesDrawing,
  publicKey: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const view = viewOf(request, publicKey)
  const { html, styleHashes, scriptHashes } = draw(view)
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        view.tab === 'real' ? pagePolicy({ styleHashes: styleHashes.map(bare) }) : sealed(styleHashes, scriptHashes),
    })
    .send(html)
}

function viewOf(request: FastifyRequest, publicKey: string): AddressesView {
  const { tabId, reference_id: reference, address } = request.query as Query
  const tab = tabId === 'derive' ? 'derive' : 'real'
  return {
    ...wishesOf(request),
    tab,
    link: typeof reference === 'string' ? reference : '',
    address: typeof address === 'string' ? address : '',
    publicKey,
    scriptUrl: builtUrl('check'),
    deriveScript: tab === 'derive' ? builtText('derive') : '',
  }
}

/** A page that can reach nobody: no request, no form, no picture but our icon, no script but the one in it. */
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
