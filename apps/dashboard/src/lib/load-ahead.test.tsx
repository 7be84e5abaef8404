import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { isLoadedAhead, useLoadAhead } from './load-ahead.ts'
import { noteServed } from './served.ts'

const load = vi.fn<() => Promise<void>>(async () => undefined)

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  load.mockClear()
  noteServed(true)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('loads once the page stands and the browser is idle, not before', async () => {
  const idle: (() => void)[] = []
  vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act))
  renderHook(() => useLoadAhead(load))
  await vi.advanceTimersByTimeAsync(900)
  expect(idle).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(200)
  expect(load).not.toHaveBeenCalled()
  expect(isLoadedAhead(load)).toBe(false)
  for (const act of idle) act()
  await vi.advanceTimersByTimeAsync(0)
  expect(load).toHaveBeenCalledOnce()
  expect(isLoadedAhead(load)).toBe(true)
})

it('leaves it to whoever asks where nobody answers, data is saved or the page is left', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  noteServed(false)
  renderHook(() => useLoadAhead(load))
  await vi.advanceTimersByTimeAsync(2_000)
  noteServed(true)
  vi.stubGlobal('navigator', { onLine: true, connection: { saveData: true } })
  renderHook(() => useLoadAhead(load))
  await vi.advanceTimersByTimeAsync(2_000)
  vi.unstubAllGlobals()
  renderHook(() => useLoadAhead(load)).unmount()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(load).not.toHaveBeenCalled()
  renderHook(() => useLoadAhead(load))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(load).toHaveBeenCalledOnce()
})
