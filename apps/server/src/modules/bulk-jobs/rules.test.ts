import { bulkJobMachine, type BulkJobState, bulkRowMachine } from '@kassa/contract/bulk-jobs/machine.ts'
import type { Permission } from '@kassa/contract/permissions.ts'
import { canMove, sourcesOf } from '@kassa/primitives/machine.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { askedRows, firstRepeated, projectsWith } from './rules.ts'

/** What processes and people do to a job, in any order; a crash rolls back what did not commit. */
type Step = 'claim' | 'commit' | 'refuse' | 'crash' | 'cancel' | 'fail' | 'end'
type Row = 'waiting' | 'running' | 'done' | 'refused'
type Model = { status: BulkJobState; rows: Row[]; effects: number[] }

/** One step as the store makes it: a move that its machine does not allow changes nothing. */
function apply({ status, rows, effects }: Model, step: Step): Model {
  const isLive = status === 'queued' || status === 'running'
  const next = rows.indexOf('waiting')
  const running = rows.indexOf('running')
  const moved = (at: number, to: Row): Row[] => {
    const from = rows[at]
    return from !== undefined && canMove(bulkRowMachine, from, to) ? rows.with(at, to) : rows
  }
  const ended = (to: 'done' | 'cancelled' | 'failed'): Model =>
    sourcesOf(bulkJobMachine, to).includes(status) ? { status: to, rows, effects } : { status, rows, effects }
  // The job's row is locked while a row of it runs: nobody else moves either.
  if (running >= 0) {
    if (step === 'commit') {
      const counted = effects.with(running, (effects[running] ?? 0) + 1)
      return { status, rows: moved(running, 'done'), effects: counted }
    }
    return step === 'crash' || step === 'refuse'
      ? { status, rows: rows.with(running, 'waiting'), effects }
      : { status, rows, effects }
  }
  if (step === 'claim' && isLive && next >= 0) return { status: 'running', rows: moved(next, 'running'), effects }
  if (step === 'refuse' && isLive && next >= 0) return { status: 'running', rows: moved(next, 'refused'), effects }
  if (step === 'cancel') return ended('cancelled')
  if (step === 'fail') return ended('failed')
  if (step === 'end' && next < 0) return ended('done')
  return { status, rows, effects }
}

const steps = fc.array(
  fc.constantFrom<Step>('claim', 'claim', 'commit', 'commit', 'refuse', 'crash', 'cancel', 'fail', 'end'),
  {
    maxLength: 60,
  },
)

describe('bulk-jobs.machine', () => {
  it('does no row twice and nothing after the end, whatever happens in whatever order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), steps, (count, path) => {
        let model: Model = {
          status: 'queued',
          rows: Array<Row>(count).fill('waiting'),
          effects: Array<number>(count).fill(0),
        }
        for (const step of path) {
          const before = model
          model = apply(model, step)
          if (bulkJobMachine.final.includes(before.status)) expect(model).toEqual(before)
          model.effects.forEach((times, at) => expect(times).toBe(model.rows[at] === 'done' ? 1 : 0))
          if (model.status === 'done') expect(model.rows.every((row) => row === 'done' || row === 'refused')).toBe(true)
          if (bulkJobMachine.final.includes(model.status)) expect(model.rows).not.toContain('running')
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('bulk-jobs.askedRows', () => {
  it('numbers rows by their place and gives each the shared fields, its own before them', () => {
    const rows = [{ input: { a: 1 } }, { key: 'k', line: 9, input: { note: 'own' } }]
    expect(askedRows({ rows, shared: { note: 'all' } })).toEqual([
      { line: 1, key: null, input: { a: 1, note: 'all' } },
      { line: 9, key: 'k', input: { note: 'own' } },
    ])
  })

  it('finds the first value that occurs twice', () => {
    expect(firstRepeated([1, 2, 3])).toBeUndefined()
    expect(firstRepeated([1, 2, 3, 2, 1])).toBe(2)
  })
})

describe('bulk-jobs.projectsWith', () => {
  it('gives the projects that are asked about and hold the permission', () => {
    const held = new Set<Permission>(['payment:cancel'])
    const none = new Set<Permission>()
    const projects = new Map([
      [1, held],
      [2, none],
      [3, held],
    ])
    expect(projectsWith({ install: none, projects }, 'payment:cancel', 'every')).toEqual([1, 3])
    expect(projectsWith({ install: none, projects }, 'payment:cancel', [2, 3])).toEqual([3])
    expect(projectsWith({ install: held, projects }, 'payment:cancel', [2])).toEqual([2])
    expect(projectsWith({ install: held, projects }, 'payment:cancel', 'every')).toBe('every')
  })
})
