import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { useDebounced } from './useDebounced.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

it('reports a text only after typing has stopped', () => {
  const { result, rerender } = renderHook(useDebounced, { initialProps: '' })
  const pass = (ms: number) =>
    act(() => {
      vi.advanceTimersByTime(ms)
    })
  expect(result.current).toBe(true)
  rerender('2')
  pass(500)
  rerender('25')
  pass(500)
  expect(result.current).toBe(false)
  pass(100)
  expect(result.current).toBe(true)
})
