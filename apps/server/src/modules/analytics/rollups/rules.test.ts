import { describe, expect, it } from 'vitest'

import { cellsOf, LEVELS, splitSpan } from './rules.ts'

const slots = (first: number, last: number) => Array.from({ length: last - first }, (_, at) => first + at)

describe('analytics.cellsOf', () => {
  it('covers every quarter of a span once, whatever its ends', () => {
    for (const [first, last] of [
      [0, 0],
      [1, 2],
      [3, 5],
      [95, 97],
      [4, 8812],
      [1_950_001, 1_960_003],
    ] as const) {
      const covered = cellsOf(first, last).flatMap(({ from, until }) => slots(from, until))
      expect(covered).toEqual(slots(first, last))
    }
  })

  it('takes cells of a level only where one begins', () => {
    const cells = cellsOf(4, 2880 * 3 + 5)
    expect(cells.every(({ level, from, until }) => from % level === 0 && until % level === 0)).toBe(true)
    expect(cells.map(({ level }) => level)).toEqual([4, 24, 96, 2880, 4, 1])
  })

  it('has levels of which each holds whole cells of the next', () => {
    LEVELS.slice(1).forEach((level, at) => expect((LEVELS[at] ?? 0) % level).toBe(0))
  })
})

describe('analytics.splitSpan', () => {
  const at = (text: string) => new Date(`2026-03-01T${text}Z`)

  it('leaves the ends that are no whole quarter to be counted row by row', () => {
    const { first, last, edges } = splitSpan({ from: at('00:07:00'), until: at('01:20:00') })
    expect(last - first).toBe(4)
    expect(edges).toEqual([
      { from: at('00:07:00'), until: at('00:15:00') },
      { from: at('01:15:00'), until: at('01:20:00') },
    ])
  })

  it('counts a span without a whole quarter row by row', () => {
    const span = { from: at('00:07:00'), until: at('00:20:00') }
    expect(splitSpan(span)).toMatchObject({ edges: [span] })
    expect(splitSpan({ from: at('00:15:00'), until: at('00:30:00') }).edges).toEqual([])
  })
})
