import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, Suspense } from 'react'
import { afterEach, expect, it, vi } from 'vitest'

import { noteServed } from '../lib/served.ts'
import { lazyLayer, lazyPart } from './lazy-part.ts'
import { Toaster } from './Toaster.tsx'

afterEach(() => {
  cleanup()
  noteServed(true)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A page with something typed into it. */
function show(part: ReactNode) {
  render(
    <>
      <input defaultValue="345" />
      <Suspense>{part}</Suspense>
      <Toaster />
    </>,
  )
}
type Load = () => Promise<{ default: () => ReactNode }>

const missing = async () => {
  throw new TypeError('Failed to fetch dynamically imported module')
}

it('asks for no code while nobody answers, says so, and comes once somebody does', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 })
  let isAnswering = false
  vi.stubGlobal('fetch', async () => {
    if (!isAnswering) throw new TypeError('Failed to fetch')
    return new Response('')
  })
  noteServed(false)
  const load = vi.fn<Load>(async () => ({ default: () => <p>The palette</p> }))
  const Part = lazyPart(load)
  show(<Part />)
  expect(await screen.findByText('Kassa does not answer. This opens once it does.')).toBeDefined()
  // A browser would remember it as missing.
  expect(load).not.toHaveBeenCalled()
  isAnswering = true
  expect(await screen.findByText('The palette', undefined, { timeout: 4_000 })).toBeDefined()
  expect(load).toHaveBeenCalledOnce()
  expect(screen.getByDisplayValue('345')).toBeDefined()
})

it('asks nobody beforehand where nothing is in doubt', async () => {
  const ask = vi.fn<typeof fetch>()
  vi.stubGlobal('fetch', ask)
  const Part = lazyPart(async () => ({ default: () => <p>The palette</p> }))
  show(<Part />)
  expect(await screen.findByText('The palette')).toBeDefined()
  expect(ask).not.toHaveBeenCalled()
})

it('leaves the page as it is where code is missing, and reloads when a person says so', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
  const onClose = vi.fn<() => void>()
  const Layer = lazyLayer<{ onClose: () => void }>(missing)
  show(<Layer onClose={onClose} />)
  expect(await screen.findByRole('dialog', { name: 'This could not be loaded' })).toBeDefined()
  expect(screen.getByDisplayValue('345')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Stay on this page' }))
  expect(onClose).toHaveBeenCalledOnce()
  expect(reload).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }))
  expect(reload).toHaveBeenCalledOnce()
})

it('says in its place that a part of the page is missing', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
  const Part = lazyPart<object>(missing)
  show(<Part />)
  expect((await screen.findByRole('alert', { name: '' })).textContent).toContain('This could not be loaded')
  expect(reload).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }))
  expect(reload).toHaveBeenCalledOnce()
})
