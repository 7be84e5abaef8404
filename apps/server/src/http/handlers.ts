import type { Route, RouteInput, RouteOutput, Routes } from '@kassa/contract/kit/route.ts'

import type { Context } from '../context.ts'

/** The projects a call is about, already checked against the caller. */
export type ProjectScope = {
  /** The project of the path, or null when the path has none or says `all`. */
  readonly projectId: number | null
  /** The projects whose rows may be read; `every` for install-wide roles. */
  readonly projectIds: readonly number[] | 'every'
}

/** What of the request a handler may look at besides its decoded input. */
export type RequestFacts = {
  readonly method: string
  readonly ip: string
  readonly userAgent: string
  readonly origin: string | undefined
  readonly host: string
  /** The direct peer is loopback or private and no proxy header is present. */
  readonly isNear: boolean
  readonly headers: Readonly<Record<string, string | undefined>>
}

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

export type Handler<R extends Route> = (
  ctx: Context,
  input: HandlerInput<R>,
) => Promise<RouteOutput<R> | Reply<RouteOutput<R>> | AsyncIterable<RouteOutput<R>>>

/** One handler per route: a forgotten one does not compile. */
export type Handlers<R extends Routes> = { readonly [Name in keyof R]: Handler<R[Name]> }

/** Whether a handler gave what it has one by one, as routes that stream ask for. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
