import { describe, expect, it } from 'vitest'

import { remembered } from './memory.ts'

describe('memory.remembered', () => {
  it('is made once for each program, and stays', () => {
    const counts = remembered(() => new Map<string, number>())
    const [one, other] = [{ memory: new Map() }, { memory: new Map() }]
    counts(one).set('a', 1)
    expect(counts({ ...one })).toBe(counts(one))
    expect(counts(one).get('a')).toBe(1)
    expect(counts(other).size).toBe(0)
  })

  it('keeps what is declared apart', () => {
    const ctx = { memory: new Map() }
    const [first, second] = [remembered(() => [1]), remembered(() => [2])]
    expect([first(ctx), second(ctx)]).toEqual([[1], [2]])
  })

  it('remembers that there is nothing', () => {
    let made = 0
    const nothing = remembered(() => void (made += 1))
    const ctx = { memory: new Map() }
    nothing(ctx)
    nothing(ctx)
    expect(made).toBe(1)
  })
})
