import { Refusal } from '@kassa/contract/kit/refusal.ts'
import type { Route } from '@kassa/contract/kit/route.ts'
import type * as z from 'zod/mini'

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

/** What a caller reads of a refusal. */
export function errorBody(refusal: Refusal, requestId: string): ErrorBody {
  return {
    error: {
      code: refusal.code,
      message: refusal.message,
      details: refusal.details,
      ...(refusal.fields && { fields: refusal.fields }),
      ...(refusal.data && { data: refusal.data }),
      requestId,
    },
    message: refusal.message,
  }
}

/** Routes of section A answer malformed input with INVALID_JSON_DATA, all others with VALIDATION_FAILED (api.md 9.1). */
export function invalidInput(route: Route, fields: Readonly<Record<string, string>> = {}, details?: string): Refusal {
  const code = route.id.startsWith('A') ? 'INVALID_JSON_DATA' : 'VALIDATION_FAILED'
  const message = Object.values(fields)[0]
  return new Refusal(code, { ...(message && { message }), ...(details && { details }), fields })
}

/** The first text per field of what a schema refused; fields are named by their path, such as `wallets.0.walletID`. */
export function fieldTexts(error: z.core.$ZodError): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const issue of error.issues) {
    const path = issue.path.join('.') || 'body'
    texts[path] ??= issue.message
  }
  return texts
}

/** Turns whatever was thrown into a refusal; what is not an expected "no" becomes a fault with an id. */
export function toRefusal(thrown: unknown, route: Route | undefined, requestId: string): Refusal {
  if (thrown instanceof Refusal) return thrown
  const code = errorCode(thrown)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || code === 'FST_REQ_FILE_TOO_LARGE') {
    return new Refusal('PAYLOAD_TOO_LARGE', { values: { limit: '256 KiB of JSON, or a file of 1 MiB' }, cause: thrown })
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal('UNSUPPORTED_MEDIA_TYPE', { cause: thrown })
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY' && route) return invalidInput(route)
  if (isDatabaseAway(code)) {
    return new Refusal('SERVICE_UNAVAILABLE', {
      details: 'The database cannot be reached. Nothing was changed; the same call may be sent again.',
      retryAfter: 1,
      cause: thrown,
    })
  }
  return new Refusal('INTERNAL_ERROR', { values: { requestId }, cause: thrown })
}

/** SQLSTATE classes 08 and 57P, and the socket errors, mean that the database is away or going away. */
function isDatabaseAway(code: string): boolean {
  return /^08|^57P|^53300$/.test(code) || code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'ENOENT'
}

function errorCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
}
