import multipart from '@fastify/multipart'
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

import type { Context } from '../context.ts'
import { CONNECTION_LIMITS, type ConnectionLimits, limitConnections } from './rate-limit/connections.ts'
import { endStreams } from './event-stream.ts'
import { SAFETY_HEADERS, withoutPorts } from './headers.ts'
import { newRequestId } from './mount.ts'
import { errorBody } from './api-errors.ts'
import { refusalOf } from './request.ts'

/** JSON bodies are small; a form carries one file (api.md 1.1). */
const JSON_LIMIT = 256 * 1024
const FILE_LIMIT = 1024 * 1024
const FORM_LIMIT = 4 * 1024 * 1024

/** Longer than any id, code or key in a path. */
const LONGEST_PARAM = 300

/** For a year browsers reach a site of https by nothing else (RFC 6797). */
const HTTPS_ONLY = `max-age=${365 * 86_400}`

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether pages of any origin may read the answers. */
    readonly isOpen?: boolean
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The contract decodes input (decode.ts), so Fastify's own validator and serializer are never loaded. */
const noSchemas = () => {
  throw new Error('A route is described by the contract, not by a schema of Fastify')
}
const NO_SCHEMAS = { buildValidator: noSchemas, buildSerializer: noSchemas }

export type ServerOptions = {
  /** Origins that may call operator routes from a browser. */
  readonly origins: (ctx: Context) => Promise<readonly string[]>
  /** Answers a URL that cannot be decoded where a person reads the answer; null leaves it to the API. */
  readonly answerUnreadable?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null
  readonly limits?: ConnectionLimits
}

/** An HTTP server with the rules every answer obeys and no route yet. */
export async function createServer(
  ctx: Context,
  { origins, answerUnreadable, limits = CONNECTION_LIMITS }: ServerOptions,
): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: JSON_LIMIT,
    genReqId: newRequestId,
    // Loopback is not trusted by default: a caller who tunnels to this machine would choose the address that limits count.
    trustProxy: [...ctx.config.trustedProxies],
    forceCloseConnections: 'idle',
    connectionTimeout: limits.idleMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.checkMs },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_PARAM },
    logger: false,
    schemaController: { compilersFactory: NO_SCHEMAS },
    frameworkErrors: (error, request, reply) => {
      const [asked, answer] = [request as FastifyRequest, reply as FastifyReply]
      void answer.headers(headersOf(ctx, asked))
      void (answerUnreadable?.(asked, answer) ?? refuse(ctx, asked, answer, error))
    },
  })
  limitConnections(app.server, limits, { trustedProxies: ctx.config.trustedProxies, log: ctx.log })
  const paths: RegExp[] = []
  const open: RegExp[] = []
  const isOpen = ({ url }: FastifyRequest) => open.some((pattern) => pattern.test(pathOf(url)))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  await app.register(multipart, { limits: { fileSize: FILE_LIMIT, files: 1, fields: 100, fieldSize: 65_536 } })
  app.addHook('onRequest', async ({ raw }) => {
    const forwardedFor = raw.headers['x-forwarded-for']
    if (typeof forwardedFor === 'string') raw.headers['x-forwarded-for'] = withoutPorts(forwardedFor)
  })
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(headersOf(ctx, request))
    const most = Math.max(FORM_LIMIT, request.routeOptions.bodyLimit)
    if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most)
    await allowOrigin(ctx, { origins, isOpen }, request, reply)
  })
  app.addHook('preClose', async () => {
    endStreams(ctx)
    closeWhenIdle(app)
  })
  app.options('/*', async (_request, reply) => reply.code(204).send())
  app.addHook('onRoute', ({ url, config }) => {
    if (url !== '/*') paths.push(pathPattern(url))
    if (config?.isOpen === true) open.push(pathPattern(url))
  })
  app.setNotFoundHandler((request, reply) => {
    const isKnown = paths.some((pattern) => pattern.test(pathOf(request.url)))
    const values = { method: request.method }
    return refuse(ctx, request, reply, new ApiError(isKnown ? 'METHOD_NOT_ALLOWED' : 'ROUTE_NOT_FOUND', { values }))
  })
  app.setErrorHandler((error, request, reply) => refuse(ctx, request, reply, error))
  return app
}

function headersOf({ config }: Context, request: FastifyRequest): Record<string, string> {
  const { authorization, 'api-key': apiKey, 'referral-token': referralToken } = request.headers
  // Only the caller may store an answer to a credential, including a refusal (api.md 1.4).
  const isCredentialed = [authorization, apiKey, referralToken].some((one) => one !== undefined)
  return {
    ...SAFETY_HEADERS,
    'x-request-id': request.id,
    'kassa-version': config.version,
    // Published tool servers read this one.
    'payram-version': config.version,
    ...(isCredentialed && { 'cache-control': 'no-store' }),
    ...(config.siteUrl?.startsWith('https:') && { 'strict-transport-security': HTTPS_ONLY }),
  }
}

/** Without this, a connection that is being answered when the drain begins would wait a minute for its next request. */
function closeWhenIdle({ server }: FastifyInstance): void {
  if (!server.listening) return
  const closing = setInterval(() => server.closeIdleConnections(), 50)
  server.once('close', () => clearInterval(closing))
}

/** Matches what the route's path matches, whatever the method. */
function pathPattern(url: string): RegExp {
  return new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, `[^/]{1,${LONGEST_PARAM}}`)}/?$`)
}

function refuse(ctx: Context, request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const refusal = refusalOf(ctx, request, thrown)
  if (refusal.status >= 500) ctx.log.error({ err: refusal.cause ?? refusal, requestId: request.id }, 'fault')
  if (refusal.retryAfter !== undefined) void reply.header('retry-after', refusal.retryAfter)
  return reply.code(refusal.status).send(errorBody(refusal, request.id))
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? ''
}

type Origins = {
  readonly origins: ServerOptions['origins']
  /** Whether the route of a request answers pages of any origin; a preflight asks for the route behind it. */
  readonly isOpen: (request: FastifyRequest) => boolean
}

/** There are no cookies, so a foreign page gains nothing by calling; operator routes still answer known origins only. */
async function allowOrigin(
  ctx: Context,
  { origins, isOpen }: Origins,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { origin } = request.headers
  if (origin === undefined || !request.url.startsWith('/api/')) return
  const isPublic = isOpen(request)
  if (!isPublic && !(await origins(ctx)).includes(origin)) return
  void reply.headers({
    'access-control-allow-origin': isPublic ? '*' : origin,
    'access-control-allow-headers':
      'api-key, authorization, content-type, idempotency-key, step-up, if-unmodified-since',
    'access-control-allow-methods': METHODS.join(', '),
    'access-control-expose-headers': 'x-request-id, x-total-count, link, idempotency-replayed, retry-after',
    'access-control-max-age': '600',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'Origin',
  })
}

function tooLarge(bytes: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', { values: { limit: `${bytes / 1024 ** 2} MiB` } })
}
