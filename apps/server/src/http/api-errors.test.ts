import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { describe, expect, it } from 'vitest'

import { toApiError } from './api-errors.ts'

const route = paymentsRoutes.createPayment

function withCode(code: string, statusCode?: number): Error {
  return Object.assign(new Error('no'), { code, ...(statusCode && { statusCode }) })
}

describe('refusals.toApiError', () => {
  it.each([
    ['a connection that broke', new Error('Connection terminated unexpectedly')],
    ['a connection that broke before', new Error('Client has encountered a connection error and is not queryable')],
    ['a full pool', new Error('timeout exceeded when trying to connect')],
    ['a stopping server', withCode('57P01')],
    ['a starting server', withCode('57P03')],
    ['no server', withCode('ECONNREFUSED')],
    ['a server that went away while it was written to', withCode('EPIPE')],
    ['a server without memory', withCode('53200')],
    ['a deadlock', withCode('40P01')],
  ])('asks to send the call again after %s', (_what, thrown) => {
    expect(toApiError(thrown, route, 'r')).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503, retryAfter: 1 })
  })

  it('says that the disk is full, and asks for patience', () => {
    const refusal = toApiError(withCode('53100'), route, 'r')
    expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503, retryAfter: 30 })
    expect(refusal.details).toContain('disk of the database is full')
  })

  it.each([
    ['for less of what is read', paymentsRoutes.searchPayments, 'by dates or another filter'],
    ['to send a write again', route, 'Send the same call again; with an Idempotency-Key it happens once'],
    ['to send again what is written for no route, as the rows of a bulk job', undefined, 'Send the same call again'],
  ])('asks, after a statement that ran too long, %s', (_what, asked, details) => {
    const refusal = toApiError(withCode('57014'), asked, 'r')
    expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503, retryAfter: 60 })
    expect(refusal.details).toContain(details)
  })

  it.each([
    ['a text with a null character', '22021'],
    ['half a character', '22P02'],
    ['a null character in JSON', '22P05'],
    ['a number no column holds', '22003'],
  ])('calls %s invalid input, which sending again does not cure', (_what, code) => {
    expect(toApiError(withCode(code), route, 'r')).toMatchObject({ code: 'VALIDATION_FAILED', status: 400 })
    expect(toApiError(withCode(code), authRoutes.signIn, 'r')).toMatchObject({ code: 'INVALID_JSON_DATA' })
    expect(toApiError(withCode(code), undefined, 'r')).toMatchObject({ code: 'INTERNAL_ERROR' })
  })

  it.each([
    ['FST_FIELDS_LIMIT', 413, 'PAYLOAD_TOO_LARGE'],
    ['FST_PARTS_LIMIT', 413, 'PAYLOAD_TOO_LARGE'],
    ['FST_REQ_FILE_TOO_LARGE', 413, 'PAYLOAD_TOO_LARGE'],
    ['FST_ERR_BAD_URL', 400, 'VALIDATION_FAILED'],
    ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 400, 'VALIDATION_FAILED'],
  ])('passes on what the HTTP server refuses with %s', (code, status, expected) => {
    expect(toApiError(withCode(code, status), undefined, 'r').code).toBe(expected)
  })

  it('calls anything else a fault with an id', () => {
    expect(toApiError(new Error('oops'), route, 'r1')).toMatchObject({ code: 'INTERNAL_ERROR', status: 500 })
  })
})
