import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me, project } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { stubServer } from '../../../testing/stub-server.ts'
import { ArchivedBanner } from './ArchivedBanner.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

describe('an archived project', () => {
  it('says what that means and can be restored', async () => {
    const calls = stubServer({
      'GET /member/me': () => me(),
      'POST /external-platform/7/restore': () => project(7, 'Acme'),
    })
    renderScreen(<ArchivedBanner project={{ id: 7, name: 'Acme' }} />, '/project/7/dashboard')
    expect(await screen.findByText(/Money that arrives is credited/)).toBeDefined()
    await userEvent.click(await screen.findByRole('button', { name: 'Restore' }))
    expect(await screen.findByText('Acme is back')).toBeDefined()
    expect(calls.some(({ path }) => path.endsWith('/restore'))).toBe(true)
  })
})
