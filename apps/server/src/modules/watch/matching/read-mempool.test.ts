import { describe, expect, it } from 'vitest'

import { emptyMemory, noteMissing } from './read-mempool.ts'

const MINUTE = 60_000
const none = new Map<string, string>()

describe('a transaction that the node lists no more', () => {
  it('counts as dropped after ten minutes, counted anew when it was listed in between', () => {
    const { missing } = emptyMemory()
    const look = (atMinute: number, ...waiting: string[]) =>
      noteMissing(missing, { noted: ['a'], waiting: new Set(waiting), replaced: none, nowMs: atMinute * MINUTE })
    expect(look(0)).toEqual([])
    expect(look(9, 'a')).toEqual([])
    expect(look(10)).toEqual([])
    expect(look(19)).toEqual([])
    expect(look(20)).toEqual([['a', { replacedBy: null, isOverdue: true }]])
  })

  it('counts as dropped at once when it was replaced, and stays so after one report', () => {
    const { missing } = emptyMemory()
    const look = (replaced: ReadonlyMap<string, string>) =>
      noteMissing(missing, { noted: ['a'], waiting: new Set(['b']), replaced, nowMs: 0 })
    const gone = [['a', { replacedBy: 'b', isOverdue: false }]]
    expect(look(new Map([['a', 'b']]))).toEqual(gone)
    expect(look(none)).toEqual(gone)
  })

  it('is forgotten once our rows say what became of it', () => {
    const { missing } = emptyMemory()
    noteMissing(missing, { noted: ['a'], waiting: new Set(), replaced: none, nowMs: 0 })
    noteMissing(missing, { noted: [], waiting: new Set(), replaced: none, nowMs: 1 })
    expect(missing.size).toBe(0)
  })
})
