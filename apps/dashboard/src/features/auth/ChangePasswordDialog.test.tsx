import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { storedUser, storeUser } from '../../api/session.ts'
import { sessionsQuery } from '../../api/sessions.ts'
import { currentToasts, dismissToast } from '../../ui/feedback/toast.ts'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'
import '../../testing/patient.ts'

const LABELS = ['Current password', 'New password', 'Confirm password'] as const
type Label = (typeof LABELS)[number]

const answer = vi.fn<typeof fetch>()

beforeEach(() => {
  answer.mockReset()
  vi.stubGlobal('fetch', answer)
  localStorage.clear()
  currentToasts().forEach(({ id }) => dismissToast(id))
  storeUser({ key: 'ks_abc', role: { name: 'root' }, rootExists: true })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const refuse = (status: number, error: object) =>
  answer.mockResolvedValue(new Response(JSON.stringify({ error }), { status }))

const field = (label: Label) => screen.getByLabelText<HTMLInputElement>(label)

/** The error of a field as its description tells it; null when it has none. */
const errorOf = (label: Label) => {
  const control = field(label)
  if (control.getAttribute('aria-invalid') !== 'true') return null
  return document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent ?? ''
}
const errors = () => LABELS.map(errorOf)

let queryClient = new QueryClient()

function open() {
  queryClient = new QueryClient()
  const onClose = vi.fn<() => void>()
  render(
    <QueryClientProvider client={queryClient}>
      <ChangePasswordDialog email="op@shop.example" onClose={onClose} />
    </QueryClientProvider>,
  )
  return onClose
}

async function fill(current: string, next: string, confirmation: string) {
  const values = [current, next, confirmation]
  for (const [at, label] of LABELS.entries()) {
    const value = values[at] ?? ''
    if (value !== '') await userEvent.type(field(label), value)
  }
}

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Change password' }))
const toasts = () => currentToasts().map(({ tone, text }) => [tone, text])

describe('ChangePasswordDialog', () => {
  it.each([
    ['', '', '', ['Current password is required', 'Password is required', 'Please confirm your password']],
    ['', 'Secret-1!', 'Secret-1!', ['Current password is required', null, null]],
    ['old', 'secret', 'secret', [null, 'Password does not meet all requirements', null]],
    ['old', 'Ab1!', 'Ab1!', [null, 'Password must be at least 8 characters long', null]],
    ['old', 'Secret-1!', 'Secret-2!', [null, null, 'Passwords do not match']],
    ['old', '', 'Secret-1!', [null, 'Password is required', 'Passwords do not match']],
    ['old', 'Secret-1!', '', [null, null, 'Please confirm your password']],
  ])('shows each field its own error for %j, %j, %j and sends nothing', async (current, next, confirmation, texts) => {
    const onClose = open()
    await fill(current, next, confirmation)
    await submit()
    expect(errors()).toEqual(texts)
    expect(document.activeElement).toBe(field(LABELS[texts.findIndex((text) => text !== null)] ?? 'Current password'))
    expect(answer).not.toHaveBeenCalled()
    expect(onClose).not.toHaveBeenCalled()
  })

  it('forgets the error of a field that is edited, and of no other', async () => {
    open()
    await submit()
    await userEvent.type(field('New password'), 'x')
    expect(errors()).toEqual(['Current password is required', null, 'Please confirm your password'])
  })

  it('checks a field when it is left', async () => {
    open()
    await fill('old', 'Ab1!', 'Ab1')
    await userEvent.tab()
    expect(errors()).toEqual([null, 'Password must be at least 8 characters long', 'Passwords do not match'])
  })

  it('repeats a change whose answer was lost under the same key, as the current password may be another one by now', async () => {
    const onClose = open()
    await fill('old', 'Secret-1!', 'Secret-1!')
    answer.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    await submit()
    expect(await screen.findByText(/The server could not be reached/)).toBeDefined()
    answer.mockResolvedValue(Response.json({ message: 'Password changed successfully.' }))
    await submit()
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    const keys = answer.mock.calls.map(([, init]) => new Headers(init?.headers).get('Idempotency-Key'))
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  })

  it('shows and hides each password by its own switch', async () => {
    open()
    const switches = screen.getAllByRole('button', { name: 'Show password' })
    const shown = () => LABELS.map((label) => field(label).type === 'text')
    expect(shown()).toEqual([false, false, false])
    for (const [at, control] of switches.entries()) {
      await userEvent.click(control)
      expect(shown()).toEqual(LABELS.map((_, index) => index === at))
      await userEvent.click(control)
    }
  })

  it('ticks the criteria off as the new password is typed', async () => {
    open()
    const met = () => screen.getAllByRole('listitem').map((item) => item.textContent)
    await userEvent.type(field('Current password'), 'Secret-1!')
    expect(met().every((text) => text.endsWith('not met'))).toBe(true)
    await userEvent.type(field('New password'), 'aB')
    expect(met()).toEqual(['uppercasemet', 'lowercasemet', 'numbernot met', 'special characternot met'])
  })

  it('sends both passwords, says what the server says and closes', async () => {
    const message = 'Password changed successfully. Other devices were signed out.'
    answer.mockResolvedValue(Response.json({ message }))
    const onClose = open()
    await fill('Old-Secret1!', 'Secret-1!', 'Secret-1!')
    await submit()
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    const [url, request] = answer.mock.calls[0] ?? []
    expect(url).toMatch(/\/api\/v1\/member\/change-password$/)
    expect(request?.method).toBe('POST')
    expect(request?.body).toBe('{"oldPassword":"Old-Secret1!","password":"Secret-1!"}')
    expect(toasts()).toEqual([['success', message]])
  })

  it('lets the list of signed-in devices be read anew', async () => {
    answer.mockResolvedValue(Response.json({ message: 'Password changed successfully.' }))
    open()
    queryClient.setQueryData(sessionsQuery.queryKey, [])
    const isOld = () => queryClient.getQueryState(sessionsQuery.queryKey)?.isInvalidated
    expect(isOld()).toBe(false)
    await fill('Old-Secret1!', 'Secret-1!', 'Secret-1!')
    await submit()
    await waitFor(() => expect(isOld()).toBe(true))
  })

  it('takes the toast of a refusal away with the next try', async () => {
    const message = 'Current password is incorrect.'
    refuse(400, { code: 'CURRENT_PASSWORD_WRONG', message, fields: { oldPassword: message } })
    open()
    await fill('wrong', 'Secret-1!', 'Secret-1!')
    await submit()
    await waitFor(() => expect(toasts()).toEqual([['error', message]]))
    answer.mockResolvedValue(Response.json({ message: 'Password changed successfully.' }))
    await userEvent.type(field('Current password'), '!')
    await submit()
    await waitFor(() => expect(toasts()).toEqual([['success', 'Password changed successfully.']]))
  })

  it.each([
    ['CURRENT_PASSWORD_WRONG', 'oldPassword', 'Current password is incorrect.', 0],
    ['PASSWORD_UNCHANGED', 'password', 'The new password must differ from the current one.', 1],
  ])('tells %s as a toast and under the field it names, and stays open', async (code, name, message, at) => {
    refuse(400, { code, message, fields: { [name]: message } })
    const onClose = open()
    await fill('Old-Secret1!', 'Secret-1!', 'Secret-1!')
    await submit()
    await waitFor(() => expect(toasts()).toEqual([['error', message]]))
    expect(errors()).toEqual(LABELS.map((_, index) => (index === at ? message : null)))
    expect(LABELS.map((label) => field(label).value)).toEqual(['Old-Secret1!', 'Secret-1!', 'Secret-1!'])
    expect(onClose).not.toHaveBeenCalled()
    expect(storedUser()).toBeDefined()
  })

  it.each([
    [400, 'Bad Request: Invalid input.'],
    [500, 'An unexpected error occurred.'],
  ])('has a sentence for a %i without a message', async (status, text) => {
    refuse(status, { code: 'INVALID_JSON_DATA' })
    open()
    await fill('Old-Secret1!', 'Secret-1!', 'Secret-1!')
    await submit()
    expect((await screen.findByRole('alert')).textContent).toContain(text)
    expect(toasts()).toEqual([['error', text]])
  })

  it('counts down when passwords are tried too often', async () => {
    refuse(429, { code: 'SIGN_IN_THROTTLED', message: 'Too many attempts.', data: { seconds: 8 } })
    open()
    await fill('Old-Secret1!', 'Secret-1!', 'Secret-1!')
    await submit()
    const button = await screen.findByRole('button', { name: /^Try again in 8 s/ })
    expect(button.getAttribute('aria-disabled')).toBe('true')
  })
})
