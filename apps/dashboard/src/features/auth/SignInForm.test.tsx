import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { storedUser } from '../../api/session.ts'
import { SignInForm, type SignInFormProps } from './SignInForm.tsx'
import { rememberTypedEmail } from './public-form/typed-email.ts'
import '../../testing/patient.ts'

const answer = vi.fn<typeof fetch>()

beforeEach(() => {
  answer.mockReset()
  vi.stubGlobal('fetch', answer)
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  rememberTypedEmail('')
  vi.unstubAllGlobals()
})

const refuse = (status: number, error: object) =>
  answer.mockResolvedValue(new Response(JSON.stringify({ error }), { status }))

async function signIn(email = 'op@shop.example', password = 'Secret-1!') {
  const onSignedIn = vi.fn<SignInFormProps['onSignedIn']>()
  render(<SignInForm onSignedIn={onSignedIn} />)
  if (email !== '') await userEvent.type(screen.getByRole('textbox', { name: 'E-mail' }), email)
  if (password !== '') await userEvent.type(screen.getByLabelText('Password'), password)
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  return onSignedIn
}

describe('SignInForm', () => {
  it('begins with the address that was typed before it was left', async () => {
    await signIn('nobody', '')
    cleanup()
    render(<SignInForm onSignedIn={() => undefined} />)
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'E-mail' }).value).toBe('nobody')
    await userEvent.type(screen.getByRole('textbox', { name: 'E-mail' }), '@shop')
    await userEvent.tab()
    expect(await screen.findByText('Enter a valid e-mail address')).toBeDefined()
  })

  it('asks for both fields and sends nothing', async () => {
    await signIn('', '')
    expect(screen.getByText('Email is required')).toBeDefined()
    expect(screen.getByText('Password is required')).toBeDefined()
    expect(answer).not.toHaveBeenCalled()
  })

  it('refuses what is no e-mail address, and forgets the text when it is edited', async () => {
    await signIn('nobody')
    expect(screen.getByText('Enter a valid e-mail address')).toBeDefined()
    await userEvent.type(screen.getByRole('textbox', { name: 'E-mail' }), '@shop.example')
    expect(screen.queryByText('Enter a valid e-mail address')).toBeNull()
  })

  it('moves no button from under a press: a field says what is wrong once the pointer is lifted', async () => {
    render(<SignInForm onSignedIn={() => undefined} />)
    const user = userEvent.setup()
    await user.type(screen.getByRole('textbox', { name: 'E-mail' }), 'nobody')
    await user.pointer({ keys: '[MouseLeft>]', target: screen.getByRole('heading') })
    expect(screen.queryByText('Enter a valid e-mail address')).toBeNull()
    await user.pointer({ keys: '[/MouseLeft]' })
    expect(await screen.findByText('Enter a valid e-mail address')).toBeDefined()
  })

  it('shows the server’s message and keeps what was typed', async () => {
    refuse(401, { code: 'INVALID_CREDENTIALS', message: 'E-mail or password is incorrect.' })
    const onSignedIn = await signIn()
    expect((await screen.findByRole('alert')).textContent).toContain('E-mail or password is incorrect.')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'E-mail' }).value).toBe('op@shop.example')
    expect(onSignedIn).not.toHaveBeenCalled()
  })

  it('says Bad Request for a 400 without a message', async () => {
    refuse(400, { code: 'INVALID_JSON_DATA' })
    await signIn()
    expect((await screen.findByRole('alert')).textContent).toContain('Bad Request: Invalid input.')
  })

  it('says that something unexpected happened for any other failure without a message', async () => {
    refuse(500, { code: 'INTERNAL_ERROR' })
    await signIn()
    expect((await screen.findByRole('alert')).textContent).toContain('An unexpected error occurred.')
  })

  it('says the same when the server cannot be reached', async () => {
    answer.mockRejectedValue(new TypeError('Failed to fetch'))
    await signIn()
    expect((await screen.findByRole('alert')).textContent).toContain('An unexpected error occurred.')
  })

  it('counts down when signing in is throttled', async () => {
    refuse(429, { code: 'SIGN_IN_THROTTLED', message: 'Too many attempts.', data: { seconds: 8 } })
    await signIn()
    expect((await screen.findByRole('alert')).textContent).toContain('Too many attempts.')
    expect(screen.getByRole('button', { name: /^Try again in 8 s/ }).getAttribute('aria-disabled')).toBe('true')
  })

  it('asks for the second factor on the same card, and says why a code is not taken', async () => {
    const asked = { challengeToken: 'token', methods: ['totp', 'backup'], expiresAt: AT }
    refuse(401, { code: 'SECOND_FACTOR_REQUIRED', message: 'Enter the code.', data: asked })
    const onSignedIn = await signIn()
    const code = await screen.findByRole('textbox', { name: 'Code of the authenticator app' })
    refuse(400, { code: 'SECOND_FACTOR_INVALID', message: 'No.', data: { reason: 'clock_behind', minutes: 5 } })
    await userEvent.type(code, '123456')
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText(/the clock of the phone is behind/)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Use a backup code' }))
    answer.mockResolvedValue(Response.json(SIGNED_IN))
    await userEvent.type(screen.getByRole('textbox', { name: 'Backup code' }), 'K7QM-2XWD-9FHT-BN4P')
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
    const sent = JSON.parse((answer.mock.calls.at(-1)?.[1]?.body as string | undefined) ?? '') as unknown
    expect(sent).toEqual({ challengeToken: 'token', method: 'backup', code: 'K7QM-2XWD-9FHT-BN4P' })
  })

  it('keeps the user in the shape of the specification', async () => {
    answer.mockResolvedValue(Response.json(SIGNED_IN))
    const onSignedIn = await signIn()
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
    expect(storedUser()).toEqual({ key: 'ks_abc', role: { name: 'root' }, rootExists: true })
  })
})

const AT = '2026-11-20T05:10:44.000Z'
const SIGNED_IN = {
  id: 41,
  createdAt: AT,
  updatedAt: AT,
  key: 'ks_abc',
  status: 'active',
  memberID: 1,
  member: {
    id: 1,
    createdAt: AT,
    updatedAt: AT,
    name: '',
    email: 'op@shop.example',
    customer_id: 'root',
    level: 0,
    group: 'vip-0',
    state: 'active',
    username: null,
    memberType: 'internal',
  },
  externalPlatformID: null,
  roleID: 1,
  role: {
    id: 1,
    createdAt: AT,
    updatedAt: AT,
    name: 'root',
    displayName: 'Root',
    permissions: [],
    members: null,
    description: '',
  },
  metadata: '',
  accessToken: 'ka_abc',
  refreshToken: 'kr_abc',
  expiresIn: 900,
  tokenType: 'Bearer',
  resetPasswordRequired: false,
  resetPasswordToken: null,
  expiresAt: AT,
  absoluteExpiresAt: AT,
  projects: [],
  secondFactor: { enrolled: false, methods: [], satisfied: false, setupRequired: false, requiredForMoney: false },
}
