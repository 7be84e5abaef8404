import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { renderScreen } from '../../../testing/render-screen.tsx'
import { NewVersionBanner } from './NewVersionBanner.tsx'

const page = (program: string) => `<!doctype html><head><script type="module" src="${program}"></script></head>`

function serve(answer: () => Promise<Response>) {
  vi.stubGlobal('fetch', vi.fn<() => Promise<Response>>(answer))
  renderScreen(
    <>
      <NewVersionBanner />
      <p>The page</p>
    </>,
    '/project/7/dashboard',
  )
  return screen.findByText('The page')
}

beforeEach(() => {
  const running = document.createElement('script')
  running.type = 'module'
  running.setAttribute('src', '/assets/index-old.js')
  document.head.append(running)
})
afterEach(() => {
  cleanup()
  document.head.querySelector('script')?.remove()
  vi.unstubAllGlobals()
  localStorage.clear()
})

describe('a new version', () => {
  it('is announced when the server serves another build, and a press loads it', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
    await serve(async () => new Response(page('/assets/index-new.js')))
    expect(await screen.findByText('A new version is ready.')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }))
    expect(reload).toHaveBeenCalledOnce()
  })

  it.each([
    ['the same program', async () => new Response(page('/assets/index-old.js'))],
    ['a page that is no dashboard', async () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('is not shown for %s', async (_name, answer) => {
    await serve(answer)
    await vi.waitFor(() => expect(fetch).toHaveBeenCalled())
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(screen.queryByText('A new version is ready.')).toBeNull()
  })
})
