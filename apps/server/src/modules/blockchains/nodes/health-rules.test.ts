import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  bestHead,
  type CallOutcome,
  hasPassed,
  latencyP95,
  type NodeHealth,
  noteCall,
  openCircuit,
  pausedUntil,
  restsUntil,
  scoreOf,
  UNKNOWN_HEALTH,
} from './health-rules.ts'

const SECOND = 1_000
const place = { best: null, mostLag: 3 }
const failure = { message: 'HTTP 502' }
const after = (outcomes: readonly CallOutcome[]): NodeHealth => outcomes.reduce(noteCall, UNKNOWN_HEALTH)
const good = (now: number, ms = 50): CallOutcome => ({ ms, now })
const bad = (now: number): CallOutcome => ({ ms: 50, now, failure })
const withHead = (height: number, seenAt = 0): NodeHealth => ({
  ...UNKNOWN_HEALTH,
  head: { height, minedAt: 0, seenAt },
})

describe('nodeHealth.scoreOf', () => {
  it('gives a node that does everything right, and one nobody has asked yet, all points', () => {
    expect(scoreOf(UNKNOWN_HEALTH, place)).toBe(100)
    expect(scoreOf(after([good(0), good(1)]), place)).toBe(100)
  })

  it.each([
    ['each block behind costs ten', withHead(98), { best: 100, mostLag: 3 }, 80],
    ['four behind is no head at all', withHead(96), { best: 100, mostLag: 3 }, 60],
    ['a slow one loses twenty', after([good(0, 5_000)]), place, 80],
    ['one of medium speed loses ten', after([good(0, 1_100)]), place, 90],
    ['one that fails every second call loses thirty', after([good(0), bad(1)]), place, 70],
    [
      'one that fails every tenth call loses six',
      after([...Array(9).fill(good(0)), bad(1)] as CallOutcome[]),
      place,
      94,
    ],
    ['one without optional methods loses ten', { ...UNKNOWN_HEALTH, completeness: 0 }, place, 90],
  ] as const)('%s', (_name, health, at, score) => {
    expect(scoreOf(health, at)).toBe(score)
  })

  it('forgets a failure after two hundred calls', () => {
    const failed = after(Array.from({ length: 10 }, () => bad(0)))
    const later = (count: number) => Array.from({ length: count }, () => good(1)).reduce(noteCall, failed)
    expect(scoreOf(later(190), place)).toBe(97)
    expect(scoreOf(later(200), place)).toBe(100)
  })

  it('stays between 0 and 100 whatever happens', () => {
    const outcome = fc.record({
      ms: fc.nat(60_000),
      now: fc.nat(1_000_000),
      failure: fc.constantFrom(undefined, failure),
    })
    fc.assert(
      fc.property(fc.array(outcome), fc.nat(100), fc.double({ min: 0, max: 1, noNaN: true }), (calls, lag, part) => {
        const health = {
          ...after(calls),
          ...withHead(0),
          completeness: part,
          calls: after(calls).calls,
        }
        const score = scoreOf(health, { best: lag, mostLag: 3 })
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(100)
        expect(health.calls.length).toBeLessThanOrEqual(200)
      }),
    )
  })
})

describe('nodeHealth.circuit', () => {
  it('opens at the third failure in a row, and not before', () => {
    expect(pausedUntil(after([bad(0), bad(0), good(0), bad(0), bad(0)]), 0)).toBeNull()
    expect(pausedUntil(after([bad(0), bad(0), bad(1_000)]), 1_000)).toBe(16_000)
  })

  it('is over after 15 s, and opens twice as long each time the node fails again at once, up to 5 min', () => {
    let [health, now] = [after([bad(0), bad(0), bad(0)]), 0]
    const pauses: number[] = []
    for (let round = 0; round < 7; round += 1) {
      const until = pausedUntil(health, now) ?? 0
      pauses.push((until - now) / SECOND)
      now = until
      expect(pausedUntil(health, now)).toBeNull()
      health = noteCall(health, bad(now))
    }
    expect(pauses).toEqual([15, 30, 60, 120, 240, 300, 300])
  })

  it('begins with 15 s again after the node was well for as long as it was left alone', () => {
    const paused = openCircuit(openCircuit(UNKNOWN_HEALTH, 0), 15_000)
    expect(paused.pause).toEqual({ until: 45_000, ms: 30_000 })
    expect(openCircuit(paused, 75_001).pause?.ms).toBe(15_000)
    expect(openCircuit(paused, 75_000).pause?.ms).toBe(60_000)
  })

  it('is not prolonged by calls that were under way when it opened', () => {
    const health = after([bad(0), bad(0), bad(0), bad(100), bad(200)])
    expect(health.pause).toEqual({ until: 15_000, ms: 15_000 })
  })

  it('leaves a busy node alone for as long as it asks, 5 s when it does not say, never above 5 min', () => {
    const busy = (retryAfterMs: number) => after([{ ms: 1, now: 1_000, failure: { message: '429', retryAfterMs } }])
    expect(restsUntil(busy(7_000), 1_000)).toBe(8_000)
    expect(restsUntil(busy(7_000), 8_000)).toBeNull()
    expect(restsUntil(busy(0), 1_000)).toBe(6_000)
    expect(restsUntil(busy(86_400_000), 1_000)).toBe(301_000)
    expect(
      pausedUntil(after([bad(0), bad(0), { ms: 1, now: 0, failure: { message: '429', retryAfterMs: 1 } }]), 0),
    ).toBeNull()
  })
})

describe('nodeHealth under a clock that is set back', () => {
  const DAY = 86_400 * SECOND

  it('leaves nobody alone for longer than the longest pause', () => {
    const failed = after([bad(DAY), bad(DAY), bad(DAY)])
    const busy = after([{ ms: 50, now: DAY, failure: { message: 'HTTP 429', retryAfterMs: 60 * SECOND } }])
    expect([pausedUntil(failed, DAY), restsUntil(busy, DAY)]).toEqual([DAY + 15 * SECOND, DAY + 60 * SECOND])
    expect([pausedUntil(failed, 0), restsUntil(busy, 0)]).toEqual([null, null])
    expect(pausedUntil(openCircuit(failed, 0), 0)).toBe(15 * SECOND)
    const busyAgain = noteCall(busy, { ms: 50, now: 0, failure: { message: 'HTTP 429', retryAfterMs: 5 * SECOND } })
    expect(restsUntil(busyAgain, 0)).toBe(5 * SECOND)
  })

  it('forgets heads that were seen at a time that has not come, and takes time for passed', () => {
    expect(bestHead([withHead(10, DAY)], 0)).toBeNull()
    expect(hasPassed(DAY, 60 * SECOND, 0)).toBe(true)
    expect(hasPassed(0, 60 * SECOND, 59 * SECOND)).toBe(false)
    expect(hasPassed(0, 60 * SECOND, 60 * SECOND)).toBe(true)
  })
})

describe('nodeHealth.bestHead', () => {
  it('is the highest of two, and the second highest of more: one that claims too much makes nobody else look old', () => {
    expect(bestHead([withHead(10), withHead(12)], 0)).toBe(12)
    expect(bestHead([withHead(10), withHead(9_999), withHead(12)], 0)).toBe(12)
  })

  it('leaves out what was seen long ago', () => {
    expect(bestHead([withHead(10, 200_000), withHead(12, 0)], 200_000)).toBe(10)
    expect(bestHead([withHead(12, 0), UNKNOWN_HEALTH], 200_000)).toBeNull()
  })
})

describe('nodeHealth.latencyP95', () => {
  it('is the time that 95 of 100 calls were faster than', () => {
    expect(latencyP95(UNKNOWN_HEALTH)).toBeNull()
    expect(latencyP95(after(Array.from({ length: 100 }, (_, at) => good(0, at + 1))))).toBe(95)
  })
})
