import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { judgeRise, lastingHeight } from './rules.ts'

const MINIMUM = 5n

type Arrival = { readonly units: bigint; readonly isExplained: boolean }

/** What a chain does between looks: money that a receipt shows, or that nothing does, in blocks that are traced or not. */
const spans = fc.array(
  fc.record({
    arrivals: fc.array(fc.record({ units: fc.bigInt({ min: 1n, max: 9n }), isExplained: fc.boolean() }), {
      maxLength: 4,
    }),
    blocks: fc.integer({ min: 1, max: 9 }),
  }),
  { maxLength: 12 },
)

/** Looks after each span, as the store keeps them: what waits keeps the older look. */
function run(all: readonly { arrivals: readonly Arrival[]; blocks: number }[], isTraced: boolean) {
  let before = { height: 0, units: 0n }
  let explained = 0n
  let credited = 0n
  let [height, units] = [0, 0n]
  for (const { arrivals, blocks } of all) {
    height += blocks
    units += arrivals.reduce((sum, one) => sum + one.units, 0n)
    explained += arrivals.reduce((sum, one) => sum + (one.isExplained ? one.units : 0n), 0n)
    const after = { height, units }
    const verdict = judgeRise({ before, after, explained, minimum: MINIMUM, untracedTo: isTraced ? -1 : height })
    if (verdict.kind === 'credit') credited += verdict.units
    if (verdict.kind !== 'wait') [before, explained] = [after, 0n]
  }
  return credited
}

describe('watch.judgeRise', () => {
  it('credits of any arrivals what nothing explains, once, but for less than the minimum', () => {
    fc.assert(
      fc.property(spans, (all) => {
        const unexplained = all
          .flatMap(({ arrivals }) => arrivals)
          .reduce((sum, { units, isExplained }) => sum + (isExplained ? 0n : units), 0n)
        const missing = unexplained - run(all, false)
        expect(missing >= 0n && missing < MINIMUM).toBe(true)
      }),
    )
  })

  it('credits nothing where every block was traced', () => {
    fc.assert(
      fc.property(spans, (all) => {
        expect(run(all, true)).toBe(0n)
      }),
    )
  })

  it('credits nothing when money left, and goes on from there', () => {
    const judged = judgeRise({
      before: { height: 1, units: 9n },
      after: { height: 2, units: 3n },
      explained: 0n,
      minimum: MINIMUM,
      untracedTo: 2,
    })
    expect(judged).toEqual({ kind: 'pass' })
  })
})

describe('watch.lastingHeight', () => {
  it('is what is final, or what no reorganisation reaches where nothing is called final', () => {
    expect(lastingHeight({ height: 100, finalizedHeight: 90 }, 64)).toBe(90)
    expect(lastingHeight({ height: 100, finalizedHeight: -1 }, 64)).toBe(36)
  })
})
