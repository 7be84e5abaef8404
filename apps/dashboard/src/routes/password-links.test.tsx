import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { CreatePasswordRoute } from './create-password.tsx'
import { LoginRoute } from './login.tsx'
import { SetPasswordRoute } from './set-password.tsx'
import { storedUser } from '../api/session.ts'
import { renderScreen } from '../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../testing/stub-server.ts'
import { ForgotPasswordForm } from '../features/auth/ForgotPasswordForm.tsx'
import { rememberTypedEmail } from '../features/auth/public-form/typed-email.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
  rememberTypedEmail('')
})

const INVALID = () =>
  refusal(400, 'RESET_TOKEN_INVALID', 'This link has expired or was already used. Request a new one.')
const link = (change: object = {}) => ({
  purpose: 'reset',
  email: 'o…r@shop.example',
  expiresAt: '2026-11-20T10:00:00.000Z',
  inviter: null,
  projects: [],
  role: 'Root',
  ...change,
})

describe('ForgotPasswordForm (specification §7, §8)', () => {
  function show(answers: Answers) {
    const calls = stubServer(answers)
    renderScreen(<ForgotPasswordForm />, '/forgotPassword')
    return calls
  }
  async function ask(email: string) {
    if (email !== '') await userEvent.type(await screen.findByRole('textbox', { name: 'E-mail' }), email)
    await userEvent.click(await screen.findByRole('button', { name: 'Send link' }))
  }

  it('sends e-mail and origin, and says the same whether the address is known', async () => {
    const calls = show({ 'POST /member/forgot-password': () => ({ message: 'ok' }) })
    await ask('op@shop.example')
    expect(await screen.findByText(/If that e-mail has an account, a link is on its way/)).toBeDefined()
    expect(calls.at(-1)?.body).toEqual({ email: 'op@shop.example', url: window.location.origin })
    expect(screen.getByRole('button', { name: 'Send another link' })).toBeDefined()
  })

  const COMMAND = 'npm run password-link -- you@shop.example'

  it.each([
    ['mail can be sent', { mail: true }],
    ['the server does not say', {}],
  ])('asks for the address where %s', async (_where, answer) => {
    show({ 'GET /member/root/exist': () => ({ exist: true, ...answer }) })
    const field = await screen.findByRole('textbox', { name: 'E-mail' })
    expect(screen.getByText(/We send a link/)).toBeDefined()
    expect(screen.queryByText(COMMAND)).toBeNull()
    expect(document.activeElement).toBe(field)
  })

  it('begins with the address typed on the sign-in screen', async () => {
    rememberTypedEmail('op@shop.example')
    show({ 'GET /member/root/exist': () => ({ exist: true, mail: true }) })
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'E-mail' })).value).toBe('op@shop.example')
  })

  it.each([
    ['op@shop.example', 'npm run password-link -- op@shop.example'],
    ['op@shop.example;reboot', COMMAND],
  ])('puts %s into the command only where a shell needs no quoting', async (email, command) => {
    rememberTypedEmail(email)
    show({ 'GET /member/root/exist': () => ({ exist: true, mail: false }) })
    expect(await screen.findByText(command)).toBeDefined()
  })

  it('offers no link that would not come, but what the owner does', async () => {
    show({ 'GET /member/root/exist': () => ({ exist: true, mail: false }) })
    expect(await screen.findByText(/^This server cannot send e-mail yet\./)).toBeDefined()
    expect(screen.getByText(COMMAND)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Copy command' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Back to sign in' })).toBeDefined()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Send link' })).toBeNull()
  })

  it('says the same where mail was switched off while the page was open', async () => {
    let mail = true
    show({
      'GET /member/root/exist': () => ({ exist: true, mail }),
      'POST /member/forgot-password': () => refusal(503, 'SMTP_NOT_CONFIGURED', 'No.'),
    })
    await screen.findByRole('textbox', { name: 'E-mail' })
    mail = false
    await ask('op@shop.example')
    expect(await screen.findByText(COMMAND)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Send link' })).toBeNull()
  })

  it('shows no field before it is known whether there is one', async () => {
    show({ 'GET /member/root/exist': () => new Promise(() => undefined) })
    expect(await screen.findByRole('heading', { name: 'Forgot password' })).toBeDefined()
    await screen.findByText('Loading')
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('asks for an address and sends nothing without one', async () => {
    const calls = show({})
    await ask('')
    expect(await screen.findByText('Email is required')).toBeDefined()
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('shows error.details and keeps what was typed', async () => {
    const details = 'This server cannot send e-mail yet. Make a link with: npm run password-link -- you@shop.example'
    show({ 'POST /member/forgot-password': () => refusal(503, 'SMTP_NOT_CONFIGURED', 'No.', { details }) })
    await ask('op@shop.example')
    expect(await screen.findByText(details, { exact: false })).toBeDefined()
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'E-mail' }).value).toBe('op@shop.example')
  })
})

describe('the screens of a link (specification §2)', () => {
  const fill = async (password: string, confirmation = password) => {
    await userEvent.type(await screen.findByLabelText('New password'), password)
    await userEvent.type(screen.getByLabelText('Confirm password'), confirmation)
    await userEvent.click(screen.getByRole('button', { name: 'Save password' }))
  }

  it('takes the token out of the address, says whose account it is, and leads to sign-in', async () => {
    const calls = stubServer({
      'POST /member/password-token': () => link(),
      'POST /member/reset-password': () => ({ message: 'Password changed. Sign in with the new password.' }),
    })
    const history = renderScreen(<CreatePasswordRoute />, '/createPassword?resetPasswordToken=abc')
    expect(await screen.findByText('For the account o…r@shop.example.')).toBeDefined()
    expect(history.location.href).toBe('/createPassword')
    await fill('Correct.Horse9')
    await vi.waitFor(() => expect(history.location.href).toBe('/login?reason=password'))
    expect(calls.find(({ path }) => path === '/member/reset-password')?.body).toEqual({
      password: 'Correct.Horse9',
      resetPasswordToken: 'abc',
    })
  })

  it('signs out whoever was signed in on the device: the password may be of another account', async () => {
    const calls = stubServer({
      'POST /member/password-token': () => link({ purpose: 'invite', inviter: 'Ada' }),
      'POST /member/reset-password': () => ({ message: 'Password changed.' }),
    })
    const history = renderScreen(<SetPasswordRoute />, '/setPassword?resetPasswordToken=abc')
    expect(storedUser()).toBeDefined()
    await fill('Correct.Horse9')
    await vi.waitFor(() => expect(history.location.href).toBe('/login?reason=chosen'))
    expect(calls.map(({ path }) => path)).toContain('/logout')
    expect(storedUser()).toBeUndefined()
  })

  it.each([
    ['chosen', 'Your password is saved. Sign in with it.'],
    ['password', 'Password changed. Sign in with the new password.'],
  ])('says at sign-in (%s) what to do with the password: a first one has changed nothing', async (reason, text) => {
    stubServer({ 'GET /member/root/exist': () => ({ exist: true, mail: true }) })
    renderScreen(<LoginRoute />, `/login?reason=${reason}`)
    expect(await screen.findByText(text)).toBeDefined()
  })

  it('says how long a password must be before anything was refused', async () => {
    stubServer({ 'POST /member/password-token': () => link() })
    renderScreen(<CreatePasswordRoute />, '/createPassword?resetPasswordToken=abc')
    const field = await screen.findByLabelText('New password')
    const note = document.getElementById(field.getAttribute('aria-describedby') ?? '')
    expect(note?.textContent).toBe('At least 8 characters.')
  })

  it('says who invites to what', async () => {
    stubServer({
      'POST /member/password-token': () =>
        link({ purpose: 'invite', inviter: 'Ada', role: 'Project Lead', projects: ['Shop', 'Bar'] }),
    })
    renderScreen(<SetPasswordRoute />, '/setPassword?resetPasswordToken=abc')
    expect(await screen.findByText('Ada invited o…r@shop.example as Project Lead in Shop, Bar.')).toBeDefined()
  })

  it.each([
    ['', '', ['Password is required', 'Please confirm your password']],
    ['weak', 'weak', ['Password does not meet all requirements']],
    ['Sh.rt1', 'Sh.rt1', ['Password must be at least 8 characters long']],
    ['Correct.Horse9', 'Correct.Horse8', ['Passwords do not match']],
  ])('refuses %j with %j at its field and sends nothing (specification §5)', async (password, confirmation, texts) => {
    const calls = stubServer({ 'POST /member/password-token': () => link() })
    renderScreen(<CreatePasswordRoute />, '/createPassword?resetPasswordToken=abc')
    await screen.findByLabelText('New password')
    if (password !== '') await userEvent.type(screen.getByLabelText('New password'), password)
    if (confirmation !== '') await userEvent.type(screen.getByLabelText('Confirm password'), confirmation)
    await userEvent.click(screen.getByRole('button', { name: 'Save password' }))
    for (const text of texts) expect(await screen.findByText(text)).toBeDefined()
    expect(calls.map(({ path }) => path)).toEqual(['/member/password-token'])
  })

  it.each([
    ['a dead link', '/createPassword?resetPasswordToken=abc'],
    ['no link', '/createPassword'],
  ])('offers a new link for %s', async (_what, address) => {
    stubServer({ 'POST /member/password-token': INVALID })
    renderScreen(<CreatePasswordRoute />, address)
    expect((await screen.findByRole('link', { name: 'Send a new link' })).getAttribute('href')).toBe('/forgotPassword')
  })

  it('sends who was invited to who invited them: nobody without a password is mailed a link for a forgotten one', async () => {
    stubServer({ 'POST /member/password-token': INVALID })
    renderScreen(<SetPasswordRoute />, '/setPassword?resetPasswordToken=abc')
    expect(await screen.findByText(/Ask who invited you for another one/)).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Send a new link' })).toBeNull()
    cleanup()
    stubServer({
      'POST /member/password-token': () => link({ purpose: 'invite' }),
      'POST /member/reset-password': INVALID,
    })
    renderScreen(<SetPasswordRoute />, '/setPassword?resetPasswordToken=abc')
    await fill('Correct.Horse9')
    expect(await screen.findByText(/Ask who invited you for another one/)).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Send a new link' })).toBeNull()
  })

  it('shows error.details of a link that expired meanwhile, and keeps the typed text', async () => {
    stubServer({ 'POST /member/password-token': () => link(), 'POST /member/reset-password': INVALID })
    renderScreen(<CreatePasswordRoute />, '/createPassword?resetPasswordToken=abc')
    await fill('Correct.Horse9')
    expect(await screen.findByText('This link has expired or was already used.', { exact: false })).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('Correct.Horse9')
    expect(screen.getByRole('link', { name: 'Send a new link' })).toBeDefined()
  })

  it('offers no new link when the link is not what failed', async () => {
    const down = () => refusal(503, 'SERVICE_UNAVAILABLE', 'The database does not answer.')
    stubServer({ 'POST /member/password-token': () => link(), 'POST /member/reset-password': down })
    renderScreen(<CreatePasswordRoute />, '/createPassword?resetPasswordToken=abc')
    await fill('Correct.Horse9')
    expect(await screen.findByText('The database does not answer.')).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Send a new link' })).toBeNull()
  })

  it('tries again when the server cannot be reached', async () => {
    let isUp = false
    stubServer({ 'POST /member/password-token': () => (isUp ? link() : Promise.reject(new TypeError('down'))) })
    renderScreen(<CreatePasswordRoute />, '/createPassword?resetPasswordToken=abc')
    const again = await screen.findByRole('button', { name: 'Try again' })
    isUp = true
    await userEvent.click(again)
    expect(await screen.findByText('For the account o…r@shop.example.')).toBeDefined()
  })
})
