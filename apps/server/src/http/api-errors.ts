import { ApiError } from '@kassa/contract/kit/api-error.ts'
import type { Route } from '@kassa/contract/kit/route.ts'
import type * as z from 'zod/mini'

import { DISK_FULL } from '../db/disk-space.ts'

/** The error body of api.md 1.3. */
export type ErrorBody = {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details: string
    readonly fields?: Readonly<Record<string, string>>
    readonly data?: Readonly<Record<string, unknown>>
    readonly requestId: string
  }
  readonly message: string
}

/** The same with the error at the top level, for published clients that read `error` as a text. */
export type FlatErrorBody = Omit<ErrorBody['error'], 'code'> & { readonly error: string }

/** The body of an error; flat where the route says so. */
export function errorBody(refusal: ApiError, requestId: string, route?: Route): ErrorBody | FlatErrorBody {
  const { code, message } = refusal
  const parts = {
    message,
    details: refusal.details,
    ...(refusal.fields && { fields: refusal.fields }),
    ...(refusal.data && { data: refusal.data }),
    requestId,
  }
  return route?.flatErrors ? { error: code, ...parts } : { error: { code, ...parts }, message }
}

/**
 * The error for malformed input: INVALID_JSON_DATA on routes of section A, REFERRAL_INVALID on the shop's routes of the
 * referral programme, VALIDATION_FAILED on all others (api.md 9.1, R).
 */
export function invalidInput(route: Route, fields: Readonly<Record<string, string>> = {}, details?: string): ApiError {
  const ofSignIn = route.id.startsWith('A') ? 'INVALID_JSON_DATA' : undefined
  const code = ofSignIn ?? (route.flatErrors ? 'REFERRAL_INVALID' : 'VALIDATION_FAILED')
  const message = Object.values(fields)[0]
  return new ApiError(code, { ...(message && { message }), ...(details && { details }), fields })
}

/** The first error text per field that a schema refused; fields are named by their path, such as `wallets.0.walletID`. */
export function fieldTexts(error: z.core.$ZodError): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const issue of error.issues) {
    const path = issue.path.join('.') || 'body'
    texts[path] ??= issue.message
  }
  return texts
}

/** Turns anything that was thrown into an ApiError; an unexpected error becomes a fault with an id. */
export function toApiError(thrown: unknown, route: Route | undefined, requestId: string): ApiError {
  if (thrown instanceof ApiError) return thrown
  const code = errorCode(thrown)
  if (isDatabaseAway(thrown, code)) {
    const what = code === DISK_FULL ? 'The disk of the database is full' : 'The database did not answer'
    return new ApiError('SERVICE_UNAVAILABLE', {
      details: `${what}. Send the same call again; with an Idempotency-Key it happens once.`,
      retryAfter: code === DISK_FULL ? 30 : 1,
      cause: thrown,
    })
  }
  if (code === STATEMENT_TIMEOUT) {
    return new ApiError('SERVICE_UNAVAILABLE', {
      details: isRead(route)
        ? 'The answer took too long to find. Ask for less of it, by dates or another filter.'
        : 'It took too long. Send the same call again; with an Idempotency-Key it happens once.',
      retryAfter: 60,
      cause: thrown,
    })
  }
  if (route && UNSTORABLE.has(code))
    return invalidInput(route, {}, 'A text or a number cannot be stored as it was sent.')
  return ofHttpServer(thrown, route) ?? new ApiError('INTERNAL_ERROR', { values: { requestId }, cause: thrown })
}

/** Errors of the HTTP server itself, by their status; undefined for others. */
function ofHttpServer(thrown: unknown, route: Route | undefined): ApiError | undefined {
  const status = thrown instanceof Error && 'statusCode' in thrown ? thrown.statusCode : undefined
  if (status === 413) {
    return new ApiError('PAYLOAD_TOO_LARGE', {
      values: { limit: '256 KiB of JSON, or a file of 1 MiB' },
      cause: thrown,
    })
  }
  if (status === 415) return new ApiError('UNSUPPORTED_MEDIA_TYPE', { cause: thrown })
  // 414: a part of the path is longer than any of our names.
  if (status === 403 || status === 404 || status === 414) return new ApiError('ROUTE_NOT_FOUND', { cause: thrown })
  if (status !== 400) return undefined
  return route ? invalidInput(route) : new ApiError('VALIDATION_FAILED', { cause: thrown })
}

/**
 * SQLSTATEs of values from outside that no column can hold: a number out of range, a null character, or half a character in
 * text or JSON. Sending them again does not help, so they are not faults (api.md 1.3).
 */
const UNSTORABLE = new Set(['22003', '22021', '22P02', '22P05'])

/** SQLSTATE of a statement that ran longer than one may: a search that finds too much, or a write behind the lock of another one. */
const STATEMENT_TIMEOUT = '57014'

function isRead(route: Route | undefined): boolean {
  return route !== undefined && (route.repeatable === true || route.methods.every((method) => method === 'GET'))
}

/** Messages of the driver, without a code, when a connection is lost or cannot be opened. */
const DRIVER_TEXTS =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/

/** Codes of a socket when the other end is unreachable, disconnects, or has disconnected during a write. */
const SOCKET_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOENT'])

/**
 * SQLSTATE classes 08 and 57P, and the socket errors, mean that the database is unreachable or shutting down; class 53 that it
 * lacks disk, memory or connections; 40001 and 40P01 that it aborted one of two conflicting transactions.
 */
function isDatabaseAway(thrown: unknown, code: string): boolean {
  if (/^08|^53|^57P|^(40001|40P01)$/.test(code) || SOCKET_ERRORS.has(code)) return true
  return thrown instanceof Error && DRIVER_TEXTS.test(thrown.message)
}

function errorCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
}
