/** Compresses the pages that the server renders, for browsers that accept it (RFC 9110, 12.5.3). */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import type { FastifyInstance } from 'fastify'

/** Smaller pages fit into one packet uncompressed. */
const LEAST_CHARACTERS = 1_000

/** A page takes about a millisecond; one step more costs twice that and saves a hundredth. */
const BROTLI_QUALITY = 5

const ENCODERS = {
  br: (text: string) =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
      },
    }),
  gzip: (text: string) => promisify(gzip)(text),
} as const

type Encoding = keyof typeof ENCODERS

/**
 * Compresses the pages of these routes. Their lengths reveal nothing: the secret of a page is in its URL or its request header,
 * so another site cannot request it with guesses beside the secret (decision 0064).
 */
export function compressPages(routes: FastifyInstance): void {
  routes.addHook('onSend', async ({ headers }, reply, payload: unknown) => {
    if (typeof payload !== 'string' || payload.length < LEAST_CHARACTERS) return payload
    void reply.header('vary', 'accept-encoding')
    const encoding = encodingFor(headers['accept-encoding'])
    if (encoding === null) return payload
    void reply.header('content-encoding', encoding)
    return ENCODERS[encoding](payload)
  })
}

/** The one that sends least of those that are taken; null for none. */
function encodingFor(accepted: string | undefined): Encoding | null {
  const taken = new Map(
    (accepted ?? '').split(',').map((entry) => {
      const [name = '', weight] = entry.split(';').map((part) => part.trim().toLowerCase())
      return [name, weight === undefined || Number(weight.replace('q=', '')) > 0]
    }),
  )
  return (['br', 'gzip'] as const).find((name) => taken.get(name) ?? taken.get('*')) ?? null
}
