import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, Suspense } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { noteConnection } from '../../lib/loading/server-reachable.ts'
import { Toaster } from '../feedback/Toaster.tsx'
import { lazyLayer, lazyPart } from './lazy-load.ts'
import '../../testing/patient.ts'

afterEach(() => {
  cleanup()
  noteConnection(true)
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

it('requests no code while the server does not answer, says so, and loads once it does', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 })
  let isAnswering = false
  vi.stubGlobal('fetch', async () => {
    if (!isAnswering) throw new TypeError('Failed to fetch')
    return new Response('')
  })
  noteConnection(false)
  const load = vi.fn<Load>(async () => ({ default: () => <p>The palette</p> }))
  const Part = lazyPart(load)
  show(<Part />)
  expect(await screen.findByText('Kassa does not answer. This opens once it does.')).toBeDefined()
  // Some browsers would remember it as missing.
  expect(load).not.toHaveBeenCalled()
  isAnswering = true
  expect(await screen.findByText('The palette', undefined, { timeout: 4_000 })).toBeDefined()
  expect(load).toHaveBeenCalledOnce()
  expect(screen.getByDisplayValue('345')).toBeDefined()
})

it('makes no prior request where the server is known to answer', async () => {
  const ask = vi.fn<typeof fetch>()
  vi.stubGlobal('fetch', ask)
  const Part = lazyPart(async () => ({ default: () => <p>The palette</p> }))
  show(<Part />)
  expect(await screen.findByText('The palette')).toBeDefined()
  expect(ask).not.toHaveBeenCalled()
})

/** The server does not answer until the test says so, and the live connection has not noticed. */
function serve(isAnswering: boolean) {
  const server = { isAnswering }
  vi.stubGlobal('fetch', async () => new Response('', { status: server.isAnswering ? 200 : 502 }))
  return server
}

it('waits also where the outage was not noticed yet, and asks once more', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 })
  const server = serve(false)
  const load = vi.fn<Load>(async () => {
    if (!server.isAnswering) throw new TypeError('Failed to fetch')
    return { default: () => <p>The palette</p> }
  })
  const Part = lazyPart(load)
  show(<Part />)
  expect(await screen.findByText('Kassa does not answer. This opens once it does.')).toBeDefined()
  expect(screen.queryByText('This could not be loaded')).toBeNull()
  server.isAnswering = true
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await screen.findByText('The palette')).toBeDefined()
  expect(load).toHaveBeenCalledTimes(2)
})

it('says that code is missing where the browser remembers so, but only once the server answers', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 })
  const server = serve(false)
  const Part = lazyPart<object>(missing)
  show(<Part />)
  await screen.findByText('Kassa does not answer. This opens once it does.')
  await vi.advanceTimersByTimeAsync(7_000)
  expect(screen.queryByText('This could not be loaded')).toBeNull()
  server.isAnswering = true
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await screen.findByText('This could not be loaded')).toBeDefined()
})

it('leaves the page as it is where code is missing, and reloads when a person says so', async () => {
  serve(true)
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
  const onClose = vi.fn<() => void>()
  const Layer = lazyLayer<{ onClose: () => void }>(missing)
  show(<Layer onClose={onClose} />)
  expect(await screen.findByRole('dialog', { name: 'This could not be loaded' })).toBeDefined()
  expect(screen.getByDisplayValue('345')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Stay here' }))
  expect(onClose).toHaveBeenCalledOnce()
  expect(reload).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }))
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
})

it('says in its place that a part of the page is missing', async () => {
  serve(true)
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
  const Part = lazyPart<object>(missing)
  show(<Part />)
  expect((await screen.findByRole('alert', { name: '' })).textContent).toContain('This could not be loaded')
  expect(reload).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }))
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
})

it.each([
  ['a part of the page', () => lazyPart<object>(missing)],
  ['what opens over it', () => lazyLayer<{ onClose: () => void }>(missing)],
])('reloads only where the server answers: %s', async (_name, lazily) => {
  const server = serve(true)
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
  const Part = lazily()
  show(<Part onClose={() => undefined} />)
  const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Reload the page' }))
  await screen.findByText('This could not be loaded')
  server.isAnswering = false
  await press()
  expect(await screen.findByText('Kassa does not answer. Try again in a moment.')).toBeDefined()
  expect(reload).not.toHaveBeenCalled()
  server.isAnswering = true
  await press()
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
})
