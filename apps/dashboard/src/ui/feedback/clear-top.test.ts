import { describe, expect, it } from 'vitest'

import { clearTop } from './clear-top.ts'

const toast = { left: 100, right: 460, height: 50, start: 16 }
const box = (top: number, left = 400) => ({ top, bottom: top + 36, left, right: left + 36 })

describe('clearTop', () => {
  it('stays at the top beside what is elsewhere', () => {
    expect(clearTop(toast, [box(300), box(20, 500), box(20, 50)])).toBe(16)
  })

  it('goes below what it would cover, one after the other', () => {
    expect(clearTop(toast, [box(20)])).toBe(64)
    expect(clearTop(toast, [box(100), box(20)])).toBe(144)
    expect(clearTop(toast, [box(20), box(130)])).toBe(64)
  })
})
