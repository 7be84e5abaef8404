import { cleanup, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, expect, it, vi } from 'vitest'

import { lazyPart } from './lazy-part.ts'
import { Toaster } from './Toaster.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('leaves the page as it is while nobody answers, and comes once somebody does', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 })
  let isAnswering = false
  vi.stubGlobal('fetch', async () => {
    if (!isAnswering) throw new TypeError('Failed to fetch')
    return new Response('')
  })
  const Part = lazyPart(async () => {
    if (!isAnswering) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: () => <p>The palette</p> }
  })
  render(
    <>
      <input defaultValue="345" />
      <Suspense>
        <Part />
      </Suspense>
      <Toaster />
    </>,
  )
  expect(await screen.findByText('Kassa does not answer. This opens once it does.')).toBeDefined()
  expect(screen.getByDisplayValue('345')).toBeDefined()
  isAnswering = true
  expect(await screen.findByText('The palette', undefined, { timeout: 4_000 })).toBeDefined()
  expect(screen.getByDisplayValue('345')).toBeDefined()
})
