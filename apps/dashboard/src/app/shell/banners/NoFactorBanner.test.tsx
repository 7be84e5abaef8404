import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { stubServer } from '../../../testing/stub-server.ts'
import { NoFactorBanner } from './NoFactorBanner.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

describe('no second factor where money needs one', () => {
  it('is shown to operators who may move money, with a link to add one', async () => {
    stubServer({ 'GET /member/me': () => me() })
    renderScreen(<NoFactorBanner />, '/project/7/dashboard')
    const add = await screen.findByRole('link', { name: 'Add a second factor' })
    expect(add.getAttribute('href')).toBe('/settings/security')
  })

  it('is not shown to operators who only read', async () => {
    stubServer({ 'GET /member/me': () => me('auditor') })
    renderScreen(
      <>
        <NoFactorBanner />
        <p>The page</p>
      </>,
      '/project/7/dashboard',
    )
    await screen.findByText('The page')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(screen.queryByText(/You have no second factor/)).toBeNull()
  })
})
