import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { changedGraphs, pacedGraphs } from './live-graphs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('events of figures', () => {
  it('name the graphs that changed', () => {
    expect(changedGraphs('project:7:analytics', { projectId: 7, graphIDs: [1, 7] })).toEqual({
      projectId: '7',
      graphIds: [1, 7],
    })
    expect(changedGraphs('project:all:analytics', { graphIDs: [1, 'x', null] })).toEqual({
      projectId: 'all',
      graphIds: [1],
    })
    for (const data of [undefined, null, {}, { graphIDs: 7 }, 'text'])
      expect(changedGraphs('project:7:analytics', data)).toBeUndefined()
    expect(changedGraphs('project:7:payments', { graphIDs: [1] })).toBeUndefined()
  })

  it('come at once, and of a busy shop only as fast as they may be asked for', () => {
    const asked: number[][] = []
    const graphs = pacedGraphs((_, ids) => asked.push([...ids]))
    const everything = { projectId: '7', graphIds: [1, 2, 3, 4, 7, 8, 9, 10] }
    const started = Date.now()
    graphs.add(everything)
    vi.advanceTimersByTime(100)
    expect(asked).toEqual([[1, 2, 3, 4, 7, 8, 9, 10]])
    while (Date.now() < started + 20_000) {
      graphs.add(everything)
      vi.advanceTimersByTime(100)
    }
    // Six a second are allowed, beside what a person presses.
    expect(asked.flat().length).toBeLessThanOrEqual(20 * 4 + 8)
    expect(asked.flat().length).toBeGreaterThan(20 * 3)
    graphs.stop()
    vi.advanceTimersByTime(10_000)
    expect(asked.flat().length).toBeLessThanOrEqual(20 * 4 + 8)
  })
})
