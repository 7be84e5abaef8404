import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { LiveEvent } from '../../testing/LiveEvent.tsx'
import { me } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, stubServer } from '../../testing/stub-server.ts'
import { SecondFactors } from './SecondFactors.tsx'

// What opens over the page is loaded once; a busy machine takes its time.
beforeAll(async () => void (await import('./enrolment/TotpDialog.tsx')))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const factors = (change: object = {}) => ({
  enrolled: false,
  policy: 'optional',
  totp: false,
  passkeys: [],
  backupCodesLeft: 0,
  ...change,
})

function show(answers: Answers = {}) {
  let made = 0
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /member/me/sessions': () => [],
    'GET /member/me/second-factor': () => factors(),
    'POST /member/me/totp': () => {
      made += 1
      const secret = `SECRET${made}`
      const otpauthURI = `otpauth://totp/Kassa:ada?secret=${secret}`
      return { secret, otpauthURI, qrSvg: '<svg />', expiresAt: '2099-01-01T00:00:00.000Z' }
    },
    ...answers,
  })
  renderScreen(
    <>
      <SecondFactors />
      <LiveEvent />
    </>,
    '/settings/security',
  )
  return calls
}

async function openApp() {
  await userEvent.click(await screen.findByRole('button', { name: 'Add authenticator app' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add an authenticator app' }))
  await dialog.findByText('SECRET1')
  return dialog
}

describe('an authenticator app', () => {
  it('keeps the secret that is being scanned, whatever else is read again', async () => {
    const calls = show({ 'POST /member/me/totp/confirm': () => ({ backupCodes: ['K7QM-2XWD-9FHT-BN4P'] }) })
    const dialog = await openApp()
    screen.getByText('Live event').click()
    await userEvent.type(dialog.getByRole('textbox', { name: 'Code' }), '123456')
    expect(dialog.getByText('SECRET1')).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('K7QM-2XWD-9FHT-BN4P')).toBeDefined()
    expect(calls.filter(({ path }) => path === '/member/me/totp')).toHaveLength(1)
  })

  it('is shown once its dialog is closed although the answer to its code was lost', async () => {
    let isSet = false
    show({
      'GET /member/me/second-factor': () =>
        isSet ? factors({ enrolled: true, totp: true, backupCodesLeft: 10 }) : factors(),
      'POST /member/me/totp/confirm': () => {
        isSet = true
        return Promise.reject(new TypeError('down'))
      },
    })
    const dialog = await openApp()
    await userEvent.type(dialog.getByRole('textbox', { name: 'Code' }), '123456')
    await userEvent.click(dialog.getByRole('button', { name: 'Confirm' }))
    await dialog.findByText(/The server could not be reached/)
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByRole('button', { name: 'Remove app' })).toBeDefined()
    expect(await screen.findByRole('button', { name: 'Make new codes' })).toBeDefined()
  })
})
