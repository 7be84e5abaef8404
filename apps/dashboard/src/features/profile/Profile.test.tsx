import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../testing/answers.ts'
import { displayOfAccount } from '../../testing/account-display.ts'
import { renderWithDisplay } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { Profile } from './Profile.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
  delete document.documentElement.dataset.theme
})

function show(answers: Answers = {}) {
  const calls = stubServer({ 'GET /member/me': () => me(), ...answers })
  renderWithDisplay(<Profile />, '/settings/profile')
  return calls
}
// By label: among the hundreds of time zones a role is slow to find.
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name)
const save = async () => userEvent.click((await screen.findByText('Save profile')).closest('button') ?? document.body)

describe('Profile', () => {
  it('changes the name others see', async () => {
    const { secondFactor: _facts, permissions: _permissions, stepUp: _stepUp, sessionExpiresAt: _end, ...facts } = me()
    const calls = show({ 'PATCH /member/me': ({ body }) => ({ ...facts, secondFactor: false, ...(body as object) }) })
    expect((await field('Name')).value).toBe('Ada')
    await userEvent.type(await field('Username'), 'ada')
    await save()
    expect(await screen.findByText('Profile saved')).toBeDefined()
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ name: 'Ada', username: 'ada' })
  })

  it('says that a username is taken at its field, and keeps it', async () => {
    const taken = { fields: { username: 'This username is taken.' } }
    show({ 'PATCH /member/me': () => refusal(409, 'USERNAME_TAKEN', 'This username is taken.', taken) })
    await userEvent.type(await field('Username'), 'ada')
    await save()
    expect(await screen.findByText('This username is taken.')).toBeDefined()
    expect((await field('Username')).value).toBe('ada')
  })

  it('keeps how Kassa looks with the account, and shows it at once', async () => {
    const account = displayOfAccount()
    const calls = show(account.answers)
    expect((await screen.findByLabelText<HTMLSelectElement>('Language')).options).toHaveLength(1)
    await userEvent.selectOptions(screen.getByLabelText('Time zone'), 'Europe/Berlin')
    expect(screen.getByText(/UTC\+[12]\.$/)).toBeDefined()
    await userEvent.click(screen.getByLabelText(/Compact/))
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /^System/ }).checked).toBe(true)
    await userEvent.click(screen.getByLabelText('Dark'))
    expect(document.documentElement.dataset.theme).toBe('dark')
    await userEvent.click(screen.getByLabelText(/Single-key shortcuts/))
    await userEvent.click(screen.getByLabelText(/Setup guide/))
    const chosen = {
      timeZone: 'Europe/Berlin',
      density: 'compact',
      theme: 'dark',
      singleKeys: false,
      setupGuide: false,
    }
    await waitFor(() => expect(account.display()).toEqual(chosen))
    await userEvent.selectOptions(screen.getByLabelText('Time zone'), '')
    await waitFor(() => expect(account.display()).toEqual({ ...chosen, timeZone: 'system' }))
    expect(calls.filter(({ method }) => method === 'PATCH')).toHaveLength(6)
    expect(['timeZone', 'density', 'theme'].map((name) => localStorage.getItem(name))).toEqual([null, null, null])
  })

  it('shows how Kassa looks although the profile cannot be loaded', async () => {
    show({ 'GET /member/me': () => refusal(500, 'INTERNAL_ERROR', 'Something broke.') })
    expect(await screen.findByText('Your profile couldn’t be loaded')).toBeDefined()
    expect(screen.getByLabelText('Time zone')).toBeDefined()
  })
})
