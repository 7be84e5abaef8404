import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { isBeyondReturn, isFinalDepth, MOST_IN_FLIGHT, nextSequence } from './rules.ts'

const count = fc.bigInt(0n, 40n)
const maybe = fc.option(count)
const own = fc.record({
  highest: maybe,
  highestDecided: maybe,
  first: count,
  inFlight: fc.integer({ min: 0, max: MOST_IN_FLIGHT + 1 }),
  chain: fc.record({ mined: count, pending: count }),
})

describe('sends.nextSequence', () => {
  it('never gives out a place that is taken: by a send of ours, on the chain, or in its queue', () => {
    fc.assert(
      fc.property(own, (facts) => {
        const choice = nextSequence(facts)
        if (choice.kind !== 'take') return
        const { sequence } = choice
        expect(facts.highest === null || sequence > facts.highest).toBe(true)
        expect(sequence >= facts.first && sequence >= facts.chain.mined && sequence >= facts.chain.pending).toBe(true)
        expect(facts.inFlight).toBeLessThan(MOST_IN_FLIGHT)
      }),
    )
  })

  it.each([
    ['take', { highest: null, first: 0n, chain: { mined: 0n, pending: 0n } }],
    ['take', { highest: 4n, highestDecided: 3n, chain: { mined: 4n, pending: 5n } }],
    ['used_elsewhere', { highest: 4n, chain: { mined: 6n, pending: 6n } }],
    ['take', { highest: 4n, first: 6n, chain: { mined: 6n, pending: 6n } }],
    ['ahead', { highest: 4n, chain: { mined: 5n, pending: 6n } }],
    ['stale', { highest: 4n, highestDecided: 4n, chain: { mined: 4n, pending: 4n } }],
    ['busy', { highest: 20n, inFlight: MOST_IN_FLIGHT, chain: { mined: 5n, pending: 21n } }],
  ])('says %s for %o', (kind, facts) => {
    const nothing = { highest: null, highestDecided: null, first: 0n, inFlight: 0 }
    expect(nextSequence({ ...nothing, ...facts }).kind).toBe(kind)
  })
})

describe('sends.finality', () => {
  it('processes at the depth of the chain, or once it is finalized', () => {
    expect(isFinalDepth(100, { tip: 110, finalized: -1 }, 12)).toBe(false)
    expect(isFinalDepth(100, { tip: 111, finalized: -1 }, 12)).toBe(true)
    expect(isFinalDepth(100, { tip: 101, finalized: 100 }, 12)).toBe(true)
  })

  it('fails a send only beyond the depth of reorganisations', () => {
    const tagged = { large: 'finalized', reorgLimit: 64 } as const
    expect(isBeyondReturn(100, { tip: 500, finalized: 99 }, tagged)).toBe(false)
    expect(isBeyondReturn(100, { tip: 500, finalized: 100 }, tagged)).toBe(true)
    expect(isBeyondReturn(100, { tip: 162, finalized: -1 }, tagged)).toBe(false)
    expect(isBeyondReturn(100, { tip: 163, finalized: -1 }, tagged)).toBe(true)
    expect(isBeyondReturn(100, { tip: 101, finalized: -1 }, { large: 2, reorgLimit: 64 })).toBe(true)
  })
})
