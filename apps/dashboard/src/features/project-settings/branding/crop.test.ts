import { describe, expect, it } from 'vitest'

import { dragged, MIDDLE, squareOf } from './crop.ts'

const wide = { src: '', width: 600, height: 300 }

describe('squareOf', () => {
  it('is the whole of the shorter side, from the middle', () => {
    expect(squareOf(wide, MIDDLE)).toEqual({ left: 150, top: 0, side: 300 })
  })

  it('is smaller when it is nearer, and lies where it is put', () => {
    expect(squareOf(wide, { zoom: 2, across: 1, down: 0 })).toEqual({ left: 450, top: 0, side: 150 })
  })
})

describe('dragged', () => {
  it('moves against the drag and stops at the edges', () => {
    expect(dragged(wide, MIDDLE, { x: 0.25, y: 0.5 })).toEqual({ zoom: 1, across: 0.25, down: 0.5 })
    expect(dragged(wide, MIDDLE, { x: -9, y: 0 }).across).toBe(1)
    expect(dragged(wide, MIDDLE, { x: 9, y: 0 }).across).toBe(0)
  })
})
