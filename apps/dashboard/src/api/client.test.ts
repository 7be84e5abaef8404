import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { RequestError } from './request-error.ts'
import { backendUrl } from './backend.ts'
import { call, openFile } from './client.ts'
import { endSession, onSessionEnd, storedUser, storeUser } from './session.ts'
import type { SessionEnd } from './session.ts'
import { onStepUp, waitingStepUp } from './step-up.ts'

const answer = vi.fn<typeof fetch>()

beforeEach(() => {
  answer.mockReset()
  vi.stubGlobal('fetch', answer)
  localStorage.clear()
})
afterEach(() => {
  vi.unstubAllGlobals()
  document.head.replaceChildren()
})

const signedIn = () => storeUser({ key: 'ks_abc', role: { name: 'root' }, rootExists: true })
const refusal = (status: number, code: string, data: object = {}) =>
  new Response(JSON.stringify({ error: { code, message: 'No.', details: 'Why.', data, requestId: '01J' } }), { status })
const sent = (at = 0) => {
  const [url, init] = answer.mock.calls[at] ?? []
  return { url: typeof url === 'string' ? url : '', init: init ?? {}, headers: new Headers(init?.headers) }
}
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (thrown: unknown) => (thrown instanceof RequestError ? thrown : undefined),
  )

function endsSeen(): SessionEnd[] {
  const ends: SessionEnd[] = []
  onSessionEnd((end) => ends.push(end))
  return ends
}

describe('call', () => {
  it('rejects a call without a key before sending', async () => {
    const error = await caught(call(authRoutes.getMe))
    expect(error?.code).toBe('KEY_MISSING')
    expect(answer).not.toHaveBeenCalled()
  })

  it('sends public calls without a key, and without an idempotency key when they only read', async () => {
    answer.mockResolvedValue(Response.json({ exist: true }))
    await expect(call(authRoutes.rootExists)).resolves.toEqual({ exist: true })
    expect(sent().headers.has('API-Key')).toBe(false)
    expect(sent().headers.has('Idempotency-Key')).toBe(false)
  })

  it('carries the key, the idempotency key and the body as JSON', async () => {
    signedIn()
    answer.mockResolvedValue(Response.json({ message: 'Signed out.' }))
    await call(authRoutes.logOut, { body: {} }, { idempotencyKey: 'intent-1' })
    expect(sent().headers.get('API-Key')).toBe('ks_abc')
    expect(sent().headers.get('Idempotency-Key')).toBe('intent-1')
    expect(sent().init.body).toBe('{}')
    expect(sent().url).toMatch(/\/api\/v1\/logout$/)
  })

  it('fills and escapes path values', async () => {
    signedIn()
    answer.mockResolvedValue(refusal(404, 'PROJECT_NOT_FOUND'))
    await caught(call(projectsRoutes.getProject, { params: { p: 'a/b' } }))
    expect(sent().url).toMatch(/\/external-platform\/a%2Fb$/)
  })

  it('sends a body with a file as a multipart form', async () => {
    signedIn()
    answer.mockResolvedValue(refusal(400, 'IMAGE_INVALID'))
    const logo = new File(['x'], 'logo.png', { type: 'image/png' })
    await caught(call(projectsRoutes.changeProject, { params: { p: '7' }, body: { brandColor: '#caff54', logo } }))
    const form = sent().init.body
    expect(form).toBeInstanceOf(FormData)
    expect(form instanceof FormData && form.get('brandColor')).toBe('#caff54')
    expect(sent().headers.has('Content-Type')).toBe(false)
  })

  it('signs out on UNAUTHORIZED and keeps the sentence of the server', async () => {
    signedIn()
    const ends = endsSeen()
    answer.mockResolvedValue(refusal(401, 'UNAUTHORIZED'))
    const error = await caught(call(authRoutes.getMe))
    expect(error).toMatchObject({
      code: 'UNAUTHORIZED',
      message: 'No.',
      details: 'Why.',
      requestId: '01J',
      status: 401,
    })
    expect(storedUser()).toBeUndefined()
    expect(ends).toEqual(['unauthorized'])
  })

  it('says that the password changed where that ended the session', async () => {
    signedIn()
    const ends = endsSeen()
    answer.mockResolvedValue(refusal(401, 'UNAUTHORIZED', { reason: 'password_changed' }))
    await caught(call(authRoutes.getMe))
    expect(ends).toEqual(['password-changed'])
  })

  it('says what a write starts from', async () => {
    signedIn()
    answer.mockResolvedValue(refusal(409, 'EDIT_CONFLICT'))
    const unmodifiedSince = new Date('2026-11-20T05:10:44.123Z')
    await caught(call(projectsRoutes.changeProject, { params: { p: '7' }, body: {} }, { unmodifiedSince }))
    expect(sent().headers.get('If-Unmodified-Since')).toBe('2026-11-20T05:10:44.123Z')
  })

  it('leaves for a new password on RESET_PASSWORD_REQUIRED', async () => {
    signedIn()
    const ends = endsSeen()
    answer.mockResolvedValue(refusal(401, 'RESET_PASSWORD_REQUIRED'))
    await caught(call(authRoutes.getMe))
    expect(storedUser()).toBeUndefined()
    expect(ends).toEqual(['reset-password'])
  })

  it.each([
    ['UNAUTHORIZED', 200, 'unauthorized'],
    ['UNAUTHORIZED', 403, 'unauthorized'],
    ['UNAUTHORIZED', 500, 'unauthorized'],
    ['RESET_PASSWORD_REQUIRED', 200, 'reset-password'],
    ['RESET_PASSWORD_REQUIRED', 409, 'reset-password'],
  ])('acts on %s with status %d', async (code, status, end) => {
    signedIn()
    const ends = endsSeen()
    answer.mockResolvedValue(refusal(status, code))
    expect(await caught(call(authRoutes.getMe))).toMatchObject({ code, status, message: 'No.' })
    expect(storedUser()).toBeUndefined()
    expect(ends).toEqual([end])
  })

  it('acts on a code in place of a file', async () => {
    signedIn()
    const ends = endsSeen()
    const headers = { 'Content-Type': 'application/json; charset=utf-8' }
    answer.mockResolvedValue(new Response(JSON.stringify({ error: { code: 'UNAUTHORIZED' } }), { headers }))
    const file = openFile(paymentsRoutes.exportPayments, { params: { p: '7' } }, new AbortController().signal)
    expect(await caught(file)).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(ends).toEqual(['unauthorized'])
  })

  it.each([
    [400, { error: { message: 'The amount is too small.', details: 'At least 1.' } }, 'The amount is too small.'],
    [400, { error: { details: 'At least 1.' } }, 'At least 1.'],
    [400, { error: 'invalid amount', message: '' }, 'invalid amount'],
    [409, { message: 'Changed meanwhile.' }, 'Changed meanwhile.'],
    [400, { error: {} }, 'Bad Request: Invalid input.'],
    [400, undefined, 'Bad Request: Invalid input.'],
    [404, {}, 'An unexpected error occurred.'],
    [502, undefined, 'An unexpected error occurred.'],
  ])('says what a refusal with status %d without a code says: %j', async (status, body, message) => {
    signedIn()
    answer.mockResolvedValue(new Response(body === undefined ? '<html>' : JSON.stringify(body), { status }))
    const error = await caught(call(authRoutes.getMe))
    expect(error).toMatchObject({ message, status, isLost: status === 502 })
    expect(storedUser()?.key).toBe('ks_abc')
  })

  it('keeps the session when a permission is missing', async () => {
    signedIn()
    answer.mockResolvedValue(refusal(403, 'FORBIDDEN'))
    await caught(call(authRoutes.getMe))
    expect(storedUser()?.key).toBe('ks_abc')
  })

  it('repeats a call with the same idempotency key after proof of presence', async () => {
    signedIn()
    const stop = onStepUp(() => waitingStepUp()?.settle({ token: 'su_proof' }))
    answer.mockResolvedValueOnce(refusal(403, 'STEP_UP_REQUIRED', { class: 'S', action: 'x', methods: ['password'] }))
    answer.mockResolvedValueOnce(refusal(409, 'CONFIGURATION_VALUE_INVALID'))
    const error = await caught(call(settingsRoutes.saveSetting, { body: { key: 'a', value: 'b' } }))
    stop()
    expect(error?.code).toBe('CONFIGURATION_VALUE_INVALID')
    expect(answer).toHaveBeenCalledTimes(2)
    expect(sent(1).headers.get('Idempotency-Key')).toBe(sent(0).headers.get('Idempotency-Key'))
    expect([sent(0), sent(1)].map(({ headers }) => headers.get('Step-Up'))).toEqual([null, 'su_proof'])
  })

  it('hands the refusal over when the proof is not given', async () => {
    signedIn()
    const stop = onStepUp(() => waitingStepUp()?.settle(null))
    answer.mockResolvedValue(refusal(403, 'STEP_UP_REQUIRED'))
    const error = await caught(call(settingsRoutes.saveSetting, { body: { key: 'a', value: 'b' } }))
    stop()
    expect(error?.code).toBe('STEP_UP_REQUIRED')
    expect(answer).toHaveBeenCalledOnce()
  })

  it('is not repeated by whoever signs in while a proof is waited for', async () => {
    signedIn()
    const other = () => storeUser({ key: 'ks_other', role: { name: 'root' }, rootExists: true })
    const stop = onStepUp(() => {
      other()
      waitingStepUp()?.settle({ token: 'su_proof' })
    })
    answer.mockResolvedValue(refusal(403, 'STEP_UP_REQUIRED'))
    const error = await caught(call(settingsRoutes.saveSetting, { body: { key: 'a', value: 'b' } }))
    stop()
    expect(error?.code).toBe('STEP_UP_REQUIRED')
    expect(answer).toHaveBeenCalledOnce()
  })

  it('ends with the session: whoever signs in next proves nothing for it', async () => {
    signedIn()
    const stop = onStepUp(() => undefined)
    answer.mockResolvedValue(refusal(403, 'STEP_UP_REQUIRED'))
    const error = caught(call(settingsRoutes.saveSetting, { body: { key: 'a', value: 'b' } }))
    await vi.waitFor(() => expect(waitingStepUp()).toBeDefined())
    endSession('signed-out')
    expect((await error)?.code).toBe('STEP_UP_REQUIRED')
    expect(waitingStepUp()).toBeUndefined()
    stop()
  })

  it('ends no later session when the one it went out with is lost', async () => {
    signedIn()
    const ends = endsSeen()
    answer.mockImplementation(async () => {
      storeUser({ key: 'ks_other', role: { name: 'root' }, rootExists: true })
      return refusal(401, 'UNAUTHORIZED')
    })
    expect((await caught(call(authRoutes.getMe)))?.code).toBe('UNAUTHORIZED')
    expect(storedUser()?.key).toBe('ks_other')
    expect(ends).toEqual([])
  })

  it('names an answer that does not fit the contract', async () => {
    answer.mockResolvedValue(Response.json({ exist: 'yes' }))
    const error = await caught(call(authRoutes.rootExists))
    expect(error).toMatchObject({ code: 'ANSWER_UNREADABLE', details: 'A1: exist', isLost: true })
  })

  it('says when the server cannot be reached', async () => {
    answer.mockRejectedValue(new TypeError('Failed to fetch'))
    expect(await caught(call(authRoutes.rootExists))).toMatchObject({ code: 'NETWORK_FAILED', isLost: true })
  })
})

describe('storedUser', () => {
  it.each([
    '',
    'x',
    'null',
    '[]',
    '{}',
    '{"key":""}',
    '{"key":"k","role":null,"rootExists":true}',
    '{"key":"k","role":{"name":"r"}}',
  ])('removes an entry of another shape: %s', (text) => {
    localStorage.setItem('user', text)
    expect(storedUser()).toBeUndefined()
    expect(localStorage.getItem('user')).toBeNull()
  })

  it('follows a sign-out of another tab', () => {
    const ends = endsSeen()
    window.dispatchEvent(new StorageEvent('storage', { key: 'user', newValue: null }))
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: null }))
    expect(ends).toEqual(['signed-out-elsewhere'])
    endSession('signed-out')
    expect(ends).toEqual(['signed-out-elsewhere', 'signed-out'])
  })
})

describe('backendUrl', () => {
  const configured = (content: string) => {
    const meta = document.createElement('meta')
    meta.name = 'kassa-backend'
    meta.content = content
    document.head.append(meta)
  }

  it('is the page’s own origin when the page says self', () => {
    configured('self')
    expect(backendUrl()).toBe(location.origin)
  })

  it('is the configured address without its last slash', () => {
    configured('https://api.shop.example/')
    expect(backendUrl()).toBe('https://api.shop.example')
  })

  it('is the page’s host on the specification’s port when nothing is configured', () => {
    expect(backendUrl()).toBe('http://localhost:8080')
  })
})
