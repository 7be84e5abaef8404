import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => {
  document.documentElement.style.fontSize = ''
})

describe('isNarrow', () => {
  it.each([
    ['16px', 640, false],
    ['16px', 639, true],
    ['32px', 1280, false],
    ['32px', 1279, true],
  ])('with text of %s at %i pixels is %s, as for the styles', async (fontSize, width, expected) => {
    document.documentElement.style.fontSize = fontSize
    window.innerWidth = width
    vi.resetModules()
    const { isNarrow } = await import('./media.ts')
    expect(isNarrow()).toBe(expected)
  })
})
