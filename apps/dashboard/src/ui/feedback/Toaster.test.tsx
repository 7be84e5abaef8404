import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { currentToasts, dismissToast, toast } from './toast.ts'
import { Toaster } from './Toaster.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  currentToasts().forEach(({ id }) => dismissToast(id))
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('Toaster', () => {
  it('has its live regions before the first toast', () => {
    render(<Toaster />)
    expect(screen.getByRole('status', { hidden: true })).toBeDefined()
    expect(screen.getByRole('alert', { hidden: true })).toBeDefined()
  })

  it('closes a toast after 5000 ms, not before', () => {
    render(<Toaster />)
    act(() => void toast.success('Saved'))
    act(() => void vi.advanceTimersByTime(4999))
    expect(screen.queryByText('Saved')).not.toBeNull()
    act(() => void vi.advanceTimersByTime(1))
    expect(screen.queryByText('Saved')).toBeNull()
  })

  it('stops the clock while the pointer rests on a toast', () => {
    render(<Toaster />)
    act(() => void toast.error('Not saved'))
    const entry = screen.getByText('Not saved')
    fireEvent.pointerOver(entry)
    act(() => void vi.advanceTimersByTime(20_000))
    expect(screen.queryByText('Not saved')).not.toBeNull()
  })

  it('stands below the top bar and the head of a drawer', () => {
    const box = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect')
    box.mockImplementation(function (this: HTMLElement) {
      return this.hasAttribute('data-toasts-below') ? new DOMRect(0, 0, 400, 56) : new DOMRect(40, 16, 360, 50)
    })
    render(
      <>
        <header data-toasts-below />
        <Toaster />
      </>,
    )
    act(() => void toast.success('Saved'))
    const panel = screen.getByRole('status', { hidden: true }).parentElement
    expect(panel?.style.insetBlockStart).toBe('64px')
  })

  it('shows the same words once', () => {
    render(<Toaster />)
    act(() => ['a', 'b', 'a'].forEach((text) => toast.success(text)))
    expect(currentToasts().map(({ text }) => text)).toEqual(['a', 'b'])
  })

  it('keeps the three newest', () => {
    render(<Toaster />)
    act(() => ['a', 'b', 'c', 'd'].forEach((text) => toast.success(text)))
    expect(currentToasts().map(({ text }) => text)).toEqual(['d', 'c', 'b'])
  })
})
