import type { Route, RouteCall, RouteOutput } from '@kassa/contract/kit/route.ts'
import { t } from '@lingui/core/macro'

import { randomId } from '../lib/random-id.ts'
import type { decodeAnswer } from './answers.ts'
import { codeOf, RequestError, refusalOf } from './request-error.ts'
import { backendPath } from './backend.ts'
import { encodeBody, encodeQuery, fillPath } from './encode.ts'
import { endSession, storedUser } from './session.ts'
import { noteSessionUse } from './session-use.ts'
import { requestStepUp } from './step-up.ts'

export type CallOptions = {
  /** The key of this submit intent (`useIntent`); a write without one gets a fresh key. */
  readonly idempotencyKey?: string | undefined
  /** What the write starts from: EDIT_CONFLICT when the row is newer. */
  readonly unmodifiedSince?: Date | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Calls a route of the contract and returns its decoded answer. Without a stored key only public routes go out. A lost
 * session leaves for its page; a demand for proof of presence is met in a dialog and the same call goes out again.
 *
 * @throws RequestError for every refusal, and when the server cannot be reached or understood
 */
export async function call<R extends Route>(
  route: R,
  input: RouteCall<R> = {},
  { idempotencyKey = randomId(), ...rest }: CallOptions = {},
): Promise<RouteOutput<R>> {
  const request = async (stepUp?: string) =>
    decode(route, await Promise.all([send(route, input, { idempotencyKey, stepUp, ...rest }), answers()]))
  // What a write has done is not lost because its answer cannot be read.
  if (route.methods[0] !== 'GET') await answers()
  const key = storedUser()?.key
  try {
    return await request()
  } catch (thrown) {
    if (!(thrown instanceof RequestError)) throw thrown
    const proof = thrown.code === 'STEP_UP_REQUIRED' ? await requestStepUp(thrown.data, input) : null
    // Whoever signed in meanwhile does not repeat what somebody else asked for.
    if (proof && storedUser()?.key === key) return request(proof.token)
    throw thrown
  }
}

/** The shapes of all answers: they come beside the first request, so that a page is drawn before they are there. */
function answers(): Promise<Answers> {
  return import('./answers.ts').catch(lost)
}

type Answers = { readonly decodeAnswer: typeof decodeAnswer }

/** The wire side of a call; the route's schemas have typed it at `call`. */
type SendOptions = CallOptions & {
  /** The token of a proof for this call. */
  readonly stepUp?: string | undefined
}

/** The route of a call, and the key of the session it goes out with. */
type Sender = { readonly route: Route; readonly key: string | undefined }

type Sent = { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown }

async function send(route: Route, input: Sent, options: SendOptions): Promise<unknown> {
  const sender = senderOf(route)
  const response = await open(sender, input, options)
  return accepted(sender, response.status, await response.text().catch(lost))
}

/**
 * Opens a route whose answer is a file; its body is not read yet.
 *
 * @throws RequestError for every refusal, and when the server cannot be reached
 */
export async function openFile<R extends Route>(route: R, input: RouteCall<R>, signal: AbortSignal): Promise<Response> {
  const sender = senderOf(route)
  const response = await open(sender, input, { signal })
  // No file is JSON: this is an error body.
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true
  if (isJson) accepted(sender, response.status, await response.clone().text().catch(lost))
  return response
}

/** Who sends a call now. @throws RequestError where the route needs a key and none is stored */
function senderOf(route: Route): Sender {
  const key = storedUser()?.key
  if (key !== undefined || isOpenTo(route)) return { route, key }
  endSession('unauthorized')
  throw new RequestError({ code: 'KEY_MISSING', message: t`You are signed out. Sign in again.`, status: 0 })
}

/** Sends a call and returns the answer of one that succeeded. */
async function open(
  sender: Sender,
  input: Sent,
  { idempotencyKey = randomId(), unmodifiedSince, signal, stepUp }: SendOptions,
): Promise<Response> {
  const { route, key } = sender
  const method = route.methods[0]
  const { body, contentType } = encodeBody(input.body)
  const headers = new Headers({ Accept: 'application/json' })
  if (contentType !== undefined) headers.set('Content-Type', contentType)
  if (method !== 'GET') headers.set('Idempotency-Key', idempotencyKey)
  // Not a chosen time but the row's own, to the millisecond: a shorter text would make every row newer.
  if (unmodifiedSince !== undefined) headers.set('If-Unmodified-Since', unmodifiedSince.toISOString())
  if (key !== undefined) headers.set('API-Key', key)
  if (stepUp !== undefined) headers.set('Step-Up', stepUp)

  const url = backendPath(fillPath(route.paths, input.params)) + encodeQuery(input.query)
  const response = await fetch(url, {
    method,
    headers,
    body: body ?? null,
    signal: signal ?? null,
    credentials: 'omit',
  }).catch(lost)
  if (response.ok) {
    if (key !== undefined) noteSessionUse()
    return response
  }

  const wait = Number(response.headers.get('Retry-After'))
  const refusal = readJson(await response.text().catch(lost))
  return refuse(sender, refusalOf(response.status, refusal, wait > 0 ? wait : undefined))
}

/** Whether a route needs no key. */
function isOpenTo({ access }: Route): boolean {
  return access.public === true || access.reference === true
}

/** Returns the body of an answer; an error body is a refusal whatever its status is. @throws RequestError */
function accepted(sender: Sender, status: number, text: string): unknown {
  const body = readJson(text)
  return codeOf(body) === undefined ? body : refuse(sender, refusalOf(status, body))
}

/**
 * Throws a refusal; one that says the session is lost ends it first (specification §8). An answer that comes after another
 * sign-in is about the session before it.
 */
function refuse({ route, key }: Sender, refusal: RequestError): never {
  if (storedUser()?.key !== key) throw refusal
  if (!isOpenTo(route) && refusal.code === 'UNAUTHORIZED') {
    endSession(refusal.data.reason === 'password_changed' ? 'password-changed' : 'unauthorized')
  }
  if (refusal.code === 'RESET_PASSWORD_REQUIRED') endSession('reset-password')
  throw refusal
}

/** The error of a broken connection, or the abort where the caller ended the call. */
export function lost(thrown: unknown): never {
  if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown
  throw new RequestError({
    code: 'NETWORK_FAILED',
    message: t`The server could not be reached. Check your connection and try again.`,
    status: 0,
  })
}

function readJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function decode<R extends Route>(route: R, [body, { decodeAnswer }]: readonly [unknown, Answers]): RouteOutput<R> {
  const answer = decodeAnswer(route, body)
  if (answer.success) return answer.data as RouteOutput<R>
  const paths = answer.error.issues.map((issue) => issue.path.join('.'))
  throw new RequestError({
    code: 'ANSWER_UNREADABLE',
    message: t`The server’s answer could not be read.`,
    details: `${route.id}: ${paths.join(', ')}`,
    data: { paths },
    status: 200,
  })
}
