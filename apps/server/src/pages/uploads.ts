import type { FastifyInstance } from 'fastify'

import type { Context } from '../context.ts'

export type UploadLookup = (ctx: Context, name: string) => Promise<{ contentType: string; bytes: Buffer } | null>

/** A hash and its ending. */
const NAME = /^[\w.-]{1,100}$/

/** Serves stored images under their content's name: they never change, and run nothing. */
export function mountUploads(app: FastifyInstance, ctx: Context, find: UploadLookup): void {
  app.get<{ Params: { name: string } }>('/uploads/:name', async (request, reply) => {
    const { name } = request.params
    const upload = NAME.test(name) ? await find(ctx, name) : null
    if (!upload) return reply.code(404).header('content-type', 'text/plain').send('There is nothing at this address.')
    return reply
      .headers({
        'content-type': upload.contentType,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
      })
      .send(upload.bytes)
  })
}
