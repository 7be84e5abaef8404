import { afterEach, describe, expect, it, vi } from 'vitest'

import { keepScrollbarWidth } from './scrollbar.ts'

const measured = () => document.documentElement.style.getPropertyValue('--scrollbar')

afterEach(() => document.documentElement.style.removeProperty('--scrollbar'))

describe('keepScrollbarWidth', () => {
  it('tells what a scrollbar takes, again after a change of the window, until it ends', () => {
    const outer = vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(15)
    const end = keepScrollbarWidth()
    expect(measured()).toBe('15px')
    outer.mockReturnValue(8)
    window.dispatchEvent(new Event('resize'))
    expect(measured()).toBe('8px')
    end()
    outer.mockReturnValue(0)
    window.dispatchEvent(new Event('resize'))
    expect(measured()).toBe('8px')
    expect(document.body.children).toHaveLength(0)
  })
})
