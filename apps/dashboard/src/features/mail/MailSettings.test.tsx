import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AT, me, sandboxConfiguration } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { MailSettings } from './MailSettings.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const server = (change: object = {}) => ({
  host: 'smtp.shop.example',
  port: 587,
  username: 'kassa',
  password: null,
  passwordSet: true,
  encryption: 'starttls',
  from: 'k@shop.example',
  fromName: 'Shop',
  replyTo: null,
  verifiedAt: null,
  updatedAt: AT,
  ...change,
})

function show(answers: Answers) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /configuration/default': () => ({
      ...sandboxConfiguration,
      features: { ...sandboxConfiguration.features, smtp: 'GET /config/smtp' in answers },
    }),
    ...answers,
  })
  renderScreen(<MailSettings />, '/settings/email')
  return calls
}
const type = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, text)
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('MailSettings', () => {
  it('can be tried by administrators, who may not change it', async () => {
    const permissions = { install: ['settings:read', 'settings:write'], projects: {} }
    const calls = show({
      'GET /member/me': () => ({ ...me(), permissions }),
      'GET /config/smtp': () => server(),
      'POST /config/smtp/test': () => ({ success: true, message: 'Sent', transcript: [] }),
    })
    await press('Send test e-mail')
    expect(await screen.findByText('Sent')).toBeDefined()
    expect(calls.find(({ path }) => path === '/config/smtp/test')?.body).toEqual({})
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })

  it('says which e-mails are not sent where they are not even kept', async () => {
    show({
      'GET /configuration/default': () => ({
        ...sandboxConfiguration,
        features: { ...sandboxConfiguration.features, sandbox: false, smtp: false },
      }),
    })
    expect(await screen.findByText(/Customers are not reminded of open links\./)).toBeDefined()
    expect(screen.queryByRole('link', { name: 'it keeps what it would have sent' })).toBeNull()
  })

  it('says what is not sent without a mail server, and saves a first one', async () => {
    const calls = show({ 'PUT /config/smtp': () => server() })
    expect(await screen.findByText(/No mail server is set/)).toBeDefined()
    const letters = await screen.findByRole('link', { name: 'it keeps what it would have sent' })
    expect(letters.getAttribute('href')).toBe('/sandbox/mail')
    expect(calls.some(({ path }) => path === '/config/smtp')).toBe(false)
    await type('Host', 'smtp.shop.example')
    await type('User name', 'kassa')
    await type('Password', 'secret-1')
    await type('From', 'k@shop.example')
    await press('Save')
    expect(await screen.findByText('Mail server saved')).toBeDefined()
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      host: 'smtp.shop.example',
      port: 465,
      encryption: 'tls',
      username: 'kassa',
      password: 'secret-1',
      from: 'k@shop.example',
      fromName: '',
      replyTo: '',
    })
  })

  it('keeps a stored password that is not typed, and moves the usual port along', async () => {
    const calls = show({ 'GET /config/smtp': () => server(), 'PUT /config/smtp': () => server({ port: 465 }) })
    expect(await screen.findByText('Saved. Type another one to replace it.')).toBeDefined()
    await userEvent.selectOptions(screen.getByLabelText('Encryption'), 'tls')
    expect(screen.getByLabelText<HTMLInputElement>('Port').value).toBe('465')
    await press('Save')
    await screen.findByText('Mail server saved')
    const sent = calls.find(({ method }) => method === 'PUT')?.body
    expect(sent).toMatchObject({ port: 465, encryption: 'tls' })
    expect(sent).not.toHaveProperty('password')
  })

  it('names each field that fails and sends nothing', async () => {
    const calls = show({})
    await press('Save')
    expect(await screen.findByText('Host is required')).toBeDefined()
    expect(screen.getByText('Sender is required')).toBeDefined()
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false)
  })

  it('tries the form without saving, and shows what was said', async () => {
    const calls = show({
      'GET /config/smtp': () => server(),
      'POST /config/smtp/test': () => ({
        success: false,
        message: 'The mail server did not accept user name and password.',
        transcript: ['S: 220 ready', 'C: EHLO kassa', 'S: 535 no'],
      }),
    })
    await type('Password', 'another')
    await press('Send test e-mail')
    expect(await screen.findByText('The mail server did not accept user name and password.')).toBeDefined()
    expect(screen.getByRole('group', { name: 'transcript' }).textContent).toContain('S: 535 no')
    expect(calls.find(({ path }) => path.endsWith('/test'))?.body).toMatchObject({ password: 'another' })
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false)
  })

  it('keeps what is typed, and what a test said, when a mail goes out beside it', async () => {
    let verifiedAt: string | null = null
    show({
      'GET /config/smtp': () => server({ verifiedAt }),
      'POST /config/smtp/test': () => {
        verifiedAt = AT
        return { success: true, message: 'The mail server took the mail.', transcript: [] }
      },
    })
    await type('Host', 'smtp2.shop.example')
    await press('Send test e-mail')
    expect(await screen.findByText(/^The mail server took a mail of ours/)).toBeDefined()
    expect(screen.getByText('The mail server took the mail.')).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('Host').value).toBe('smtp2.shop.example')
  })

  it('takes in what another operator saved meanwhile, keeps what was typed, and says so', async () => {
    let stored = server()
    const calls = show({
      'GET /config/smtp': () => stored,
      'POST /config/smtp/test': () => ({ success: true, message: 'The mail server took the mail.', transcript: [] }),
      'PUT /config/smtp': ({ body }) => {
        const { password, ...typed } = body as ReturnType<typeof server>
        return (stored = server({ ...typed, passwordSet: password !== undefined }))
      },
    })
    await type('From name', 'Till')
    await type('Password', 'another')
    stored = server({ host: 'smtp2.shop.example' })
    await press('Send test e-mail')
    expect(await screen.findByDisplayValue('smtp2.shop.example')).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('From name').value).toBe('Till')
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('another')
    expect(screen.getByText(/^Somebody else changed the mail server meanwhile\./)).toBeDefined()
    await press('Save')
    expect(await screen.findByText('Mail server saved')).toBeDefined()
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      host: 'smtp2.shop.example',
      fromName: 'Till',
      password: 'another',
    })
    await waitFor(() => expect(screen.queryByText(/^Somebody else changed/)).toBeNull())
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('')
  })

  it('takes in what another operator saved while a save was under way that is refused for it', async () => {
    let stored = server()
    const calls = show({
      'GET /config/smtp': () => stored,
      'PUT /config/smtp': () => {
        stored = server({ host: 'smtp2.shop.example' })
        return refusal(409, 'EDIT_CONFLICT', 'Someone else changed this. Reload and try again.')
      },
    })
    await type('From name', 'Till')
    await press('Save')
    expect(await screen.findByText('Someone else changed this. Reload and try again.')).toBeDefined()
    expect(calls.find(({ method }) => method === 'PUT')?.since).toBe(new Date(AT).toISOString())
    expect(screen.getByLabelText<HTMLInputElement>('Host').value).toBe('smtp2.shop.example')
    expect(screen.getByLabelText<HTMLInputElement>('From name').value).toBe('Till')
    expect(screen.getByText(/^Somebody else changed the mail server meanwhile\./)).toBeDefined()
  })

  it('keeps what is typed while a save is under way', async () => {
    const answer = Promise.withResolvers<object>()
    show({ 'GET /config/smtp': () => server(), 'PUT /config/smtp': () => answer.promise })
    await type('Password', 'another')
    await press('Save')
    await type('From name', 'Till')
    answer.resolve(server())
    expect(await screen.findByText('Mail server saved')).toBeDefined()
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe(''))
    expect(screen.getByLabelText<HTMLInputElement>('From name').value).toBe('Till')
    expect(screen.queryByText(/^Somebody else changed/)).toBeNull()
  })

  it('keeps no password in its field once it is saved', async () => {
    show({ 'GET /config/smtp': () => server(), 'PUT /config/smtp': () => server() })
    await type('Password', 'another')
    await press('Save')
    expect(await screen.findByText('Mail server saved')).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('')
  })

  it('says above the form what the server refuses', async () => {
    show({
      'GET /config/smtp': () => server(),
      'PUT /config/smtp': () => refusal(400, 'EGRESS_NOT_ALLOWED', '10.0.0.5 is a private address.'),
    })
    await type('Host', '10.0.0.5')
    await press('Save')
    expect(await screen.findByText('10.0.0.5 is a private address.', { exact: false })).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('Host').value).toBe('10.0.0.5')
  })

  it('asks before it forgets the server', async () => {
    const calls = show({
      'GET /config/smtp': () => server(),
      'DELETE /config/smtp': () => ({ message: 'removed' }),
    })
    await type('From name', 'Till')
    await press('Remove')
    expect(await screen.findByText(/the password for smtp.shop.example is forgotten/)).toBeDefined()
    await userEvent.click(screen.getAllByRole('button', { name: 'Remove' }).at(-1) ?? document.body)
    expect(await screen.findByText(/No mail server is set/)).toBeDefined()
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(true)
    expect(screen.getByLabelText<HTMLInputElement>('From name').value).toBe('')
    expect(screen.queryByText(/^Somebody else changed/)).toBeNull()
  })

  it('tries again when it cannot be loaded', async () => {
    let isUp = false
    show({ 'GET /config/smtp': () => (isUp ? server() : refusal(500, 'INTERNAL', 'Something broke.')) })
    const again = await screen.findByRole('button', { name: 'Try again' })
    isUp = true
    await userEvent.click(again)
    expect(await screen.findByDisplayValue('smtp.shop.example')).toBeDefined()
  })
})
