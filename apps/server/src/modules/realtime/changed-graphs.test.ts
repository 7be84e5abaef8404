import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { collectChanges } from './changed-graphs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('realtime.collectChanges', () => {
  it('names the first change at once and what follows once a second, each graph once', () => {
    const sent: [string, number[]][] = []
    const changes = collectChanges((topic, graphIDs) => void sent.push([topic, graphIDs]))
    changes.add('project:7:analytics', [13, 5])
    expect(sent).toEqual([['project:7:analytics', [5, 13]]])
    changes.add('project:7:analytics', [5])
    changes.add('project:7:analytics', [12, 5])
    changes.add('project:all:analytics', [12])
    expect(sent.slice(1)).toEqual([['project:all:analytics', [12]]])
    vi.advanceTimersByTime(999)
    expect(sent).toHaveLength(2)
    vi.advanceTimersByTime(1)
    expect(sent.slice(2)).toEqual([['project:7:analytics', [5, 12]]])
    vi.advanceTimersByTime(5000)
    expect(sent).toHaveLength(3)
    changes.add('project:7:analytics', [1])
    expect(sent).toHaveLength(4)
    changes.stop()
  })

  it('sends nothing after it was stopped', () => {
    const sent: number[][] = []
    const changes = collectChanges((_topic, graphIDs) => void sent.push(graphIDs))
    changes.add('project:7:analytics', [1])
    changes.add('project:7:analytics', [2])
    changes.stop()
    vi.advanceTimersByTime(5000)
    expect(sent).toEqual([[1]])
  })
})
