import type * as z from 'zod/mini'

import type { ErrorCode } from '../errors.ts'
import type { Permission, Scope } from '../permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call a route. Several members are alternatives, except `restricted`, `enrolment`, `archived` and `stepUp`, which qualify an operator. */
export type Access = {
  /** No credential is needed. */
  readonly public?: true
  /** Knowing the payment's reference id is the capability. */
  readonly reference?: true
  /** A promoter, by the token of their page in the header Referral-Token (api.md U). */
  readonly referral?: true
  /** Any signed-in operator. */
  readonly operator?: true
  /** Also a session that must first choose a password (api.md 2.1). */
  readonly restricted?: true
  /** Also an operator who must first set up a second factor (api.md 2.6). */
  readonly enrolment?: true
  /** An operator who holds this permission, or one of these, in the project of the path when there is one. */
  readonly permission?: Permission | readonly [Permission, Permission, ...Permission[]]
  /** A project API key with this scope. */
  readonly scope?: Scope
  /** Also a paired signing device, by its own key (api.md C8). */
  readonly device?: true
  /** A write that is allowed on an archived project, which refuses all others. */
  readonly archived?: true
  /**
   * Proof of presence: `S` for secrets and settings, `M` for money and its destination (api.md 2.7). A route of `M` has a
   * describer, which says of each call what will happen, or that it moves no money; then the call needs the same proof as `S`.
   */
  readonly stepUp?: 'S' | 'M'
}

/** The permissions of which one opens a route; empty where it needs none. */
export function permissionsOfAccess({ permission }: Access): readonly Permission[] {
  if (permission === undefined) return []
  return typeof permission === 'string' ? [permission] : permission
}

/** The buckets of api.md 1.7. */
export type RateClass =
  | 'auth'
  | 'reset'
  | 'otp'
  | 'merchant-write'
  | 'merchant-read'
  | 'payout-write'
  | 'checkout-read'
  | 'checkout-write'
  | 'dashboard'
  | 'heavy'
  | 'typing'
  | 'egress'
  | 'diagnose'
  | 'test-payment'
  | 'system'

/** The longest body of a route that says `largeBody`: ten thousand rows of a file of 5 MB, with the names of their fields. */
export const LARGE_BODY_BYTES = 8 * 1024 * 1024

type Schema = z.ZodMiniType

/** One HTTP route as data: what the server mounts, the dashboard calls and the documents print. */
export type Route<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
> = {
  /** The row of the catalogue, such as `Y16`. */
  readonly id: string
  readonly methods: readonly [Method, ...Method[]]
  /** Paths below `/api/v1`; one that starts with `//` is relative to the server's root. `{name}` is a parameter. */
  readonly paths: readonly [string, ...string[]]
  readonly summary: string
  readonly access: Access
  readonly rate: RateClass
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly response: Response
  /** 200 when absent. */
  readonly status?: number
  /** Codes beyond the common ones (api.md 0) that the route may answer with. */
  readonly errors: readonly ErrorCode[]
  /**
   * `events`: the answer is a stream of server-sent events whose data has the response's shape.
   * `rows`: the answer is a file of rows of that shape, CSV or JSON lines as the query's `format` says.
   */
  readonly stream?: 'events' | 'rows'
  /** First part of the name of the file that `rows` gives, such as `payments`. */
  readonly fileName?: string
  /** The body may be as long as `LARGE_BODY_BYTES`: a list of many rows. */
  readonly largeBody?: true
  /** The body may carry a file and arrive as multipart form. */
  readonly multipart?: true
  /** An equal body of the same API key within five minutes gets the first answer again (api.md 1.6). */
  readonly dedupe?: true
  /** A write only by its method (search, test, token): it has no transaction, and an idempotency key is accepted and ignored. */
  readonly repeatable?: true
  /** A write that may be sent twice and returns what is not stored: an idempotency key is accepted and ignored. */
  readonly keyless?: true
  /** Top-level keys of the answer shown once: a replay returns them as null. */
  readonly secrets?: readonly string[]
  /** The route exists on the sandbox network only. */
  readonly sandboxOnly?: true
  /** Errors have the flat body that published clients read here, and ill-formed input is REFERRAL_INVALID (api.md 1.3, R). */
  readonly flatErrors?: true
  /** Deprecated, for older clients; the answer says so. */
  readonly deprecated?: true
}

export type Routes = { readonly [name: string]: Route }

/** Returns the route as it is, keeping the exact types of its schemas. */
export function route<Params extends Schema, Query extends Schema, Body extends Schema, Response extends Schema>(
  definition: Route<Params, Query, Body, Response>,
): Route<Params, Query, Body, Response> {
  return definition
}

/** A part that a route does not declare has no fields. */
type Nothing = Record<never, never>
type Decoded<S> =
  Schema extends NonNullable<S> ? Nothing : NonNullable<S> extends Schema ? z.output<NonNullable<S>> : Nothing
type Wire<S> =
  Schema extends NonNullable<S> ? Nothing : NonNullable<S> extends Schema ? z.input<NonNullable<S>> : Nothing

/** The input of a handler: each part decoded by the route's schemas. */
export type RouteInput<R extends Route> = {
  readonly params: Decoded<R['params']>
  readonly query: Decoded<R['query']>
  readonly body: Decoded<R['body']>
}

/** What a caller sends: the decoded side, which the client encodes. */
export type RouteCall<R extends Route> = {
  readonly params?: Wire<R['params']>
  readonly query?: Wire<R['query']>
  readonly body?: Wire<R['body']>
}

/** What a handler returns, before it is encoded for the wire. */
export type RouteOutput<R extends Route> = z.output<R['response']>
