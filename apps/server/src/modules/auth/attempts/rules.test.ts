import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { chargeAttempt, waitSeconds } from './rules.ts'

const now = new Date('2026-01-31T09:00:00.000Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('auth.waitSeconds', () => {
  it('lets five failures pass, then doubles from one second to fifteen minutes', () => {
    expect([0, 4, 5, 6, 7, 14, 15, 16, 1000].map(waitSeconds)).toEqual([0, 0, 1, 2, 4, 512, 900, 900, 900])
  })

  it('never shortens with a further failure', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (failures) => {
        expect(waitSeconds(failures + 1)).toBeGreaterThanOrEqual(waitSeconds(failures))
      }),
    )
  })
})

describe('auth.chargeAttempt', () => {
  it('charges the attempt before it is tried', () => {
    expect(chargeAttempt({ failures: 4, waitUntil: now, updatedAt: now }, now)).toEqual({
      failures: 5,
      waitUntil: later(1),
    })
  })

  it('tells the seconds left and charges nothing while the account waits', () => {
    expect(chargeAttempt({ failures: 9, waitUntil: later(3.2), updatedAt: now }, now)).toEqual({ retryAfter: 4 })
  })

  it('starts over after a quiet day', () => {
    const yesterday = later(-24 * 3600 - 1)
    expect(chargeAttempt({ failures: 40, waitUntil: yesterday, updatedAt: yesterday }, now)).toEqual({
      failures: 1,
      waitUntil: now,
    })
  })
})
