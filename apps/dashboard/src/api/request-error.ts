import type { ErrorCode } from '@kassa/contract/errors.ts'
import { t } from '@lingui/core/macro'

import { SPEC_TEXTS } from '../lib/text/spec-texts.ts'

/**
 * Failures without a code of the server's: nothing reached it, its answer was unreadable, no key was stored, or it refused and
 * named no code.
 */
export type LocalCode = 'NETWORK_FAILED' | 'ANSWER_UNREADABLE' | 'KEY_MISSING' | 'CODE_MISSING'

export type RequestErrorFacts = {
  readonly code: ErrorCode | LocalCode
  readonly message: string
  readonly details?: string | undefined
  readonly fields?: Readonly<Record<string, string>> | undefined
  readonly data?: Readonly<Record<string, unknown>> | undefined
  readonly requestId?: string | undefined
  /** 0 when the server did not answer. */
  readonly status: number
  /** In how many seconds the same call may be made again, where the server says so. */
  readonly retryAfter?: number | undefined
}

/** A call that did not succeed, as the server or the network reported it. */
export class RequestError extends Error {
  readonly code: ErrorCode | LocalCode
  readonly details: string | undefined
  readonly fields: Readonly<Record<string, string>>
  readonly data: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined
  readonly status: number
  readonly retryAfter: number | undefined
  /** Set where an earlier call under the same key may have had its effect, about which this answer says nothing. */
  isAfterUndecided = false

  constructor(facts: RequestErrorFacts) {
    super(facts.message)
    this.name = 'ApiError'
    this.code = facts.code
    this.details = facts.details
    this.fields = facts.fields ?? {}
    this.data = facts.data ?? {}
    this.requestId = facts.requestId
    this.status = facts.status
    this.retryAfter = facts.retryAfter
  }

  /** The answer is unknown, or still being made: the call may have had its effect, so a repetition must carry the same key. */
  get isLost(): boolean {
    return ['NETWORK_FAILED', 'ANSWER_UNREADABLE', 'IDEMPOTENCY_IN_PROGRESS'].includes(this.code)
  }

  /** Whether the call may have had its effect: a server that failed may have failed after it. */
  get isUndecided(): boolean {
    return this.isLost || this.status >= 500 || this.isAfterUndecided
  }

  /**
   * Whether it is the answer to its key: a missing session or proof and a limit are met before the server looks whether there is
   * one, and whatever names no code comes from another program.
   */
  get isDecision(): boolean {
    if (this.isUndecided || this.code === 'KEY_MISSING' || this.code === 'CODE_MISSING') return false
    return this.status !== 401 && this.status !== 429 && !this.code.startsWith('STEP_UP_')
  }
}

/** Returns any thrown value as an RequestError, so that a screen can always draw it. */
export function asRequestError(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown
  const message = thrown instanceof Error ? thrown.message : t`Something broke on this page.`
  return new RequestError({ code: 'ANSWER_UNREADABLE', message, status: 0 })
}

/** Codes are words in capitals; any other text that a server puts in their place is a sentence. */
const CODE = /^[A-Z][A-Z0-9_]+$/

/**
 * Reads an error body. One without a code still says what it can: its message, then its details, then the specification's
 * text for its status.
 */
export function refusalOf(status: number, body: unknown, retryAfter?: number): RequestError {
  const error = field(body, 'error')
  const message = textOf(field(error, 'message')) ?? textOf(field(body, 'message'))
  const details = textOf(field(error, 'details')) ?? textOf(field(body, 'details'))
  const code = codeOf(body)
  if (code === undefined) return withoutCode(status, [message, textOf(error), details])
  return new RequestError({
    code,
    message: message ?? '',
    details,
    fields: recordOf(field(error, 'fields')) as Record<string, string> | undefined,
    data: recordOf(field(error, 'data')),
    requestId: textOf(field(error, 'requestId')),
    status,
    retryAfter,
  })
}

/** The code of an error body, whatever the HTTP status; undefined when the body is no error or names none. */
export function codeOf(body: unknown): ErrorCode | undefined {
  const error = field(body, 'error')
  const code = textOf(field(error, 'code')) ?? textOf(error)
  return code !== undefined && CODE.test(code) ? (code as ErrorCode) : undefined
}

function withoutCode(status: number, said: readonly (string | undefined)[]): RequestError {
  const text = said.find((one) => one !== undefined && one !== '')
  if (text !== undefined) return new RequestError({ code: 'CODE_MISSING', message: text, status })
  if (status === 400) return new RequestError({ code: 'CODE_MISSING', message: t(SPEC_TEXTS.badRequest), status })
  // A proxy may have answered 502 or an empty 200: the call may have had its effect.
  const code = status >= 400 && status < 500 ? 'CODE_MISSING' : 'ANSWER_UNREADABLE'
  return new RequestError({ code, message: t(SPEC_TEXTS.unexpected), status })
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
