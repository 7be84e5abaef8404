import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { stubServer } from '../../testing/stub-server.ts'
import { IdleDialog } from './IdleDialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  localStorage.clear()
})

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

describe('IdleDialog', () => {
  it('warns before the session ends, and keeps it when asked to', async () => {
    let endsAt = inSeconds(90)
    const calls = stubServer({ 'GET /member/me': () => ({ ...me(), sessionExpiresAt: endsAt }) })
    renderScreen(<IdleDialog />, '/settings')
    expect((await screen.findByText(/You’ll be signed out in/)).textContent).toMatch(/in 1:(2\d|3[01])\.$/)
    endsAt = inSeconds(7200)
    await userEvent.click(screen.getByRole('button', { name: 'Stay signed in' }))
    await vi.waitFor(() => expect(screen.queryByText(/You’ll be signed out in/)).toBeNull())
    expect(calls).toHaveLength(2)
  })

  it('leads to the way out', async () => {
    stubServer({ 'GET /member/me': () => ({ ...me(), sessionExpiresAt: inSeconds(60) }) })
    const history = renderScreen(<IdleDialog />, '/settings')
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out now' }))
    expect(history.location.href).toBe('/logout')
  })

  it('asks the server once the time is up', async () => {
    const calls = stubServer({ 'GET /member/me': () => ({ ...me(), sessionExpiresAt: inSeconds(1) }) })
    renderScreen(<IdleDialog />, '/settings')
    await screen.findByText(/You’ll be signed out in/)
    await act(() => vi.waitFor(() => expect(calls.length).toBeGreaterThan(1), { timeout: 4_000 }))
  })
})
