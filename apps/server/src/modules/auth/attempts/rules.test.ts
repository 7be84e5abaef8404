import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { chargeAttempt, signInCounts, waitSeconds } from './rules.ts'

const now = new Date('2026-01-31T09:00:00.000Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('auth.waitSeconds', () => {
  it('lets five failures pass, then doubles from one second to fifteen minutes', () => {
    expect([0, 4, 5, 6, 7, 14, 15, 16, 1000].map((failures) => waitSeconds(failures, 5))).toEqual([
      0, 0, 1, 2, 4, 512, 900, 900, 900,
    ])
  })

  it('never shortens with a further failure', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (failures) => {
        expect(waitSeconds(failures + 1, 5)).toBeGreaterThanOrEqual(waitSeconds(failures, 5))
      }),
    )
  })
})

describe('auth.signInCounts', () => {
  it('counts a network that signed in before for itself alone', () => {
    const attempt = { email: 'Owner@shop.example', network: '203.0.113.9' }
    const here = { subject: 'sign-in:owner@shop.example 203.0.113.9', free: 5 }
    expect(signInCounts({ ...attempt, isKnown: true })).toEqual([here])
    expect(signInCounts({ ...attempt, isKnown: false })).toEqual([
      { subject: 'sign-in:owner@shop.example', free: 100 },
      here,
    ])
  })
})

describe('the counts of an account', () => {
  it('are not those of an address that ends like its network', () => {
    const network = '203.0.113.9'
    const own = signInCounts({ email: 'owner@shop.example', network, isKnown: true })
    for (const sign of ['|', '/', '#', '+', '=']) {
      const email = `owner@shop.example${sign}${network}`
      const others = signInCounts({ email, network: '198.51.100.7', isKnown: false })
      expect(others.map(({ subject }) => subject)).not.toContain(own[0]?.subject)
    }
  })
})

describe('auth.chargeAttempt', () => {
  it('charges the attempt before it is tried', () => {
    expect(chargeAttempt({ failures: 4, waitUntil: now, updatedAt: now }, 5, now)).toEqual({
      failures: 5,
      waitUntil: later(1),
    })
  })

  it('tells the seconds left and charges nothing while the account waits', () => {
    expect(chargeAttempt({ failures: 9, waitUntil: later(3.2), updatedAt: now }, 5, now)).toEqual({ retryAfter: 4 })
  })

  it('waits no longer than fifteen minutes although a clock was ahead', () => {
    const ahead = { failures: 9, waitUntil: later(7200), updatedAt: later(7184) }
    expect(chargeAttempt(ahead, 5, now)).toEqual({ failures: 10, waitUntil: later(32) })
  })

  it('starts over after a quiet day', () => {
    const yesterday = later(-24 * 3600 - 1)
    expect(chargeAttempt({ failures: 40, waitUntil: yesterday, updatedAt: yesterday }, 5, now)).toEqual({
      failures: 1,
      waitUntil: now,
    })
  })
})
