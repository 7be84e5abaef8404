import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { ReportRun } from './jobs.ts'
import { type WorkerGroup, startWorkerGroup } from './worker-group.ts'

const MINUTE = 60_000
/** A worker with what its work reports to, newest last, and how often it was begun and ended. */
async function groupOf(runEnds: () => Promise<void> = async () => undefined) {
  const notes: ReportRun[] = []
  const begun: string[] = []
  const group: WorkerGroup = await startWorkerGroup('email-processor', async (note) => {
    notes.push(note)
    begun.push('begun')
    return [{ stop: () => (begun.push('ended'), runEnds()) }]
  })
  const note: ReportRun = (...run) => notes.at(-1)?.(...run)
  return { group, note, begun, failure: () => group.reports()[0]?.failure }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a worker’s failure', () => {
  it('counts until the same work succeeds, but for an hour at most', async () => {
    const { note, failure } = await groupOf()
    note('prices.poll', 'no source answered')
    note('prices.forget-old', null)
    vi.advanceTimersByTime(59 * MINUTE)
    expect(failure()).toBe('prices.poll: no source answered')
    vi.advanceTimersByTime(MINUTE)
    expect(failure()).toBeNull()
    note('prices.poll', 'no source answered')
    note('prices.poll', null)
    expect(failure()).toBeNull()
  })

  it('counts for five minutes where the work is not scheduled again', async () => {
    const { note, failure } = await groupOf()
    note('auth.mail-reset', 'no such mailbox', true)
    vi.advanceTimersByTime(4 * MINUTE)
    expect(failure()).toBe('auth.mail-reset: no such mailbox')
    vi.advanceTimersByTime(MINUTE)
    expect(failure()).toBeNull()
  })

  it('is text that a database takes, whatever answered', async () => {
    const { note, failure } = await groupOf()
    note('auth.mail-reset', `550\0 ${'x'.repeat(400)}`)
    expect(failure()).toBe(`auth.mail-reset: 550 ${'x'.repeat(296)}`)
  })
})

describe('a worker that is stopped', () => {
  it('does not start again, although it was about to', async () => {
    const run = Promise.withResolvers<void>()
    const { group, begun } = await groupOf(() => run.promise)
    const restart = group.restart('email-processor')
    const stop = group.stop()
    run.resolve()
    await Promise.all([restart, stop])
    expect(begun.filter((word) => word === 'begun')).toHaveLength(1)
  })

  it('ends what began meanwhile', async () => {
    const starting = Promise.withResolvers<void>()
    const running = new Set<number>()
    let count = 0
    const group = await startWorkerGroup('email-processor', async () => {
      const id = (count += 1)
      if (id === 2) await starting.promise
      running.add(id)
      return [{ stop: async () => void running.delete(id) }]
    })
    const restart = group.restart('email-processor')
    await vi.waitFor(() => expect(count).toBe(2))
    await group.stop()
    starting.resolve()
    await restart
    expect(running).toEqual(new Set())
  })
})
