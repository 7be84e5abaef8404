import type { ErrorCode } from '@kassa/contract/errors.ts'
import { t } from '@lingui/core/macro'

/** Failures that never came from the server: nothing reached it, its answer was unreadable, or no key was stored. */
export type LocalCode = 'NETWORK_FAILED' | 'ANSWER_UNREADABLE' | 'KEY_MISSING'

export type RequestErrorFacts = {
  readonly code: ErrorCode | LocalCode
  readonly message: string
  readonly details?: string | undefined
  readonly fields?: Readonly<Record<string, string>> | undefined
  readonly data?: Readonly<Record<string, unknown>> | undefined
  readonly requestId?: string | undefined
  /** 0 when the server did not answer. */
  readonly status: number
}

/** A call that did not succeed, as the server or the network told it. */
export class RequestError extends Error {
  readonly code: ErrorCode | LocalCode
  readonly details: string | undefined
  readonly fields: Readonly<Record<string, string>>
  readonly data: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined
  readonly status: number

  constructor(facts: RequestErrorFacts) {
    super(facts.message)
    this.name = 'ApiError'
    this.code = facts.code
    this.details = facts.details
    this.fields = facts.fields ?? {}
    this.data = facts.data ?? {}
    this.requestId = facts.requestId
    this.status = facts.status
  }

  /** The answer is unknown: the call may have had its effect, so a repetition must carry the same key. */
  get isLost(): boolean {
    return this.code === 'NETWORK_FAILED' || this.code === 'ANSWER_UNREADABLE'
  }
}

/** Returns any thrown value as an RequestError, so that a screen can always draw it. */
export function asRequestError(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown
  const message = thrown instanceof Error ? thrown.message : t`Something broke on this page.`
  return new RequestError({ code: 'ANSWER_UNREADABLE', message, status: 0 })
}

/** Reads the server's error body; a body of another shape keeps its status and says that it could not be read. */
export function refusalOf(status: number, body: unknown): RequestError {
  const error = field(body, 'error')
  const code = field(error, 'code')
  const message = field(error, 'message')
  if (typeof code !== 'string') {
    return new RequestError({
      code: 'ANSWER_UNREADABLE',
      message: t`The server’s answer could not be read. Try again.`,
      status,
    })
  }
  return new RequestError({
    code: code as ErrorCode,
    message: typeof message === 'string' ? message : '',
    details: textOf(field(error, 'details')),
    fields: recordOf(field(error, 'fields')) as Record<string, string> | undefined,
    data: recordOf(field(error, 'data')),
    requestId: textOf(field(error, 'requestId')),
    status,
  })
}

function field(value: unknown, name: string): unknown {
  return recordOf(value)?.[name]
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
