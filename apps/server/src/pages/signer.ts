/**
 * Serves the signer (packages/signer), which holds recovery words: as a file to save and open without a network, and on the sandbox
 * and on test networks also inside a dashboard. On mainnet no page of ours has a field for words (money.md 5.2).
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { FastifyInstance, FastifyReply } from 'fastify'

import type { Context } from '../context.ts'

/** Where the build lies, seen from this file. */
const BUILD = join(import.meta.dirname, '../../../../packages/signer/build')

/** Mounts `/signer.html`, `/signer.json` with its SHA-256 and, where words may be typed into a page of ours, `/signer-frame.html`. */
export function mountSigner(app: FastifyInstance, ctx: Context): void {
  app.get('/signer.html', (_request, reply) =>
    send(reply, 'signer.html', {
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': 'attachment; filename="kassa-signer.html"',
      'content-security-policy': "default-src 'none'; sandbox",
    }),
  )
  app.get('/signer.json', (_request, reply) => send(reply, 'signer.json', { 'content-type': 'application/json' }))
  if (ctx.config.network === 'mainnet') return
  app.get('/signer-frame.html', async (_request, reply) => {
    const page = await built('signer.html')
    if (page === null) return reply.callNotFound()
    // Its own policy names the hash of its one script; only this dashboard may frame it, and it has no origin of its own.
    const own = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(page)?.[1] ?? "default-src 'none'"
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': `${own}; frame-ancestors 'self'; sandbox allow-scripts`,
        'x-frame-options': 'SAMEORIGIN',
      })
      .send(page)
  })
}

async function send(reply: FastifyReply, name: string, headers: Readonly<Record<string, string>>) {
  const text = await built(name)
  return text === null ? reply.callNotFound() : reply.headers({ ...headers, 'cache-control': 'no-cache' }).send(text)
}

/** Null without a build. */
function built(name: string): Promise<string | null> {
  return readFile(join(BUILD, name), 'utf8').catch(() => null)
}
