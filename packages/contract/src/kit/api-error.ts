import { ERRORS, type ErrorCode } from '../errors.ts'

export type ApiErrorOptions = {
  /** Fills the `{…}` of the catalogue's message. */
  readonly values?: Readonly<Record<string, string | number>>
  /** Replaces the catalogue's message, for codes whose message is the error of the first field. */
  readonly message?: string
  /** What happened in this case, and what to do. */
  readonly details?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly data?: Readonly<Record<string, unknown>>
  /** Seconds for `Retry-After`. */
  readonly retryAfter?: number
  readonly cause?: unknown
}

/** An expected error with a code of the catalogue; everything else that is thrown is a bug or an outage. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: string
  /** What fills the `{…}` of the catalogue's message. */
  readonly values: Readonly<Record<string, string | number>>
  readonly fields: Readonly<Record<string, string>> | undefined
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const entry = ERRORS[code]
    super(options.message ?? fillPlaceholders(entry.message, options.values ?? {}), { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = entry.status
    this.details = options.details ?? this.message
    this.values = options.values ?? {}
    this.fields = options.fields
    this.data = options.data
    this.retryAfter = options.retryAfter
  }
}

/** Throws an error of the catalogue. @throws ApiError always */
export function fail(code: ErrorCode, options?: ApiErrorOptions): never {
  throw new ApiError(code, options)
}

function fillPlaceholders(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole))
}
