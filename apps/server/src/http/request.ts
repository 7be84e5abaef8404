import type { MultipartFile } from '@fastify/multipart'
import { fail, ApiError } from '@kassa/contract/kit/api-error.ts'
import type { Route } from '@kassa/contract/kit/route.ts'
import type { FastifyRequest } from 'fastify'

import { parseJson, type RawInput } from './decode.ts'
import type { Context, RequestFacts } from '../context.ts'
import { networkOf } from '../networks.ts'
import { isThisMachine } from './headers.ts'
import { invalidInput, toApiError } from './api-errors.ts'

/** The facts of a request, besides its input, for handlers and the rate limiter. */
export function requestFacts(request: FastifyRequest): RequestFacts {
  const header = (name: string) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value[0] : value
  }
  return {
    method: request.method,
    ip: request.ip,
    network: networkOf(request.ip),
    userAgent: (header('user-agent') ?? '').slice(0, 255),
    referer: (header('referer') ?? '').slice(0, 255),
    origin: header('origin'),
    host: header('host') ?? '',
    isThisMachine: isThisMachine(request.socket.remoteAddress ?? '', request.headers),
    headers: { 'if-unmodified-since': header('if-unmodified-since') },
  }
}

/**
 * Turns what was thrown into an error of the catalogue. A caller who disconnects during a request causes an error that looks
 * like one of the database (ECONNRESET), but it is no fault of ours and the answer is not read.
 */
export function refusalOf(ctx: Context, request: FastifyRequest, thrown: unknown, route?: Route): ApiError {
  const { destroyed, complete } = request.raw
  if (!destroyed || complete) return toApiError(thrown, route, request.id)
  ctx.log.debug({ err: thrown, requestId: request.id }, 'the caller left before the request was complete')
  return new ApiError('VALIDATION_FAILED', { details: 'The request ended before it was complete.', cause: thrown })
}

/** Reads params, query and body as they were sent, a form as an object of texts and files. */
export async function readRaw(route: Route, request: FastifyRequest): Promise<RawInput> {
  const { params, query } = request
  if (request.isMultipart()) {
    const body = await readForm(request).catch((thrown: unknown) => refuseForm(route, thrown))
    return { params, query, body, isForm: true }
  }
  const text = typeof request.body === 'string' ? request.body : ''
  return { params, query, body: parseJson(route, text), isForm: false }
}

async function readForm(request: FastifyRequest): Promise<Record<string, unknown>> {
  const form: Record<string, unknown> = {}
  for await (const part of request.parts()) {
    const value = part.type === 'file' ? await readFile(part) : part.value
    const isList = part.fieldname.endsWith('[]')
    const known = form[part.fieldname]
    if (isList) form[part.fieldname] = Array.isArray(known) ? [...(known as unknown[]), value] : [value]
    else if (part.fieldname in form) fail('DUPLICATE_FIELD', { values: { field: part.fieldname } })
    else form[part.fieldname] = value
  }
  return form
}

/** What the form's parser refuses is the caller's fault: too many parts, or no form at all. */
function refuseForm(route: Route, thrown: unknown): never {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  if (thrown instanceof ApiError || code === 'FST_REQ_FILE_TOO_LARGE') throw thrown
  if (/^FST_(FILES|FIELDS|PARTS)_LIMIT$/.test(code)) {
    return fail('PAYLOAD_TOO_LARGE', { values: { limit: 'one file and 100 fields' }, cause: thrown })
  }
  throw invalidInput(route, {}, 'The form is not well-formed.')
}

async function readFile(part: MultipartFile): Promise<File> {
  const bytes = await part.toBuffer()
  return new File([new Uint8Array(bytes)], part.filename, { type: part.mimetype })
}
