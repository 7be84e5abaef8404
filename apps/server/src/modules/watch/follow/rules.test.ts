import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoffMs, isBehind, lagAlarms, pollEveryMs } from './rules.ts'
import { type Link, nextStep, type Position, planRollBack, startHeight, windowSize } from '../blocks/branch-rules.ts'
import { retryAfterMs } from '../quarantine/quarantine-blocks.ts'

const position: Position = { height: 100, hash: 'a100', finalizedHeight: 90, reorgLimit: 64 }
const latest = { height: 101, hash: 'a101' }

describe('watch.nextStep', () => {
  it('advances when the next block names ours as its parent', () => {
    const next = { height: 101, hash: 'a101', parentHash: 'a100' }
    expect(nextStep(position, { latest, next, oursAtLatest: null })).toEqual({ kind: 'advance' })
  })

  it('advances over heights that a chain leaves out, and never to a block that is not above ours', () => {
    const next = { hash: 'a103', parentHash: 'a100' }
    const above = { latest, next: { ...next, height: 103 }, oursAtLatest: null }
    expect(nextStep(position, above)).toEqual({ kind: 'advance' })
    expect(nextStep(position, { ...above, next: { ...next, height: 100 } })).toEqual({ kind: 'fork' })
  })

  it('sees a fork when the next block has another parent', () => {
    const next = { height: 101, hash: 'b101', parentHash: 'b100' }
    expect(nextStep(position, { latest, next, oursAtLatest: null })).toEqual({ kind: 'fork' })
  })

  it('waits while the node has our newest block', () => {
    const sight = { latest: { height: 100, hash: 'a100' }, next: null, oursAtLatest: 'a100' }
    expect(nextStep(position, sight)).toEqual({ kind: 'wait' })
  })

  it('sees an idle chain that was replaced by one of equal length', () => {
    const sight = { latest: { height: 100, hash: 'b100' }, next: null, oursAtLatest: 'a100' }
    expect(nextStep(position, sight)).toEqual({ kind: 'fork' })
  })

  it('sees a chain that was replaced by a shorter one', () => {
    const sight = { latest: { height: 98, hash: 'b98' }, next: null, oursAtLatest: 'a98' }
    expect(nextStep(position, sight)).toEqual({ kind: 'fork' })
  })

  it('waits for a node that is merely behind', () => {
    const sight = { latest: { height: 98, hash: 'a98' }, next: null, oursAtLatest: 'a98' }
    expect(nextStep(position, sight)).toEqual({ kind: 'wait' })
    expect(nextStep(position, { ...sight, oursAtLatest: null })).toEqual({ kind: 'wait' })
  })
})

describe('watch.planRollBack', () => {
  const chain = (name: string, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => ({ height: from + at, hash: `${name}${from + at}` }))
  const ours = chain('a', 36, 100)

  it('goes back to the newest shared block', () => {
    const theirs = [...chain('a', 36, 97), ...chain('b', 98, 100)]
    expect(planRollBack(position, ours, theirs)).toEqual({ kind: 'reorg', toHeight: 97 })
  })

  it('halts below what was final', () => {
    const theirs = [...chain('a', 36, 89), ...chain('b', 90, 100)]
    expect(planRollBack(position, ours, theirs)).toMatchObject({
      kind: 'halt',
      why: { case: 'below_final', height: 90 },
    })
  })

  it('follows a reorganisation of exactly the limit and halts one deeper', () => {
    const deep = { ...position, finalizedHeight: -1 }
    const all = chain('a', 30, 100)
    expect(planRollBack(deep, all, [...chain('a', 30, 36), ...chain('b', 37, 100)])).toEqual({
      kind: 'reorg',
      toHeight: 36,
    })
    expect(planRollBack(deep, all, [...chain('a', 30, 35), ...chain('b', 36, 100)])).toMatchObject({ kind: 'halt' })
  })

  it('halts when nothing is shared', () => {
    expect(planRollBack(position, ours, chain('b', 36, 100))).toMatchObject({ kind: 'halt' })
    expect(planRollBack(position, ours, [])).toMatchObject({ kind: 'halt' })
  })
})

/** A random tree of blocks; a branch is named by its newest block. */
const trees = fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 60 }).map((backs) =>
  backs.reduce<Link[]>(
    (blocks, back, at) => {
      const parent = blocks[Math.max(0, blocks.length - 1 - back)] ?? blocks[0]
      return parent ? [...blocks, { height: parent.height + 1, hash: `h${at}`, parentHash: parent.hash }] : blocks
    },
    [{ height: 0, hash: 'genesis', parentHash: '' }],
  ),
)

function branchOf(tree: readonly Link[], tip: Link): Link[] {
  const parent = tree.find(({ hash }) => hash === tip.parentHash)
  return parent ? [...branchOf(tree, parent), tip] : [tip]
}

describe('watch follows any tree of blocks', () => {
  it('until it is on the branch that the node shows, without going back further than the fork', () => {
    fc.assert(
      fc.property(trees, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), (tree, picks) => {
        let ours: Link[] = tree.slice(0, 1)
        for (const pick of picks) {
          const tip = tree[pick % tree.length]
          if (!tip) continue
          const theirs = branchOf(tree, tip)
          const shared = ours.filter((block) => theirs.includes(block)).length
          const lowest = { length: ours.length }
          ours = follow(ours, theirs, lowest)
          expect(lowest.length).toBeGreaterThanOrEqual(shared)
          const isPrefix = ours.length > theirs.length && theirs.every((block, at) => ours[at] === block)
          if (!isPrefix) expect(ours).toEqual(theirs)
        }
      }),
      { numRuns: 500 },
    )
  })
})

/** Polls one branch until nothing is left to do, recording how short our chain became on the way. */
function follow(start: readonly Link[], theirs: readonly Link[], lowest: { length: number }): Link[] {
  let ours = [...start]
  for (let polls = 0; polls < 500; polls += 1) {
    const tip = ours.at(-1)
    const head = theirs.at(-1)
    if (!tip || !head) throw new Error('A chain has at least its first block')
    const here = { ...tip, finalizedHeight: -1, reorgLimit: 1_000 }
    const next = theirs[tip.height + 1] ?? null
    const step = nextStep(here, { latest: head, next, oursAtLatest: ours[head.height]?.hash ?? null })
    if (step.kind === 'wait') return ours
    if (step.kind === 'advance' && next) ours = [...ours, next]
    if (step.kind === 'fork') {
      const back = planRollBack(here, ours, theirs)
      if (back.kind === 'halt') throw new Error(back.why.case)
      ours = ours.slice(0, back.toHeight + 1)
      lowest.length = Math.min(lowest.length, ours.length)
    }
  }
  throw new Error('It never finished')
}

describe('watch intervals', () => {
  it('polls four times a block, twice a second at most, and faster on the sandbox', () => {
    expect([pollEveryMs(12, false), pollEveryMs(2, false), pollEveryMs(0.4, false), pollEveryMs(12, true)]).toEqual([
      3_000, 500, 500, 250,
    ])
  })

  it('waits longer after each failure, half a minute at most', () => {
    expect([1, 2, 3, 20].map(backoffMs)).toEqual([500, 1_000, 2_000, 30_000])
  })

  it('retries a quarantined block after 1, 5 and 30 minutes, then hourly', () => {
    expect([1, 2, 3, 4, 5].map((tries) => retryAfterMs(tries) / 60_000)).toEqual([1, 5, 30, 60, 120])
  })

  it('starts a chain where it is final, at least as deep as it can change (W-4)', () => {
    expect([startHeight(1_000, 900, 64), startHeight(1_000, undefined, 64), startHeight(10, undefined, 64)]).toEqual([
      900, 936, 0,
    ])
    // Networks that are final within seconds.
    expect([startHeight(1_000, 999, 64), startHeight(50, 50, 64)]).toEqual([936, 0])
  })

  it('calls a chain behind after a minute of blocks', () => {
    expect([isBehind(6, 12), isBehind(5, 12), isBehind(31, 2), isBehind(3, 600), isBehind(4, 600)]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ])
  })

  it('calls a chain silent after ten blocks, never before a minute', () => {
    const isSilent = (blockSeconds: number, seconds: number) => {
      const [headAt, now] = [new Date(0), new Date(seconds * 1000)]
      const facts = { height: 1, headHeight: 1, checkedAt: now, behindSince: null, headAt, blockSeconds }
      return lagAlarms(facts, now).silent !== null
    }
    expect([isSilent(0.4, 59), isSilent(0.4, 61), isSilent(12, 119), isSilent(12, 121)]).toEqual([
      false,
      true,
      false,
      true,
    ])
  })

  it('stores at least twice the deepest reorganisation', () => {
    expect([windowSize(64), windowSize(512)]).toEqual([256, 1_024])
  })
})
