import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { isPrefetched, usePrefetch } from './prefetch.ts'
import { noteConnection } from './server-reachable.ts'

const load = vi.fn<() => Promise<void>>(async () => undefined)

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  load.mockClear()
  noteConnection(true)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('loads once the page stands and the browser is idle, not before', async () => {
  const idle: (() => void)[] = []
  vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act))
  renderHook(() => usePrefetch(load))
  await vi.advanceTimersByTimeAsync(900)
  expect(idle).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(200)
  expect(load).not.toHaveBeenCalled()
  expect(isPrefetched(load)).toBe(false)
  for (const act of idle) act()
  await vi.advanceTimersByTimeAsync(0)
  expect(load).toHaveBeenCalledOnce()
  expect(isPrefetched(load)).toBe(true)
})

it('leaves loading to the caller where the server does not answer, data is saved or the page is left', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  noteConnection(false)
  renderHook(() => usePrefetch(load))
  await vi.advanceTimersByTimeAsync(2_000)
  noteConnection(true)
  vi.stubGlobal('navigator', { onLine: true, connection: { saveData: true } })
  renderHook(() => usePrefetch(load))
  await vi.advanceTimersByTimeAsync(2_000)
  vi.unstubAllGlobals()
  renderHook(() => usePrefetch(load)).unmount()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(load).not.toHaveBeenCalled()
  renderHook(() => usePrefetch(load))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(load).toHaveBeenCalledOnce()
})
