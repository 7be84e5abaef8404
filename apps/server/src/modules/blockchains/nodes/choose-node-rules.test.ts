import { describe, expect, it } from 'vitest'

import {
  callsLeft,
  type Candidate,
  findForked,
  mostLagOf,
  operatorOf,
  orderToTry,
  type Pace,
  paceOf,
  probeEveryMs,
  stateOf,
} from './choose-node-rules.ts'
import { type NodeHealth, UNKNOWN_HEALTH } from './health-rules.ts'

const NOW = 1_000_000
const PACE = { mostLag: 3, blockMs: 12_000 } as const
const question = { ...PACE, now: NOW, use: 'head' } as const
const node = (id: number, health: Partial<NodeHealth> = {}, more: Partial<Candidate> = {}): Candidate => ({
  id,
  health: { ...UNKNOWN_HEALTH, ...health },
  isForked: false,
  isRefused: false,
  maxDailyCalls: null,
  callsToday: 0,
  ...more,
})
const head = (height: number) => ({ head: { height, minedAt: NOW, seenAt: NOW } })
const slow = { calls: [{ isGood: true, ms: 9_000 }] }
const failing = { calls: [{ isGood: false, ms: 10 }] }
const paused = (until: number) => ({ pause: { until, ms: 15_000 } })

describe('chooseNode.orderToTry', () => {
  it('asks the preferred node while its score is 60 or more, though another does better', () => {
    expect(orderToTry([node(1, { ...slow }), node(2)], question)).toEqual([1, 2])
    expect(
      orderToTry([node(1, { ...slow, ...failing, ...head(9) }), node(2, head(10)), node(3, head(10))], question),
    ).toEqual([1, 2, 3])
  })

  it('asks the best one otherwise', () => {
    const worn = node(1, { calls: [{ isGood: false, ms: 9_000 }], completeness: 0 })
    expect(orderToTry([worn, node(2, slow), node(3)], question)).toEqual([3, 2, 1])
  })

  it('does not choose a node that lags, is forked, is busy, or has spent its calls', () => {
    const all = [
      node(1, head(6)),
      node(2, head(10), { isForked: true }),
      node(3, { ...head(10), busyUntil: NOW + 1 }),
      node(4, head(10), { maxDailyCalls: 10, callsToday: 10 }),
      node(5, head(10)),
    ]
    expect(orderToTry(all, question)).toEqual([5])
    expect(all.map((one) => stateOf(one, all, PACE, NOW))).toEqual([
      'lagging',
      'forked',
      'backoff',
      'backoff',
      'healthy',
    ])
  })

  it('chooses one that is three blocks behind, and no more', () => {
    expect(orderToTry([node(1, head(7)), node(2, head(10))], question)).toEqual([1, 2])
    expect([12, 2, 600].map(mostLagOf)).toEqual([3, 3, 1])
    expect([0.4, 0.25].map(mostLagOf)).toEqual([50, 80])
  })

  it('chooses nodes in backoff when no other is left, the one whose backoff ends first at the head', () => {
    const all = [node(1, paused(NOW + 2)), node(2, paused(NOW + 1)), node(3, {}, { isRefused: true })]
    expect(orderToTry(all, question)).toEqual([2, 1, 3])
    expect(orderToTry([...all, node(4)], question)).toEqual([4, 2, 1, 3])
    expect(orderToTry([node(1, paused(NOW))], question)).toEqual([1])
  })

  it('does not measure lag by a node on another branch', () => {
    const all = [node(1, head(10)), node(2, head(900), { isForked: true })]
    expect(orderToTry(all, question)).toEqual([1])
  })

  it('suspects a node whose head is above all others by more than time allows, and asks it last', () => {
    const states = (all: readonly Candidate[], pace: Pace = PACE) => all.map((one) => stateOf(one, all, pace, NOW))
    const [honest, liar] = [node(1, head(10)), node(2, head(900))]
    expect(states([honest, liar])).toEqual(['healthy', 'ahead'])
    expect(orderToTry([liar, honest], question)).toEqual([1, 2])
    expect(orderToTry([liar, node(1, { ...head(10), ...paused(NOW + 1) })], question)).toEqual([1, 2])
    const third = node(3, head(11))
    expect(states([honest, liar, third])).toEqual(['healthy', 'ahead', 'healthy'])
    // Five blocks above are too many at once; they are not once a minute has passed since the lower one was mined.
    expect(states([honest, node(2, head(15))])).toEqual(['healthy', 'ahead'])
    const old = node(1, { head: { height: 10, minedAt: NOW - 60_000, seenAt: NOW } })
    expect(states([old, node(2, head(15))])).toEqual(['lagging', 'healthy'])
  })

  it('takes a node that is stuck for days for what it is, and the other for honest', () => {
    const all = [node(1, { head: { height: 10, minedAt: NOW - 1_000 * 12_000, seenAt: NOW } }), node(2, head(1_010))]
    expect(all.map((one) => stateOf(one, all, PACE, NOW))).toEqual(['lagging', 'healthy'])
  })

  it('judges no head by time where blocks are made on demand', () => {
    const all = [node(1, head(10)), node(2, head(900))]
    const pace = paceOf({ blockSeconds: 12 }, 'sandbox')
    expect(all.map((one) => stateOf(one, all, pace, NOW))).toEqual(['lagging', 'healthy'])
    expect(paceOf({ blockSeconds: 600 }, 'mainnet')).toEqual({ mostLag: 1, blockMs: 600_000 })
  })

  it('reserves the last fifth of a daily budget for the head', () => {
    const spent = node(1, {}, { maxDailyCalls: 100, callsToday: 80 })
    expect([callsLeft(spent, 'head'), callsLeft(spent, 'audit')]).toEqual([20, 0])
    expect(orderToTry([spent], { ...question, use: 'audit' })).toEqual([])
    expect(orderToTry([spent], question)).toEqual([1])
    expect(orderToTry([{ ...spent, callsToday: 91 }], question)).toEqual([])
  })
})

describe('chooseNode.findForked', () => {
  const answer = (id: number, operator: string, hash: string) => ({ id, operator, hash })
  it('marks the node as forked that most operators contradict', () => {
    expect(findForked([answer(1, 'a', 'x'), answer(2, 'b', 'y'), answer(3, 'c', 'x')])).toEqual({
      forked: [2],
      isSplit: false,
    })
    expect(findForked([answer(1, 'a', 'x'), answer(2, 'b', 'x')])).toEqual({ forked: [], isSplit: false })
  })

  it('marks no node as forked without a majority', () => {
    const split = { forked: [], isSplit: true }
    expect(findForked([answer(1, 'a', 'x'), answer(2, 'b', 'y')])).toEqual(split)
    expect(findForked([answer(1, 'a', 'x'), answer(2, 'b', 'y'), answer(3, 'c', 'z')])).toEqual(split)
    expect(findForked([answer(1, 'a', 'x'), answer(2, 'a', 'x'), answer(3, 'b', 'y')])).toEqual(split)
    expect(findForked([answer(1, 'a', 'x'), answer(2, 'b', 'x'), answer(3, 'c', 'y'), answer(4, 'd', 'y')])).toEqual(
      split,
    )
    expect(findForked([])).toEqual({ forked: [], isSplit: false })
  })
})

describe('chooseNode.operatorOf', () => {
  it.each([
    ['https://eth-mainnet.g.alchemy.com/v2/key', 'alchemy.com'],
    ['https://base.g.alchemy.com', 'alchemy.com'],
    ['https://rpc.shop.co.uk', 'shop.co.uk'],
    ['https://•••@node.example/v3/•••?•••', 'node.example'],
    ['http://10.0.0.1:8545', '10.0.0.1:8545'],
    ['http://10.0.0.1:8546', '10.0.0.1:8546'],
    ['http://[fd00::1]:8545', '[fd00::1]:8545'],
    ['http://localhost:8545', 'localhost:8545'],
  ])('of %s is %s', (url, operator) => {
    expect(operatorOf(url)).toBe(operator)
  })
})

describe('chooseNode.probeEveryMs', () => {
  it('compares several nodes often, and never spends more than a tenth of a budget on it', () => {
    expect(probeEveryMs(1, null)).toBe(60_000)
    expect(probeEveryMs(2, null)).toBe(10_000)
    expect(probeEveryMs(2, 100_000_000)).toBe(10_000)
    expect((86_400_000 / probeEveryMs(2, 10_000)) * 4).toBeLessThanOrEqual(1_000)
  })
})
