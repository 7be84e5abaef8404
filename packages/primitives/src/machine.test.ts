import { describe, expect, it } from 'vitest'
import { canMove, defineMachine, sourcesOf } from './machine.ts'

const door = defineMachine({
  name: 'door',
  states: ['open', 'shut', 'locked', 'gone'],
  initial: 'open',
  final: ['gone'],
  moves: {
    shut: { from: ['open'], to: 'shut' },
    unlock: { from: ['locked'], to: 'shut' },
    lock: { from: ['shut'], to: 'locked' },
    remove: { from: ['open', 'shut'], to: 'gone' },
  },
})

describe('machine', () => {
  it('lists every state from which some move leads to a state, in the order of the states', () => {
    expect(sourcesOf(door, 'shut')).toEqual(['open', 'locked'])
    expect(sourcesOf(door, 'gone')).toEqual(['open', 'shut'])
    expect(sourcesOf(door, 'open')).toEqual([])
  })

  it('allows exactly the moves of the table', () => {
    const allowed = door.states.flatMap((from) =>
      door.states.filter((to) => canMove(door, from, to)).map((to) => [from, to]),
    )
    expect(allowed).toEqual([
      ['open', 'shut'],
      ['open', 'gone'],
      ['shut', 'locked'],
      ['shut', 'gone'],
      ['locked', 'shut'],
    ])
  })

  it('refuses a table that leaves a final state or lists a state twice', () => {
    const moves = { reopen: { from: ['b'], to: 'a' } } as const
    expect(() => defineMachine({ name: 'm', states: ['a', 'b'], initial: 'a', final: ['b'], moves })).toThrow('reopen')
    expect(() => defineMachine({ name: 'm', states: ['a', 'a'], initial: 'a', final: [], moves: {} })).toThrow('twice')
  })

  it('knows its states by type', () => {
    // @ts-expect-error a state that is not listed
    expect(sourcesOf(door, 'ajar')).toEqual([])
  })
})
