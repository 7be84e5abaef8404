/**
 * Puts the routes of the contract on the server. Every request goes the same way: key → caller → access → decode; and every
 * write: stored answer → prepare → one transaction with the claim of the key, the effect and its record (0031).
 */
import { randomBytes } from 'node:crypto'
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { UNLOGGED_WRITES } from '@kassa/contract/audit/events.ts'
import { LARGE_BODY_BYTES, type Route } from '@kassa/contract/kit/route.ts'
import { COMMON_ERRORS } from '@kassa/contract/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Change, Context, RequestFacts } from '../context.ts'
import { type AuditHook, insertRecords, isAudited } from './audit/audit-hook.ts'
import { checkAccess, type ProjectLookup } from './access.ts'
import { authenticate, type CredentialLookups, type Credentials, refuseStranger } from './authenticate.ts'
import { decodeInput } from './decode.ts'
import { sendEvents } from './event-stream.ts'
import type { Describe, Handler, HandlerInput, IsShared, MountedRoutes, Reply, StillStands } from './handlers.ts'
import { isKnownHost } from './headers.ts'
import { type Answer, performOnce } from './idempotency/idempotency.ts'
import { httpSeconds } from '../metrics/registry.ts'
import { type RateLimiter, rateSubject } from './rate-limit/rate-limit.ts'
import { errorBody } from './api-errors.ts'
import { readRaw, refusalOf, requestFacts } from './request.ts'
import { sendRows } from './row-stream.ts'
import { requireBound, type SpendToken } from './step-up/step-up.ts'

export type MountOptions = {
  readonly ctx: Context
  readonly lookups: CredentialLookups
  readonly findProject: ProjectLookup
  readonly limiter: RateLimiter
  /** Records who did what, and who was refused. */
  readonly audit: AuditHook
  /** Uses up the token of the header `Step-Up`. */
  readonly spendToken: SpendToken
  /** Origins under whose host names operators are answered. */
  readonly origins: (ctx: Context) => Promise<readonly string[]>
  /** Tests: an error whose code the route does not list fails the test. */
  readonly isStrict: boolean
}

/** A route with what answers it. */
type Served = {
  /** Its name in the contract. */
  readonly name: string
  readonly route: Route
  readonly handler: Handler<Route>
  readonly stillStands: StillStands | undefined
  readonly isShared: IsShared<Route> | undefined
  readonly describe: Describe<Route> | undefined
}

/** Mounts routes with their handlers. */
export function mount(app: FastifyInstance, options: MountOptions, mounted: MountedRoutes): void {
  for (const [name, route] of Object.entries(mounted.routes)) {
    const handler = mounted.handlers[name]
    if (!handler || (route.sandboxOnly && options.ctx.config.network !== 'sandbox')) continue
    const describe = mounted.describers[name]
    if (route.access.stepUp === 'M' && !describe) throw new Error(`${route.id} moves money and is not described`)
    const [stillStands, isShared] = [mounted.stillStands[name], mounted.isShared[name]]
    const served = { name, route, handler, stillStands, isShared, describe }
    for (const path of route.paths) {
      app.route({
        method: [...route.methods],
        url: serverPath(path),
        ...(route.largeBody && { bodyLimit: LARGE_BODY_BYTES }),
        config: { isOpen: isOpenToAnyOrigin(route) },
        handler: (request, reply) => respond(options, served, request, reply),
      })
    }
  }
}

/**
 * Whether pages of any origin may read the answers of a route (api.md 1.1): routes without a credential, except the writes of
 * the sign-in pages, which are for our own.
 */
function isOpenToAnyOrigin({ access, methods }: Route): boolean {
  return access.reference === true || (access.public === true && methods.every((method) => method === 'GET'))
}

/** The path as the HTTP server writes it: prefixed with `/api/v1` unless it starts with `//`, and `{name}` as `:name`. */
export function serverPath(path: string): string {
  const full = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`
  return full.replace(/\{(\w+)\}/g, ':$1')
}

async function respond(
  options: MountOptions,
  served: Served,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { route } = served
  const started = performance.now()
  const ctx: Context = { ...options.ctx, requestId: request.id, log: options.ctx.log.child({ requestId: request.id }) }
  const known: Known = { ctx, projectId: null }
  try {
    await answer(options, known, served, request, reply)
  } catch (thrown) {
    const refusal = sendableRefusal(options, ctx, route, reply, thrown)
    await noteRefusal(options, known, served, request, refusal)
    sendRefusal(ctx, route, reply, refusal)
  } finally {
    const status = `${Math.floor(reply.statusCode / 100)}xx`
    httpSeconds.observe({ route: route.id, status }, (performance.now() - started) / 1000)
  }
}

/** The facts of a call so far: its caller and its project. */
type Known = { ctx: Context; projectId: number | null }

async function answer(
  options: MountOptions,
  known: Known,
  served: Served,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { route, handler } = served
  const server = known.ctx
  if (route.access.reference) void reply.header('cache-control', 'no-store')
  const facts = requestFacts(request)
  const credentials = credentialsOf(route, request, facts)
  const { caller, configVersion } = await authenticate(server, options.lookups, credentials)
  // A stream outlives the version that it started with.
  const isVersioned = configVersion !== undefined && route.stream === undefined
  const base: Context = { ...server, ...(isVersioned && { configVersion }) }
  if (caller) known.ctx = { ...base, caller }
  const { ref } = request.params as Record<string, string | undefined>
  const limit = await options.limiter(base, route.rate, rateSubject(caller, facts.ip, route), ref)
  void reply.headers({
    'ratelimit-limit': limit.limit,
    'ratelimit-remaining': limit.remaining,
    'ratelimit-reset': limit.resetSeconds,
  })
  if (!route.access.public && !route.access.reference) {
    // A promoter's page is public.
    if (!route.access.referral) await checkHost(options, base, facts)
    if (caller === null) await refuseStranger(base, options.lookups, credentials)
  }
  const isWrite = methodOf(request) !== 'GET' && !route.repeatable
  const access = await checkAccess(base, options.findProject, {
    route,
    caller,
    project: (request.params as Record<string, string | undefined>).p,
    isWrite,
    isBound: headerText(request, 'step-up') !== undefined,
    now: base.now(),
  })
  const ctx: Context = { ...base, caller: access.caller }
  known.projectId = access.scope.projectId
  const decoded = decodeInput(route, await readRaw(route, request))
  const input = { ...decoded, scope: access.scope, request: facts } as HandlerInput<Route>
  if (route.deprecated) void reply.header('deprecation', '@1767225600')
  const perform = performOf(handler)
  if (route.stream === 'events') return sendEvents(ctx, route, await perform(ctx, input), reply)
  if (route.stream === 'rows') return sendRows(ctx, route, await perform(ctx, input), input.query, reply)
  const result = isWrite
    ? await write(options, ctx, served, { input, request, reply })
    : await callOnly(options, ctx, served, { input, request, reply })
  if (result.replayed) void reply.header('idempotency-replayed', result.replayed)
  void reply.code(result.status).header('content-type', 'application/json; charset=utf-8')
  await reply.send(JSON.stringify(result.body))
}

type Call = {
  readonly input: HandlerInput<Route>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Performs a write in its transaction, once per idempotency key. */
async function write(
  options: MountOptions,
  ctx: Context,
  { name, route, handler, stillStands, isShared, describe }: Served,
  { input, request, reply }: Call,
): Promise<Answer> {
  const { prepare } = typeof handler === 'function' ? { prepare: undefined } : handler
  return performOnce(ctx, {
    route,
    method: methodOf(request),
    idempotencyKey: headerText(request, 'idempotency-key'),
    params: input.params,
    body: input.body,
    stillStands,
    isShared: ctx.caller.kind === 'key' && isShared?.(input.body) === true,
    prepare: prepare && ((before) => prepare(before, input)),
    perform: async (open, prepared) => {
      const changes: Change[] = []
      const tx: Context = { ...open, change: (before, after, facts) => void changes.push({ ...facts, before, after }) }
      const token = headerText(request, 'step-up')
      const bound = { route, input, token, spend: options.spendToken }
      const confirmation = describe && (await requireBound(tx, { ...bound, describe }))
      const acting = confirmation ? { ...tx, confirmation } : tx
      const answer = encodeAnswer(route, await performOf(handler)(acting, input, prepared), reply)
      const { projectId } = input.scope
      const done = { ...callOf(name, request, input.request), status: answer.status, projectId, changes }
      return { answer, record: options.audit.recordOf(tx, done) }
    },
  })
}

/**
 * A read, or a call with transactions of its own because its refusals must be stored too (sign-in, step-up). What such a call
 * changed is recorded right after it.
 */
async function callOnly(
  options: MountOptions,
  ctx: Context,
  { name, route, handler }: Served,
  { input, request, reply }: Call,
): Promise<Answer> {
  const isRecorded = methodOf(request) !== 'GET' && !UNLOGGED_WRITES.has(name)
  const changes: Change[] = []
  const called: Context = { ...ctx, change: (before, after, facts) => void changes.push({ ...facts, before, after }) }
  const answer = encodeAnswer(route, await performOf(handler)(isRecorded ? called : ctx, input), reply)
  if (isRecorded) {
    const { projectId } = input.scope
    const done = { ...callOf(name, request, input.request), status: answer.status, projectId, changes }
    await insertRecords([options.audit.recordOf(ctx, done)])?.execute(ctx.db)
  }
  return answer
}

function performOf(handler: Handler<Route>) {
  if (typeof handler === 'function') return handler
  return (ctx: Context, input: HandlerInput<Route>, prepared?: unknown) =>
    handler.perform(ctx, input, prepared as never)
}

function credentialsOf(route: Route, request: FastifyRequest, facts: RequestFacts): Credentials {
  return {
    ...(route.access.referral && { referralToken: headerText(request, 'referral-token') }),
    authorization: headerText(request, 'authorization'),
    apiKey: headerText(request, 'api-key'),
    ip: facts.ip,
  }
}

async function checkHost(options: MountOptions, ctx: Context, facts: RequestFacts): Promise<void> {
  if (isKnownHost(facts.host, [])) return
  if (!isKnownHost(facts.host, await options.origins(ctx))) throw new ApiError('HOST_NOT_ALLOWED')
}

function encodeAnswer(route: Route, result: unknown, reply: FastifyReply): Answer {
  const own = isReply(result) ? result : undefined
  if (own?.headers) void reply.headers(own.headers)
  return { status: own?.status ?? route.status ?? 200, body: z.encode(route.response, own ? own.body : result) }
}

/** What the activity log stores of a call by any caller with any result. */
function callOf(name: string, request: FastifyRequest, facts: RequestFacts) {
  const path = request.url.split('?', 1)[0] ?? ''
  return { name, method: request.method, path: path.replace(/^\/api\/v1(?=\/)/, ''), facts }
}

/** A refusal that could not be recorded is still answered. */
async function noteRefusal(
  { audit }: MountOptions,
  { ctx, projectId }: Known,
  { name }: Served,
  request: FastifyRequest,
  refusal: ApiError,
): Promise<void> {
  if (!isAudited(refusal)) return
  const { status, code } = refusal
  const call = callOf(name, request, requestFacts(request))
  await audit
    .refused(ctx, { ...call, status, code, projectId })
    .catch((err: unknown) => ctx.log.error({ err }, 'a refusal was not written to the activity log'))
}

function sendableRefusal(
  options: MountOptions,
  ctx: Context,
  route: Route,
  reply: FastifyReply,
  thrown: unknown,
): ApiError {
  const refusal = refusalOf(ctx, reply.request, thrown, route)
  if (options.isStrict && !isDeclared(route, refusal)) {
    return new ApiError('INTERNAL_ERROR', { message: `${route.id} does not list ${refusal.code}`, cause: thrown })
  }
  return refusal
}

function sendRefusal(ctx: Context, route: Route, reply: FastifyReply, refusal: ApiError): void {
  if (refusal.status >= 500 && !isBusy(refusal))
    ctx.log.error({ route: route.id, code: refusal.code, err: refusal.cause ?? refusal }, 'fault')
  if (refusal.retryAfter !== undefined) void reply.header('retry-after', refusal.retryAfter)
  void reply.code(refusal.status).header('content-type', 'application/json; charset=utf-8')
  void reply.send(JSON.stringify(errorBody(refusal, ctx.requestId, route)))
}

/** A busy server is not a fault, and callers who keep it busy must not fill its log. */
function isBusy({ code, cause, retryAfter }: ApiError): boolean {
  return code === 'SERVICE_UNAVAILABLE' && cause === undefined && retryAfter !== undefined
}

function isDeclared(route: Route, { code }: ApiError): boolean {
  return route.errors.includes(code) || (COMMON_ERRORS as readonly string[]).includes(code)
}

function isReply(value: unknown): value is Reply<unknown> {
  return typeof value === 'object' && value !== null && 'reply' in value && value.reply === true
}

/** HEAD asks for the headers of GET (RFC 9110 9.3.2), and writes nothing either. */
function methodOf({ method }: FastifyRequest): string {
  return method === 'HEAD' ? 'GET' : method
}

function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** A request's id: 80 random bits, short enough to read aloud. */
export function newRequestId(): string {
  return randomBytes(10).toString('base64url')
}
