import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { storedUser } from '../../api/session.ts'
import { AT } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { deviceName } from '../../labels/people/device-name.ts'
import { SignedInDevices } from './SignedInDevices.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const session = (id: number, userAgent: string, current = false) => ({
  id,
  createdAt: AT,
  lastSeenAt: AT,
  ipAddress: '203.0.113.7',
  userAgent,
  current,
  factors: ['password'],
})
const HERE = session(1, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', true)
const THERE = session(
  2,
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1',
)

function show(answers: Answers) {
  const calls = stubServer({ 'GET /member/me/sessions': () => [HERE, THERE], ...answers })
  renderScreen(<SignedInDevices />, '/settings/security')
  return calls
}

describe('SignedInDevices', () => {
  it('names every device, marks this one, and signs out another', async () => {
    const calls = show({ 'DELETE /member/me/sessions/2': () => ({ message: 'ok' }) })
    const list = within(await screen.findByRole('list', { name: 'Signed-in devices' }))
    expect(list.getByText('Firefox on Linux')).toBeDefined()
    expect(list.getByText('This device')).toBeDefined()
    await userEvent.click(list.getByRole('button', { name: 'Sign out' }))
    expect(await screen.findByText('Signed out: Safari on iOS')).toBeDefined()
    expect(calls.some(({ method, path }) => method === 'DELETE' && path === '/member/me/sessions/2')).toBe(true)
  })

  it('says why a device could not be signed out', async () => {
    show({ 'DELETE /member/me/sessions/2': () => refusal(404, 'SESSION_NOT_FOUND', 'No such session.') })
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }))
    expect(await screen.findByText('No such session.')).toBeDefined()
  })

  it('signs out everywhere after asking', async () => {
    show({ 'POST /logout-all': () => ({ message: 'ok' }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
    expect(storedUser()).toBeDefined()
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Sign out everywhere' }))
    await vi.waitFor(() => expect(storedUser()).toBeUndefined())
  })
})

describe('deviceName', () => {
  it.each([
    [null, 'Unknown program'],
    ['curl/8.5.0', 'curl'],
    ['node', 'node'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0', 'Edge on Windows'],
    ['Mozilla/5.0 (Linux; Android 16) Chrome/142.0 Mobile Safari/537.36', 'Chrome on Android'],
  ])('reads %j', (text, name) => {
    expect(deviceName(text)).toBe(name)
  })
})
