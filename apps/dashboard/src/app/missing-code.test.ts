import { afterEach, describe, expect, it, vi } from 'vitest'

import { reloadOnMissingCode } from './missing-code.ts'

reloadOnMissingCode()

const fail = async (file: string) => {
  const payload = new Error(`Failed to fetch dynamically imported module: ${file}`)
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }))
  await new Promise((resolve) => setTimeout(resolve))
}

afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

describe('code that is missing', () => {
  it('loads the page once for each file', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
    vi.stubGlobal('fetch', async () => new Response(''))
    await fail('/assets/Palette-1.js')
    await fail('/assets/Palette-1.js')
    expect(reload).toHaveBeenCalledTimes(1)
    await fail('/assets/Palette-2.js')
    expect(reload).toHaveBeenCalledTimes(2)
  })

  it('leaves the page alone while no server answers', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await fail('/assets/Palette-3.js')
    expect(reload).not.toHaveBeenCalled()
    await vi.waitFor(() => expect(sessionStorage).toHaveLength(0), 3000)
    vi.stubGlobal('fetch', async () => new Response(''))
    await fail('/assets/Palette-3.js')
    expect(reload).toHaveBeenCalledOnce()
  })

  it('leaves the page alone while a proxy answers for the server', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
    vi.stubGlobal('fetch', async () => new Response('Bad gateway', { status: 502 }))
    await fail('/assets/Palette-4.js')
    expect(reload).not.toHaveBeenCalled()
  })

  it('does not take turns with the router, which leaves the page at once', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => undefined))
    await fail('/assets/system-health-1.js')
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
    vi.stubGlobal('fetch', async () => new Response(''))
    await fail('/assets/system-health-1.js')
    expect(reload).not.toHaveBeenCalled()
  })
})
