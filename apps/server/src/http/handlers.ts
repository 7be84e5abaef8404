import type { StepUpLines } from '@kassa/contract/auth/step-up-lines.ts'
import type { Cause } from '@kassa/contract/kit/reason.ts'
import type { Route, RouteInput, RouteOutput, Routes } from '@kassa/contract/kit/route.ts'
import type { Context, ProjectScope, RequestFacts } from '../context.ts'

export type HandlerInput<R extends Route> = RouteInput<R> & {
  readonly scope: ProjectScope
  readonly request: RequestFacts
}

/** An answer with a status or headers of its own. */
export type Reply<T> = {
  readonly reply: true
  readonly body: T
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers with headers or another status than the route's. */
export function reply<T>(body: T, options: { status?: number; headers?: Readonly<Record<string, string>> }): Reply<T> {
  return { reply: true, body, ...options }
}

type Answered<R extends Route> = Promise<RouteOutput<R> | Reply<RouteOutput<R>> | AsyncIterable<RouteOutput<R>>>

/** Answers a route. For a write it runs inside the transaction of the call, so anything that waits belongs in `prepare`. */
export type Perform<R extends Route> = (ctx: Context, input: HandlerInput<R>) => Answered<R>

/**
 * A write that needs something from outside first (0031): a node, a mail server, a password hash. `prepare` runs before the
 * transaction, may run twice, and changes nothing that a repeat would change again. `perform` runs inside the transaction,
 * decides by what the database then says, and gets the result of `prepare`.
 */
export type Prepared<R extends Route> = {
  readonly prepare: (ctx: Context, input: HandlerInput<R>) => Promise<unknown>
  readonly perform: (ctx: Context, input: HandlerInput<R>, prepared: never) => Answered<R>
}

export type Handler<R extends Route> = Perform<R> | Prepared<R>

/** Joins the two functions of a write: `perform` gets the result of `prepare`. */
export function prepared<R extends Route, T>(handler: {
  readonly prepare: (ctx: Context, input: HandlerInput<R>) => Promise<T>
  readonly perform: (ctx: Context, input: HandlerInput<R>, prepared: T) => Answered<R>
}): Prepared<R> {
  return handler
}

/** One handler per route; a missing one does not compile. */
export type Handlers<R extends Routes> = { readonly [Name in keyof R]: Handler<R[Name]> }

/** Whether a handler returned its items one by one, as routes that stream require. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Checks whether the earlier answer of a deduplicated create is still true, before it is repeated (api.md 1.6). */
export type StillStands = (ctx: Context, body: unknown) => Promise<boolean>

/**
 * Whether a call of an API key may share its transaction with others, as those do whose statements are made by `together`; what
 * it does may then run twice (0054).
 */
export type IsShared<R extends Route> = (body: RouteInput<R>['body']) => boolean

/** What a call will do. */
export type Description = {
  /** What a person reads and confirms. */
  readonly lines: readonly Cause<StepUpLines>[]
  /** The same for machines: JSON with every id and value that matters. */
  readonly happens: unknown
}

/**
 * Describes what a call will do, from the database and not from what the caller wrote; null where it neither moves money nor
 * redirects it. Inside the transaction of the call it locks what it reads, so that nothing changes until the end.
 */
export type Describe<R extends Route> = (
  ctx: Context,
  input: Pick<HandlerInput<R>, 'params' | 'query' | 'body' | 'scope'>,
) => Promise<Description | null>

/** Routes of the contract with their handlers. */
export type MountedRoutes = {
  readonly routes: Routes
  readonly handlers: Readonly<Record<string, Handler<Route>>>
  /** By the name of the route. */
  readonly stillStands: Readonly<Record<string, StillStands | undefined>>
  /** By the name of the route. */
  readonly isShared: Readonly<Record<string, IsShared<Route> | undefined>>
  /** Of the routes of step-up class M, by name. */
  readonly describers: Readonly<Record<string, Describe<Route> | undefined>>
}

type More<R extends Routes> = {
  readonly stillStands?: { readonly [Name in keyof R]?: StillStands }
  readonly isShared?: { readonly [Name in keyof R]?: IsShared<R[Name]> }
  readonly describers?: { readonly [Name in keyof R]?: Describe<R[Name]> }
}

/** Joins routes with their handlers. */
export function serve<R extends Routes>(
  routes: R,
  handlers: Handlers<R>,
  { stillStands = {}, isShared = {}, describers = {} }: More<R> = {},
): MountedRoutes {
  // Each of these takes what its own route decodes; here they stand side by side.
  return {
    routes,
    handlers: handlers as unknown as MountedRoutes['handlers'],
    stillStands,
    isShared: isShared as unknown as MountedRoutes['isShared'],
    describers: describers as unknown as MountedRoutes['describers'],
  }
}

/** An HTTP date has whole seconds. */
const SECOND_MS = 1000

/**
 * The last change the caller has seen. An HTTP date means its whole second, a time with a fraction exactly that time; text that
 * is no date is ignored (RFC 9110 13.1.4).
 */
export function lastChange({ headers }: RequestFacts): Date | null {
  const text = headers['if-unmodified-since'] ?? ''
  const time = Date.parse(text)
  if (Number.isNaN(time)) return null
  return new Date(/\.\d+/.test(text) ? time : time + SECOND_MS - 1)
}
