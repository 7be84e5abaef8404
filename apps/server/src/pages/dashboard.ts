/** Serves the built dashboard: its files under their own names, and its one page at every other path. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

import type { Context } from '../context.ts'
import { pagePolicy } from '../http/headers.ts'
import { escapeHtml } from './html.ts'

/** Where the build lies, seen from this file. */
const BUILD = join(import.meta.dirname, '../../../dashboard/build')

/** Paths that are not pages: an unknown one there is a 404, not the dashboard. */
const NOT_PAGES = /^\/(api|uploads|assets|checkout|health|metrics|images)(\/|$)/

export type DashboardOptions = {
  /** The API base of the page: an origin, or null for the page's own. */
  readonly backend: (ctx: Context) => Promise<string | null>
}

/** Mounts the dashboard; without a build it says how to make one. */
export async function mountDashboard(app: FastifyInstance, ctx: Context, options: DashboardOptions): Promise<void> {
  // Looked up per request, so that a build made while the server runs is served completely.
  await app.register(fastifyStatic, {
    root: join(BUILD, 'assets'),
    prefix: '/assets/',
    index: false,
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
  })
  await app.register(fastifyStatic, {
    root: BUILD,
    decorateReply: false,
    index: false,
    wildcard: false,
    serveDotFiles: false,
    globIgnore: ['index.html', 'assets/**'],
    cacheControl: false,
    setHeaders: (reply) => void reply.header('cache-control', 'no-cache'),
  })
  app.get('/*', async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    if (NOT_PAGES.test(path)) return reply.callNotFound()
    const backend = await options.backend(ctx)
    const isOwn = backend === null || backend === ctx.config.siteUrl
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': pagePolicy({
          connect: connectSources(isOwn ? null : backend),
          // The signer is framed where words may be typed into a page of ours (pages/signer.ts).
          frames: ctx.config.network === 'mainnet' ? '' : "'self'",
        }),
      })
      .send(await dashboardPage(isOwn ? 'self' : backend, ctx))
  })
}

/** What the page may reach besides its own origin: the configured API base, by http and websocket. */
function connectSources(backend: string | null): string {
  return backend === null ? '' : `${backend} ${backend.replace(/^http/, 'ws')}`
}

async function dashboardPage(backend: string, ctx: Context): Promise<string> {
  try {
    const html = await readFile(join(BUILD, 'index.html'), 'utf8')
    const metas = [
      ['kassa-backend', backend],
      ['kassa-network', ctx.config.network],
      ...(ctx.config.docsUrl === null ? [] : [['kassa-docs', ctx.config.docsUrl]]),
    ]
    const tags = metas.map(([name, content]) => `<meta name="${name}" content="${escapeHtml(content ?? '')}" />`)
    return html.replace('<head>', `<head>\n    ${tags.join('\n    ')}`)
  } catch (err) {
    ctx.log.error({ err }, 'the dashboard is not built')
    return '<!doctype html><title>Kassa</title><p>The dashboard is not built. Run npm run build, then reload.</p>'
  }
}
